SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_chat_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      original text;
      refusal text;
    begin
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      original := private.tidy_text(new.message);
      -- Invisible characters alone are not a message.
      if private.trim_text(private.plain_text(original)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      -- Imports by the owner or a server are not refused, but unknown words are still hidden.
      new.message := left(
        case when row_security_active('public.chat_messages') then private.require_known_text(original)
          else private.show_text(original) end,
        1000
      );
      new := private.stamp_message(new);
      if row_security_active('public.chat_messages') then
        refusal := private.find_harm_in_pieces(new.user_id, original);
        if refusal is not null then
          raise exception using errcode = 'check_violation', message = refusal, constraint = 'safe_text';
        end if;
      end if;
      if new.message <> original then
        perform private.keep_original(new.id, new.user_id, original);
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

CREATE OR REPLACE FUNCTION private.refuse_removed_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) and exists (
        select from public.sanctions
        where user_id = new.id and kind = 'rename' and lifted_at is null
          and private.lookalike_key(removed) = private.lookalike_key(new.username)
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This username is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.refuse_removed_picture()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if new.id = (select auth.uid()) and exists (
        select from public.sanctions
        where user_id = new.id and kind = 'picture' and lifted_at is null
          and removed = substring(new.avatar_url from '/avatars/(.+)$')
      ) then
        raise exception using
          errcode = 'check_violation', message = 'This picture is not allowed', constraint = 'safe_text';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.require_known_text (
  value text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      verdict constant private.verdict := private.judge_text(value);
    begin
      if verdict.refusal is not null then
        raise exception using errcode = 'check_violation', message = verdict.refusal, constraint = 'safe_text';
      end if;
      return verdict.shown;
    end
  $function$;
