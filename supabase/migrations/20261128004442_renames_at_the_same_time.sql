SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_existing_names (
  most integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      judged integer := 0;
      reached uuid := (select coalesce(names_judged_to, '00000000-0000-0000-0000-000000000000') from private.settings for update);
      person record;
      found_fault text;
    begin
      -- Before the vocabularies are loaded, every name would fail.
      if not exists (select from private.vocabularies where language not in ('items', 'site')) then
        return 0;
      end if;
      for person in select id, username from public.profiles where id > reached order by id limit most loop
        judged := judged + 1;
        reached := person.id;
        continue when exists (select from public.user_roles where user_id = person.id);
        found_fault := private.find_username_fault(person.username);
        continue when found_fault is null;
        insert into private.outgrown_names (user_id, fault) values (person.id, found_fault) on conflict do nothing;
        perform private.rename_person(person.id, private.generate_username(''));
        exit;
      end loop;
      update private.settings set names_judged_to =
        case when judged = 0 then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else reached end;
      return judged;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.rename_person (
  person uuid,
  name   text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      own uuid[];
      others uuid[];
    begin
      update public.profiles set username = name where id = person;
      own := array(select id from public.chat_messages where user_id = person order by created_at desc limit 500);
      others := array(
        select id from (select id, mentions from public.chat_messages order by created_at desc limit 5000) as latest
        where person = any (mentions)
      );
      -- Locked in one order, since two users who mention each other may be renamed at the same time.
      perform from public.chat_messages where id = any (own || others) order by id for no key update;
      update public.chat_messages set username = name where id = any (own);
      -- The names in front of a message are in the order of its mentions.
      update public.chat_messages
        set message = left(
          regexp_replace(
            message, format('^((?:@\w+ ){%s})@\w+ ', array_position(mentions, person) - 1), '\1@' || name || ' '
          ),
          1000
        )
        where id = any (others);
    end
  $function$;
