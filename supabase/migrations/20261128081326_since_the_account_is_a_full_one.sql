SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- Malformed names are left to the check constraint.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        perform private.lock_lookalikes(new.name);
        fault := case
          when private.looks_like_admin(new.user_id, new.name)
            or exists (select from public.profiles where lower(username) = lower(new.name) and id <> new.user_id)
            then 'This name is taken'
          else replace(private.find_username_fault(new.name), 'username', 'name')
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, hint = 'name';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_rater_age()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      minimum constant interval := (select rating_min_account_age from private.settings);
    begin
      if minimum > interval '0' and coalesce(private.find_account_start(new.rater_id), now()) > now() - minimum then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Your account is too new to rate traders';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.check_username()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- Malformed names are left to the check constraint.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        -- Not for an import, which would hold a lock for each account.
        if row_security_active('public.profiles') then
          perform private.lock_lookalikes(new.username);
        end if;
        fault := case
          when private.looks_like_admin(new.id, new.username) then 'This username is reserved'
          when row_security_active('public.profiles') then private.find_username_fault(new.username)
          when private.resembles_operator(new.username) or private.resembles_site_name(new.username) then 'This username is reserved'
        end;
        if fault is null and row_security_active('public.profiles') and private.looks_like_other(new.id, new.username) then
          fault := 'This username looks like that of another trader: please take another';
        end if;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.find_account_start (
  person uuid
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select greatest(created_at, (select min(identities.created_at) from auth.identities where user_id = person))
    from auth.users where id = person
  $function$;

CREATE OR REPLACE FUNCTION private.is_new (
  person uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select coalesce(
      (
        select private.find_account_start(person) + make_interval(hours => new_account_hours) > now()
        from private.settings where new_account_hours > 0
      ),
      false
    )
  $function$;

CREATE OR REPLACE FUNCTION private.lock_lookalikes (
  name text
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    select pg_advisory_xact_lock(hashtextextended('names/' || private.lookalike_key(name), 0))
  $function$;

REVOKE ALL ON FUNCTION "private"."find_account_start"(uuid) FROM PUBLIC;
