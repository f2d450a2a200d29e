SET local check_function_bodies = off;

DROP TRIGGER "keep_what_counts_softly" ON "auth"."users";

DROP TRIGGER "keep_what_counts" ON "auth"."users";

DROP FUNCTION "private"."digest_confirmed_addresses"(auth.users);

CREATE OR REPLACE FUNCTION private.digest_identity (
  provider    text,
  provider_id text
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$ select private.digest_address(provider || ' ' || provider_id) $function$;

CREATE OR REPLACE FUNCTION private.digest_sign_ins (
  account auth.users
)
  RETURNS bytea[]
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
    select array_remove(
      array[
        case when account.email_confirmed_at is not null then private.digest_address(account.email) end,
        case when account.phone_confirmed_at is not null then private.digest_address(account.phone) end
      ],
      null
    ) || array(
      select private.digest_identity(provider, provider_id) from auth.identities
      where user_id = account.id and provider not in ('email', 'phone')
    )
  $function$;

CREATE OR REPLACE FUNCTION private.keep_what_counts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      digests constant bytea[] := private.digest_sign_ins(old);
    begin
      if digests = '{}' then
        return case tg_op when 'DELETE' then old else new end;
      end if;
      insert into private.kept_sanctions (addresses, kind, code, reason, subject_id, until, created_at, counts_until)
        select digests, kind, code, reason, subject_id, until, created_at, counts_until from public.sanctions
          where user_id = old.id and lifted_at is null and greatest(until, counts_until) > now()
        union all
        -- Silences that an admin wrote directly are no strikes.
        select digests, 'silence', 'other', reason, null, until, created_at, created_at
          from public.chat_silences as silence
          where user_id = old.id and until > now() and not exists (
            select from public.sanctions
            where user_id = old.id and kind = 'silence' and lifted_at is null and created_at = silence.created_at
          )
        union all
        -- Nor are bans that were set in the auth service alone.
        select digests, 'ban', 'other', 'This account was suspended', null,
            case when old.banned_until < now() + interval '100 years' then old.banned_until else 'infinity' end, now(), now()
          where old.banned_until > now() and not exists (
            select from public.sanctions
            where user_id = old.id and kind = 'ban' and lifted_at is null and least(until, '9999-01-01') >= old.banned_until
          );
      insert into private.kept_age_bands (addresses, band)
        select digests, band from public.age_bands
        where user_id = old.id and private.lowest_age(band) < (select age_limit from private.settings);
      return case tg_op when 'DELETE' then old else new end;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.return_kept (
  account uuid,
  digests bytea[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    with kept as (delete from private.kept_sanctions where addresses && digests returning *)
    insert into public.sanctions (user_id, kind, code, reason, subject_id, until, created_at, counts_until, done_at)
      select account, kind, code, reason, subject_id, until, created_at, counts_until, case kind when 'rename' then now() end
      from kept where greatest(until, counts_until) > now();
    with kept as (delete from private.kept_age_bands where addresses && digests returning *)
    insert into public.age_bands (user_id, band)
      select account, band from kept where until > now() order by private.lowest_age(band) limit 1
      on conflict do nothing;
  $function$;

CREATE OR REPLACE FUNCTION private.return_what_counts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.return_kept(new.id, private.digest_sign_ins(new));
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.return_what_counts_to_identity()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform private.return_kept(new.user_id, array[private.digest_identity(new.provider, new.provider_id)]);
      return null;
    end
  $function$;

CREATE TRIGGER return_what_counts_to_identity
  AFTER INSERT ON auth.identities
  FOR EACH ROW
  WHEN ((new.provider <> ALL (ARRAY['email'::text, 'phone'::text])))
  EXECUTE FUNCTION private.return_what_counts_to_identity();

CREATE TRIGGER keep_what_counts_softly
  BEFORE UPDATE OF deleted_at ON auth.users
  FOR EACH ROW
  WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))
  EXECUTE FUNCTION private.keep_what_counts();

CREATE TRIGGER keep_what_counts
  BEFORE DELETE ON auth.users
  FOR EACH ROW
  WHEN ((old.deleted_at IS NULL))
  EXECUTE FUNCTION private.keep_what_counts();

REVOKE ALL ON FUNCTION "private"."digest_identity"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."digest_sign_ins"(auth.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_kept"(uuid, bytea[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_what_counts_to_identity"() FROM PUBLIC;
