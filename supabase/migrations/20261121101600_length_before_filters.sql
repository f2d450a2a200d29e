-- A text that is too long is refused before a filter reads it: five million characters, which a request may hold, cost
-- the filters half a minute, in which neither statement_timeout nor anything else stops them.

create or replace function private.check_username() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      fault text;
    begin
      -- The table refuses what is no name by its form.
      if new.username ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := private.find_username_fault(new.username);
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault;
      end if;
      return new;
    end
  $$;

create or replace function private.check_rating() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if tg_op = 'UPDATE' then
        if (new.rater_id, new.rated_user_id) is distinct from (old.rater_id, old.rated_user_id) then
          raise exception using
            errcode = 'check_violation', message = 'A rating stays with its rater and its trader';
        end if;
        new.created_at := now();
      end if;
      new.comment := nullif(private.trim_text(new.comment), '');
      -- The table refuses a longer one.
      if char_length(new.comment) <= 500 then
        perform private.refuse_unsafe_text(new.comment);
      end if;
      return new;
    end
  $$;

create or replace function private.check_chat_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.message := private.trim_text(new.message);
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      -- What cannot be seen is no message either.
      if private.trim_text(private.plain_text(new.message)) = '' then
        raise exception using errcode = 'check_violation', message = 'Message cannot be empty';
      end if;
      perform private.refuse_unsafe_text(new.message);
      new.username := coalesce((select username from public.profiles where id = new.user_id), 'Anonymous');
      if row_security_active('public.chat_messages') then
        perform private.limit_chat_rate(new.user_id);
        new.created_at := clock_timestamp();
      end if;
      return new;
    end
  $$;
