SET local check_function_bodies = off;

DROP TRIGGER "chat_messages_ask_for_deleted_id" ON "public"."chat_messages";

DROP FUNCTION "private"."refuse_deleted_id"();

CREATE OR REPLACE FUNCTION private.refuse_used_id()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if exists (select from public.chat_messages where id = new.id)
        or exists (select from public.deleted_chat_messages where id = new.id)
        -- Reports outlast them, and those who reported the message could not report another under its id.
        or exists (
          select from public.reports where subject_id = new.id and kind = 'message' and message_id is null
        )
      then
        raise exception using errcode = 'unique_violation', message = 'This message was sent already';
      end if;
      return new;
    end
  $function$;

REVOKE ALL ON FUNCTION "private"."refuse_used_id"() FROM PUBLIC;

CREATE TRIGGER chat_messages_admit_id
  BEFORE INSERT ON public.chat_messages
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_used_id();
