SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_rater_age()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
    begin
      -- Before a rating that this replaces, as deleting one of the accounts begins there.
      perform from auth.users where id in (new.rater_id, new.rated_user_id) order by id for key share;
      if minimum > interval '0' and coalesce(private.find_account_start(new.rater_id), now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.decide_as_parent (
  key      text,
  decision text
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      child constant uuid := private.find_linked_child(key);
      known private.parental_consents;
      answer constant text :=
        case decision when 'allow' then 'allowed' when 'refuse' then 'refused' when 'withdraw' then 'withdrawn' end;
    begin
      -- The account first, as deleting it begins there.
      perform from auth.users where id = child for key share;
      select * into known from private.parental_consents where child_id = child for update;
      -- Meanwhile the child may have asked another parent, which revoked the link.
      perform private.find_linked_child(key);
      if answer is null or known.child_id is null
        or (known.state, answer) not in (('asked', 'allowed'), ('asked', 'refused'), ('allowed', 'withdrawn'))
      then
        raise exception using errcode = 'PT409', message = 'This was answered already. Your child can ask again.';
      end if;
      update private.parental_consents
        set state = answer, changed_at = now(), parent_email = case answer when 'allowed' then known.parent_email end
        where child_id = child;
      insert into private.consent_log (child_id, act) values (child, answer);
      if answer = 'allowed' then
        -- A confirmation mail, so that the parent notices if someone else allowed it.
        perform private.mail_parent(child, 'allowed');
      elsif private.is_child(child) then
        perform private.hide_child(child, renames => answer = 'withdrawn');
      end if;
      return answer;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.set_age_band (
  person uuid,
  band   text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.require_right_over(person);
      -- The account first, as deleting it begins there.
      perform from auth.users where id = person for key share;
      if not exists (select from public.profiles where id = person) or private.lowest_age(set_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'There is no such person or age group';
      end if;
      insert into public.age_bands as known (user_id, band) values (person, set_age_band.band)
        on conflict (user_id) do update set band = excluded.band where known.band <> excluded.band;
      -- Logs the change without the age group, which not everyone who reads the log needs to know.
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'age_bands', person, person);
    end
  $function$;
