SET local check_function_bodies = off;

ALTER TABLE "private"."settings"
  ADD COLUMN "contact_mail_to" text;

ALTER TABLE "public"."contact_messages"
  ADD COLUMN "mailed_at" timestamp WITH time zone;

CREATE OR REPLACE FUNCTION private.announce_contact_message()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      notify contact_messages;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.mail_contact_message (
  message_id uuid,
  subject    text,
  body_text  text,
  body_html  text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      operator constant text := (select contact_mail_to from private.settings);
      sender text;
    begin
      if operator is null or (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      update public.contact_messages set mailed_at = now()
        where id = message_id and mailed_at is null
        returning email into sender;
      if sender is null then
        return false;
      end if;
      insert into backend.mail_queue (message) values (jsonb_build_object(
        'to', operator,
        'replyTo', jsonb_build_object('name', '', 'address', sender),
        'subject', left(subject, 300),
        'text', left(body_text, 10000),
        'html', left(body_html, 20000)
      ));
      notify backend_mail;
      return true;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."mail_contact_message"(uuid, text, text, text) FROM PUBLIC, "anon", "authenticated";

ALTER TABLE "private"."settings"
  ADD CONSTRAINT "settings_contact_mail_to_has_at_most_255_characters" CHECK ((char_length(contact_mail_to) <= 255));

CREATE INDEX contact_messages_unmailed_idx ON public.contact_messages USING btree (created_at)
  WHERE (mailed_at IS NULL);

CREATE TRIGGER contact_messages_announce
  AFTER INSERT ON public.contact_messages
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.announce_contact_message();

COMMENT ON COLUMN "private"."settings"."contact_mail_to" IS 'Who gets contact messages by mail; nobody where it is null.';

COMMENT ON COLUMN "public"."contact_messages"."mailed_at" IS 'When it was handed to the mail queue.';

REVOKE ALL ON FUNCTION "private"."announce_contact_message"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."mail_contact_message"(uuid, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."mail_contact_message"(uuid, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."mail_contact_message"(uuid, text, text, text) TO "service_role";
