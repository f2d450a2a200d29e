SET local check_function_bodies = off;

DROP TRIGGER "keep_what_counts" ON "auth"."users";

CREATE TABLE "private"."full_accounts" (
  "user_id" uuid                     NOT NULL,
  "since"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "full_accounts_pkey" PRIMARY KEY (user_id)
);

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
    select coalesce((select since from private.full_accounts where user_id = person), created_at)
    from auth.users where id = person
  $function$;

CREATE OR REPLACE FUNCTION private.keep_what_counts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      digests constant bytea[] := private.digest_confirmed_addresses(old);
    begin
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

CREATE OR REPLACE FUNCTION private.record_full_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      insert into private.full_accounts (user_id) values (new.id) on conflict do nothing;
      return null;
    end
  $function$;

ALTER TABLE "private"."full_accounts"
  ADD CONSTRAINT "full_accounts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE TRIGGER keep_what_counts_softly
  BEFORE UPDATE OF deleted_at ON auth.users
  FOR EACH ROW
  WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL) AND ((old.email_confirmed_at IS NOT NULL) OR (old.phone_confirmed_at IS NOT NULL))))
  EXECUTE FUNCTION private.keep_what_counts();

CREATE TRIGGER keep_what_counts
  BEFORE DELETE ON auth.users
  FOR EACH ROW
  WHEN (((old.deleted_at IS NULL) AND ((old.email_confirmed_at IS NOT NULL) OR (old.phone_confirmed_at IS NOT NULL))))
  EXECUTE FUNCTION private.keep_what_counts();

CREATE TRIGGER record_full_account
  AFTER UPDATE OF is_anonymous ON auth.users
  FOR EACH ROW
  WHEN ((old.is_anonymous AND (NOT new.is_anonymous)))
  EXECUTE FUNCTION private.record_full_account();

COMMENT ON TABLE "private"."full_accounts" IS 'Since when accounts that were anonymous ones have been full ones.';

REVOKE ALL ON FUNCTION "private"."record_full_account"() FROM PUBLIC;

-- An account that was anonymous got its first identity when it became a full one.
INSERT INTO private.full_accounts (user_id, since)
  SELECT users.id, min(identities.created_at)
  FROM auth.users JOIN auth.identities ON identities.user_id = users.id
  WHERE NOT users.is_anonymous
  GROUP BY users.id
  HAVING min(identities.created_at) > users.created_at + interval '1 minute';
