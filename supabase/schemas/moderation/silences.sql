-- Silences: a silenced user may not write in the chat for some time; the rest of the site stays open to them.
-- Moderators silence users by a sanction, which writes here; admins may also write here directly, without a strike.
create table public.chat_silences (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  until timestamptz not null default 'infinity',
  reason text not null
    constraint chat_silences_reason_has_1_to_200_characters
    check (char_length(reason) <= 200 and private.trim_text(reason) <> ''),
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint chat_silences_end_after_they_begin check (until > created_at),
  constraint chat_silences_end_within_a_century_or_never
    check (until <= created_at + interval '100 years' or until = 'infinity'),
  constraint chat_silences_nobody_silences_themselves check (created_by <> user_id)
);
comment on table public.chat_silences is 'Users who may not write in the chat; expired silences have no effect.';
comment on column public.chat_silences.until is 'When it expires; infinity if permanent.';
comment on column public.chat_silences.reason is 'Shown to the silenced user.';

create index chat_silences_created_by_idx on public.chat_silences (created_by);
create index chat_silences_until_idx on public.chat_silences (until);

alter table public.chat_silences enable row level security;
create policy "Users see their own silence; moderators see all" on public.chat_silences
  for select to authenticated
  using (
    (select private.is_moderator()) or user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  );

create policy "Admins silence other users" on public.chat_silences
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change silences of others" on public.chat_silences
  for update to authenticated
  using ((select private.is_admin()) and user_id <> (select auth.uid()))
  with check ((select private.is_admin()));

create policy "Moderators lift silences of others" on public.chat_silences
  for delete to authenticated
  using ((select private.is_moderator()) and user_id <> (select auth.uid()));

grant delete on table public.chat_silences to authenticated;

-- Excludes created_by: the silenced user would know which moderator to be angry with. Moderators read it through
-- list_silence_makers.
grant select (user_id, until, reason, created_at) on table public.chat_silences to authenticated;

-- Includes user_id, because an upsert writes it: silencing a user again replaces the existing silence.
grant insert (user_id, until, reason), update (user_id, until, reason) on table public.chat_silences to authenticated;

-- Imports by the owner and by servers keep their own times and names.
create function private.sign_silence() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.reason := private.trim_text(new.reason);
      if row_security_active('public.chat_silences') then
        new.created_at := now();
        new.created_by := (select id from public.profiles where id = (select auth.uid()));
      end if;
      return new;
    end
  $$;

create trigger chat_silences_sign_silence
  before insert or update of until on public.chat_silences
  for each row execute function private.sign_silence();

create function public.list_silence_makers(people uuid[]) returns table (user_id uuid, username text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
    begin
      if not private.is_moderator() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only moderators are told who silenced somebody';
      end if;
      return query
        select silence.user_id, person.username
        from public.chat_silences as silence
        join public.profiles as person on person.id = silence.created_by
        where silence.user_id = any (people);
    end
  $$;
comment on function public.list_silence_makers is 'Who silenced these users; for moderators.';
revoke execute on function public.list_silence_makers(uuid[]) from public, anon;
grant execute on function public.list_silence_makers(uuid[]) to authenticated, service_role;

-- '10 minutes', '1 hour', '7 days'; rounded up, so that it never understates the time left.
create function private.name_time_left(span interval) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select count || ' ' || unit || case when count > 1 then 's' else '' end
    from (values (60, 'minute', 90 * 60), (3600, 'hour', 36 * 3600), (86400, 'day', null)) as units (seconds, unit, up_to),
      ceil(extract(epoch from span) / units.seconds) as count
    where up_to is null or extract(epoch from span) <= up_to
    order by seconds limit 1
  $$;

-- The message for a silenced user; children read it.
create function private.silence_message(silence public.chat_silences) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when isfinite(silence.until) then format('You can''t write in the chat for %s, until %s UTC. Reason: %s',
        private.name_time_left(silence.until - now()),
        to_char(silence.until at time zone 'UTC', 'Mon FMDD, YYYY, FMHH12:MI AM'),
        silence.reason)
      else format('You can no longer write in the chat. Reason: %s', silence.reason)
    end
  $$;

-- Writers can see only their own silence; writing in another user's name is refused by the policy.
create function private.refuse_silenced() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      silence public.chat_silences;
    begin
      select user_id, until, reason into silence.user_id, silence.until, silence.reason
        from public.chat_silences where user_id = new.user_id and until > now();
      if silence.user_id is not null and row_security_active('public.chat_messages') then
        raise exception using
          errcode = 'PT403', message = private.silence_message(silence), detail = silence.until::text;
      end if;
      return new;
    end
  $$;

-- Triggers fire in alphabetical order: this one before chat_messages_check_message, which would count the message.
create trigger chat_messages_ask_for_silence
  before insert on public.chat_messages
  for each row execute function private.refuse_silenced();
