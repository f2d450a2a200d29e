-- Quick talk: messages composed by tapping. A client sends the phrase, the items and the trade; the text shown in the
-- chat is generated here, so that it contains no user-written words and every client and moderator can read it.
create table public.quick_phrases (
  id text not null primary key
    constraint quick_phrases_id_is_a_slug check (id ~ '^[a-z0-9-]{1,40}$'),
  theme text not null
    constraint quick_phrases_theme_is_known check (theme in ('offer', 'ask', 'answer', 'hello')),
  phrase text not null
    constraint quick_phrases_phrase_has_1_to_80_characters check (char_length(phrase) between 1 and 80),
  place integer not null default 0
);
comment on table public.quick_phrases is 'Phrases that can be sent in the chat by tapping.';
comment on column public.quick_phrases.phrase is 'Each {item} is replaced by an item that the sender chooses.';

alter table public.quick_phrases enable row level security;
create policy "Signed-in users see the phrases" on public.quick_phrases
  for select to authenticated
  using (true);

grant select on table public.quick_phrases to authenticated;

-- The names of the items in slots of the calculator's URL, such as 'kitsune,control.p', in order.
create function private.name_slots(slots text) returns text[]
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      most constant integer := 9;
      names text[];
    begin
      if slots !~ '^[a-z0-9-]{1,100}(\.p)?(,[a-z0-9-]{1,100}(\.p)?)*$'
        or cardinality(string_to_array(slots, ',')) > most then
        raise exception using errcode = 'check_violation', message = format('Choose 1 to %s items', most);
      end if;
      select array_agg(case when slot like '%.p' then 'Permanent ' else '' end || item.name order by place) into names
        from regexp_split_to_table(slots, ',') with ordinality as slots (slot, place)
        left join public.items as item on item.slug = split_part(slot, '.', 1);
      if array_position(names, null) is not null then
        raise exception using
          errcode = 'check_violation', message = 'One of these items is no longer listed here';
      end if;
      return names;
    end
  $$;

create function private.compose_phrase(phrase_id text, slots text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      composed text := (select phrase from public.quick_phrases where id = phrase_id);
      names constant text[] := case when slots <> '' then private.name_slots(slots) else '{}' end;
      name text;
    begin
      if composed is null then
        raise exception using errcode = 'check_violation', message = 'This phrase is no longer available';
      end if;
      if cardinality(names) <> (select count(*) from regexp_matches(composed, '\{item\}', 'g')) then
        raise exception using errcode = 'check_violation', message = 'Choose an item for each gap of the phrase';
      end if;
      foreach name in array names loop
        composed := regexp_replace(composed, '\{item\}', replace(name, '\', '\\'));
      end loop;
      return composed;
    end
  $$;

-- 'Kitsune ×2, Permanent Control'
create function private.list_slots(slots text) returns text
  language sql stable
  set search_path = ''
  as $$
    select string_agg(name || case when times > 1 then ' ×' || times else '' end, ', ' order by first)
    from (
      select name, count(*) as times, min(place) as first
      from unnest(private.name_slots(slots)) with ordinality as named (name, place) group by name
    ) as counted
  $$;

-- A trade in the syntax of the calculator's URL, without empty slots: 'you=kitsune,control.p&them=tiger'. `you` is
-- the writer.
create function private.compose_trade(trade text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      sides constant text[] := regexp_match(trade, '^(?:you=([^&=]+))?(?:(?:^|&)them=([^&=]+))?$');
      yours text;
      theirs text;
    begin
      if coalesce(sides[1], sides[2]) is null then
        raise exception using errcode = 'check_violation', message = 'This trade has no items';
      end if;
      yours := case when sides[1] is not null then private.list_slots(sides[1]) end;
      theirs := case when sides[2] is not null then private.list_slots(sides[2]) end;
      return left(case
        when theirs is null then 'Offering ' || yours
        when yours is null then 'Looking for ' || theirs
        else 'Offering ' || yours || ' for ' || theirs
      end, 900);
    end
  $$;

create function private.check_quick_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.message := case
        when new.trade is null then private.compose_phrase(new.phrase, new.items)
        else private.compose_trade(new.trade)
      end;
      return private.stamp_message(new);
    end
  $$;

-- Replaces chat_messages_check_message for these messages.
create trigger chat_messages_check_quick_message
  before insert on public.chat_messages
  for each row when (new.phrase is not null or new.trade is not null)
  execute function private.check_quick_message();

-- Replies and mentions. Names come from the database: users who wrote here, or whom the writer may see. Only existing
-- messages can be replied to; one that is deleted later is shown as deleted.
create function private.address_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      people text[];
    begin
      new.reply_to := (select id from public.chat_messages where id = new.reply_to);
      if cardinality(new.mentions) > 3 then
        raise exception using errcode = 'check_violation', message = 'You can mention 3 people at once';
      end if;
      select array_agg(id order by place), array_agg('@' || name order by place)
        into new.mentions, people
        from (
          select id, min(place) as place, coalesce(
            (select username from public.profiles where profiles.id = mentioned.id),
            (select username from public.chat_messages where user_id = mentioned.id order by created_at desc limit 1)
          ) as name
          from unnest(new.mentions) with ordinality as mentioned (id, place)
          where id <> new.user_id group by id
        ) as named
        where name is not null;
      new.message := array_to_string(people || new.message, ' ');
      if char_length(new.message) > 1000 then
        raise exception using errcode = 'check_violation', message = 'Message too long (max 1000 characters)';
      end if;
      return new;
    end
  $$;

-- After the message check: mentioned names are not the writer's own words.
create trigger chat_messages_do_address
  before insert on public.chat_messages
  for each row when (new.reply_to is not null or new.mentions is not null)
  execute function private.address_message();
