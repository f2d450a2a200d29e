SET local check_function_bodies = off;

DROP POLICY "Users who may write freely upload pictures for review" ON "storage"."objects";

DROP TRIGGER "profiles_refuse_removed_picture" ON "public"."profiles";

DROP FUNCTION "private"."refuse_removed_picture"();

CREATE OR REPLACE FUNCTION private.check_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- Before the policy, which is checked only afterwards.
      if (select auth.uid()) is not null and not private.is_editor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only editors have a public name';
      end if;
      -- Malformed names are left to the check constraint.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        perform private.lock_lookalikes(new.name);
        fault := case
          when private.looks_like_editor_name(new.user_id, new.name)
            or exists (
              select from public.profiles
              where private.lookalike_key(username) = private.lookalike_key(new.name) and id <> new.user_id
            )
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
          when private.looks_like_editor_name(new.id, new.username) then 'This username is reserved'
          when row_security_active('public.profiles') then private.find_username_fault(new.username)
          when private.looks_like_admin(new.id, new.username)
            or private.resembles_operator(new.username) or private.resembles_site_name(new.username)
            then 'This username is reserved'
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

CREATE OR REPLACE FUNCTION private.looks_like_admin (
  person   uuid,
  username text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.lookalike_key(profiles.username) = private.lookalike_key(looks_like_admin.username)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.looks_like_editor_name (
  person   uuid,
  username text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.editor_names
      where editor_names.user_id <> person
        and private.lookalike_key(editor_names.name) = private.lookalike_key(looks_like_editor_name.username)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_rows_of_others()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      if row_security_active(tg_relid) and (to_jsonb(new) ->> tg_argv[0])::uuid is distinct from (select auth.uid()) then
        raise exception using
          errcode = 'insufficient_privilege',
          message = format('new row violates row-level security policy for table "%s"', tg_table_name);
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_unapproved_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      file constant text := substring(new.avatar_url from '/avatars/(.+)$');
    begin
      if private.is_child(new.id) or new.id = (select auth.uid()) and (
        not exists (select from storage.objects where bucket_id = 'avatars' and name = file)
        or exists (
          select from public.sanctions
          where user_id = new.id and kind = 'picture' and lifted_at is null and removed = file
        )
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This picture is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.strip_picture_details()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      new.user_metadata := null;
      if new.metadata is not null then
        new.metadata := new.metadata - array['contentEncoding', 'xRobotsTag'] || jsonb_strip_nulls(jsonb_build_object(
          'mimetype', split_part(new.metadata ->> 'mimetype', ';', 1),
          'cacheControl', coalesce(substring(new.metadata ->> 'cacheControl' from '^(?:no-cache|max-age=[0-9]{1,8})$'), 'no-cache')
        ));
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.ask_parent (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      me constant uuid := (select auth.uid());
      address constant text := lower(private.trim_text(email));
    begin
      if me is null or private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if not private.is_child(me) then
        raise exception using errcode = 'PT409', message = 'You do not need a parent''s permission here';
      end if;
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'PT503', message = 'This site sends no email, so it cannot ask a parent';
      end if;
      -- As the auth service reads addresses. What else a mail server or program takes for one is another spelling of an
      -- address that was asked already: 'a:ana@example.org', 'ana@example.org(a)', 'ana@example.org.'.
      if char_length(address) > 255 or address like '%..%' or address !~ concat(
        '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@',
        '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$'
      ) then
        raise exception using errcode = 'check_violation', message = 'Please enter an email address';
      end if;
      if address = (select lower(users.email) from auth.users where id = me) then
        raise exception using
          errcode = 'check_violation', message = 'This is the address of your own account. Please enter your parent''s.';
      end if;
      -- Repeated after a lost answer, even while the first is not committed: the mail is on its way, and another one
      -- would replace its link.
      perform pg_advisory_xact_lock(hashtextextended('ask parent/' || me, 0));
      if exists (
        select from private.parental_consents
        where child_id = me and state = 'asked' and parent_email = address and changed_at > now() - interval '1 minute'
      ) then
        return;
      end if;
      perform private.count_daily_act(me, 'ask_parent', 3, 'You can ask three times a day. Please try again tomorrow.');
      insert into private.parental_consents as consent (child_id, state, parent_email) values (me, 'asked', address)
        on conflict (child_id) do update set state = 'asked', parent_email = excluded.parent_email, changed_at = now();
      -- Revokes earlier links, which went to another address or were answered.
      delete from private.parent_links where child_id = me;
      insert into private.consent_log (child_id, act) values (me, 'asked');
      if not private.mail_parent(me, 'asked') then
        raise exception using
          errcode = 'PT429', message = 'This address cannot be written to right now. Please try again tomorrow.';
      end if;
    end
  $function$;

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.case_notes
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('author_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.chat_mutes
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.chat_reactions
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.editor_names
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.notice_mails
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER profiles_refuse_unapproved_picture
  BEFORE UPDATE OF avatar_url ON public.profiles
  FOR EACH ROW
  WHEN ((new.avatar_url ~~ '/storage/%'::text))
  EXECUTE FUNCTION private.refuse_unapproved_picture();

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.reports
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('reporter_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.second_opinions
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('asked_by');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.trade_history
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('user_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.user_ratings
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('rater_id');

CREATE TRIGGER admit_only_own
  BEFORE INSERT ON public.work_skips
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_rows_of_others('editor_id');

CREATE TRIGGER avatars_admit_picture
  BEFORE INSERT OR UPDATE ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = ANY (ARRAY['avatars'::text, 'avatar-uploads'::text, 'change-uploads'::text, 'change-pictures'::text])))
  EXECUTE FUNCTION private.strip_picture_details();

CREATE POLICY "Users who may write freely upload pictures for review" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'avatar-uploads'::text) AND private.is_own_avatar(name) AND (name ~ '/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z]+$'::text) AND ( SELECT
    private.may_upload() AS may_upload)));

REVOKE ALL ON FUNCTION "private"."looks_like_editor_name"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."looks_like_editor_name"(uuid, text) TO "authenticated", "service_role";

REVOKE ALL ON FUNCTION "private"."refuse_unapproved_picture"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."strip_picture_details"() FROM PUBLIC;

-- What was written before these rules.
update storage.objects set user_metadata = null
  where bucket_id in ('avatars', 'avatar-uploads', 'change-uploads', 'change-pictures')
    and (
      user_metadata is not null or metadata ?| array['contentEncoding', 'xRobotsTag'] or metadata ->> 'mimetype' like '%;%'
      or metadata ->> 'cacheControl' !~ '^(no-cache|max-age=[0-9]{1,8})$'
    );
update public.profiles set avatar_url = null
  where avatar_url like '/storage/%' and not exists (
    select from storage.objects where bucket_id = 'avatars' and name = substring(avatar_url from '/avatars/(.+)$')
  );
