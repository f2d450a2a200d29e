SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.sign_resolution()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.resolved_at is null then
        new.resolved_by := null;
        new.outcome := null;
        return new;
      end if;
      if exists (
        select from public.second_opinions where user_id = new.reported_user_id and asked_by = (select auth.uid())
      ) then
        raise exception using
          errcode = 'PT403', message = 'You asked for a second opinion: another moderator closes this case';
      end if;
      new.resolved_at := now();
      new.resolved_by := (select id from public.profiles where id = (select auth.uid()));
      -- Of a report that was opened again, the sanction may stand.
      new.outcome := coalesce(new.outcome, case
        when exists (select from public.sanctions where id = new.sanction_id and lifted_at is null) then 'acted'
        else 'nothing'
      end);
      return new;
    end
  $function$;
