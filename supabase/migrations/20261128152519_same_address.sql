SET local check_function_bodies = off;

DROP TRIGGER "sanctions_carry_out" ON "public"."sanctions";

DROP TRIGGER "sanctions_close_reports" ON "public"."sanctions";

DROP TRIGGER "sanctions_wait_for_turn" ON "public"."sanctions";

CREATE TABLE "private"."kept_age_bands" (
  "id"        uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "addresses" bytea[]                  NOT NULL,
  "band"      text                     NOT NULL,
  "until"     timestamp with time zone NOT NULL DEFAULT (now() + '30 days'::interval),
  CONSTRAINT "kept_age_bands_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."kept_sanctions" (
  "id"           uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "addresses"    bytea[]                  NOT NULL,
  "kind"         text                     NOT NULL,
  "code"         text                     NOT NULL,
  "reason"       text                     NOT NULL,
  "subject_id"   uuid,
  "until"        timestamp with time zone,
  "created_at"   timestamp with time zone NOT NULL,
  "counts_until" timestamp with time zone NOT NULL,
  CONSTRAINT "kept_sanctions_pkey" PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION private.digest_address (
  address text
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  STRICT
  SET search_path TO ''
  AS $function$ select sha256(convert_to(contact_key || lower(address), 'UTF8')) from private.settings $function$;

CREATE OR REPLACE FUNCTION private.digest_confirmed_addresses (
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
    )
  $function$;

CREATE OR REPLACE FUNCTION private.forget_what_counted()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
    delete from private.kept_sanctions where greatest(until, counts_until) <= now();
    delete from private.kept_age_bands where until <= now();
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
          );
      insert into private.kept_age_bands (addresses, band)
        select digests, band from public.age_bands
        where user_id = old.id and private.lowest_age(band) < (select age_limit from private.settings);
      return old;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.may_mail_parent (
  email text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      digest constant bytea := private.digest_address(email);
      recent integer;
    begin
      if (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      insert into private.parent_paces as pace (address, sent) values (digest, array[now()])
        on conflict (address) do update
          set sent = array(select at from unnest(pace.sent) as at where at > now() - interval '24 hours') || now()
        returning cardinality(sent) into recent;
      if recent > 3 then
        update private.parent_paces set sent = sent[1:3] where address = digest;
      end if;
      return recent <= 3;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.return_what_counts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      digests constant bytea[] := private.digest_confirmed_addresses(new);
    begin
      with kept as (delete from private.kept_sanctions where addresses && digests returning *)
      insert into public.sanctions (user_id, kind, code, reason, subject_id, until, created_at, counts_until, done_at)
        select new.id, kind, code, reason, subject_id, until, created_at, counts_until, case kind when 'rename' then now() end
        from kept where greatest(until, counts_until) > now();
      with kept as (delete from private.kept_age_bands where addresses && digests returning *)
      insert into public.age_bands (user_id, band)
        select new.id, band from kept where until > now() order by private.lowest_age(band) limit 1
        on conflict do nothing;
      return null;
    end
  $function$;

CREATE INDEX kept_age_bands_addresses_idx ON private.kept_age_bands USING gin (addresses);

CREATE INDEX kept_sanctions_addresses_idx ON private.kept_sanctions USING gin (addresses);

CREATE TRIGGER keep_what_counts
  BEFORE DELETE ON auth.users
  FOR EACH ROW
  WHEN (((old.email_confirmed_at IS NOT NULL) OR (old.phone_confirmed_at IS NOT NULL)))
  EXECUTE FUNCTION private.keep_what_counts();

CREATE TRIGGER return_what_counts
  AFTER INSERT OR UPDATE OF email, email_confirmed_at, phone, phone_confirmed_at ON auth.users
  FOR EACH ROW
  WHEN (((new.email_confirmed_at IS NOT NULL) OR (new.phone_confirmed_at IS NOT NULL)))
  EXECUTE FUNCTION private.return_what_counts();

CREATE TRIGGER sanctions_carry_out
  BEFORE INSERT ON public.sanctions
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.carry_out_sanction();

CREATE TRIGGER sanctions_close_reports
  AFTER INSERT ON public.sanctions
  FOR EACH ROW
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.close_reports();

CREATE TRIGGER sanctions_wait_for_turn
  BEFORE INSERT OR UPDATE OF lifted_at ON public.sanctions
  FOR EACH STATEMENT
  WHEN ((pg_trigger_depth() = 0))
  EXECUTE FUNCTION private.wait_for_turn();

COMMENT ON COLUMN "private"."settings"."contact_key" IS 'Key of the digests of addresses, so that they cannot be guessed.';

COMMENT ON TABLE "private"."kept_age_bands" IS 'Age groups of children whose accounts were deleted lately.';

COMMENT ON TABLE "private"."kept_sanctions" IS 'Sanctions of deleted accounts, while they are in force or count as strikes.';

REVOKE ALL ON FUNCTION "private"."digest_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."digest_confirmed_addresses"(auth.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_what_counted"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_what_counts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_what_counts"() FROM PUBLIC;
