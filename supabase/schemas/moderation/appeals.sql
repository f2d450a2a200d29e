-- A sanctioned user may appeal once. The appeal is decided by a moderator other than the one who acted, if there is
-- one.
create table public.appeals (
  sanction_id uuid not null primary key references public.sanctions (id) on delete cascade,
  message text not null
    constraint appeals_message_has_1_to_1000_characters
    check (char_length(message) <= 1000 and private.trim_text(message) <> ''),
  created_at timestamptz not null default now(),
  granted boolean,
  answer text constraint appeals_answer_has_at_most_500_characters check (char_length(answer) <= 500),
  answered_at timestamptz,
  answered_by uuid references public.profiles (id) on delete set null
);
comment on table public.appeals is 'Appeals against sanctions with their answers, one per sanction.';
comment on column public.appeals.answer is 'Shown to the user.';

create index appeals_answered_by_idx on public.appeals (answered_by);
create index appeals_created_at_idx on public.appeals (created_at);
create index appeals_open_idx on public.appeals (created_at) where answered_at is null;

alter table public.appeals enable row level security;
create policy "Users see their own appeals; moderators see all" on public.appeals
  for select to authenticated
  using (
    exists (select from public.sanctions where id = sanction_id and user_id = (select auth.uid()))
    or (select private.is_moderator())
  );

create policy "Users appeal their own sanctions" on public.appeals
  for insert to authenticated
  with check (
    exists (
      select from public.sanctions where id = sanction_id and user_id = (select auth.uid()) and lifted_at is null
    )
  );

create policy "Moderators answer appeals" on public.appeals
  for update to authenticated
  using ((select private.is_moderator()))
  with check ((select private.is_moderator()));

create policy "Sessions without the second factor have no access" on public.appeals
  as restrictive for all to authenticated
  using (not (select private.owes_second_factor()))
  with check (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot appeal" on public.appeals
  as restrictive for all to authenticated
  using (not (select private.is_anonymous_or_application()))
  with check (not (select private.is_anonymous_or_application()));

grant select (sanction_id, message, created_at, granted, answer, answered_at) on table public.appeals to authenticated;
grant insert (sanction_id, message), update (granted, answer) on table public.appeals to authenticated;

-- The lock waits for a concurrent lifting, which would not find the appeal, and holds up a later one.
create function private.refuse_late_appeal() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform from public.sanctions where id = new.sanction_id and lifted_at is null for share;
      if not found and exists (select from public.sanctions where id = new.sanction_id) then
        raise exception using errcode = 'PT409', message = 'This was taken back in the meantime';
      end if;
      return new;
    end
  $$;
revoke execute on function private.refuse_late_appeal() from public;

-- Imports bring answered appeals of sanctions that were lifted.
create trigger appeals_refuse_late
  before insert on public.appeals
  for each row when (new.answered_at is null)
  execute function private.refuse_late_appeal();

create function private.sign_answer() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      judged public.sanctions;
    begin
      select * into judged from public.sanctions where id = new.sanction_id;
      if old.answered_at is not null or new.granted is null then
        raise exception using errcode = 'PT403', message = 'An appeal is answered once, with yes or no';
      end if;
      if judged.user_id = (select auth.uid())
        or judged.created_by = (select auth.uid()) and judged.lifted_at is null
          and private.has_other_moderator(judged.user_id)
      then
        raise exception using errcode = 'PT403', message = 'You acted here yourself: another moderator answers this appeal';
      end if;
      perform private.require_right_over(judged.user_id);
      new.answer := nullif(private.trim_text(new.answer), '');
      new.answered_at := now();
      new.answered_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $$;
revoke execute on function private.sign_answer() from public;

create trigger appeals_sign_answer
  before update of granted, answer on public.appeals
  for each row execute function private.sign_answer();

-- Granting an appeal lifts its sanction, and lifting the sanction grants the appeal.
create trigger appeals_wait_for_turn
  before update of granted on public.appeals
  for each statement execute function private.wait_for_turn();

create function private.grant_appeal() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.sanctions set lifted_at = now() where id = new.sanction_id and lifted_at is null;
      return null;
    end
  $$;
revoke execute on function private.grant_appeal() from public;

create trigger appeals_lift_sanction
  after update of granted on public.appeals
  for each row when (new.granted)
  execute function private.grant_appeal();

-- A sanction that is lifted grants its appeal: nothing is left to decide, and a refusal would contradict it.
create function private.settle_appeal() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.appeals set granted = true where sanction_id = new.id and answered_at is null;
      return null;
    end
  $$;
revoke execute on function private.settle_appeal() from public;

create trigger sanctions_settle_appeal
  after update of lifted_at on public.sanctions
  for each row execute function private.settle_appeal();

-- A banned user has no session and identifies by a key that only they received. A wrong key finds nothing.
create function public.show_ban(key uuid)
  returns table (
    until timestamptz, reason text, created_at timestamptz, lifted boolean, appeal text, granted boolean, answer text
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select ban.until, ban.reason, ban.created_at, ban.lifted_at is not null, appeal.message, appeal.granted, appeal.answer
    from public.sanctions as ban
    left join public.appeals as appeal on appeal.sanction_id = ban.id
    where ban.appeal_key = key and ban.kind = 'ban'
  $$;
comment on function public.show_ban is 'A ban and the outcome of its appeal, by appeal key.';

create function public.appeal_ban(key uuid, message text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      insert into public.appeals (sanction_id, message)
        select id, appeal_ban.message from public.sanctions
        where appeal_key = key and kind = 'ban' and lifted_at is null;
      if not found then
        raise exception using errcode = 'PT404', message = 'This suspension no longer exists';
      end if;
    end
  $$;
comment on function public.appeal_ban is 'Appeals against a ban, once, by appeal key.';
revoke execute on function public.show_ban(uuid), public.appeal_ban(uuid, text) from public;
grant execute on function public.show_ban(uuid), public.appeal_ban(uuid, text) to anon, authenticated, service_role;
