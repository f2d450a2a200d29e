-- Sanctions by moderators. Each is a row with a reason that the user can read; triggers carry it out, undo it, and
-- close the reports that it answers. Each counts as a strike for some time.
create table public.sanctions (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null
    constraint sanctions_kind_is_known
    check (kind in ('message', 'silence', 'rename', 'picture', 'comment', 'ban')),
  code text not null constraint sanctions_code_is_known check (private.is_report_code(code)),
  reason text not null
    constraint sanctions_reason_has_1_to_200_characters
    check (char_length(reason) <= 200 and private.trim_text(reason) <> ''),
  subject_id uuid,
  removed text,
  until timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references public.profiles (id) on delete set null,
  counts_until timestamptz not null default now(),
  done_at timestamptz,
  lifted_at timestamptz,
  lifted_by uuid references public.profiles (id) on delete set null,
  appeal_key uuid not null default gen_random_uuid(),
  report_id uuid,
  constraint sanctions_that_last_have_an_end check ((until is not null) = (kind in ('silence', 'ban'))),
  constraint sanctions_end_after_they_begin check (until > created_at),
  -- Browsers know no year 290000, in which what was meant to last would not hold.
  constraint sanctions_end_within_a_century_or_never
    check (until <= created_at + interval '100 years' or until = 'infinity'),
  constraint sanctions_about_a_text_name_it check (subject_id is not null or kind not in ('message', 'comment'))
);
comment on table public.sanctions is 'Sanctions of users by moderators. Each is a strike until counts_until unless lifted.';
comment on column public.sanctions.reason is 'Shown to the user.';
comment on column public.sanctions.subject_id is 'The message or rating concerned.';
comment on column public.sanctions.removed is 'What was removed: a message, a comment, a name, or the name of a picture''s file.';
comment on column public.sanctions.until is 'When it expires; infinity if permanent.';
comment on column public.sanctions.done_at is 'When the user chose another name.';
comment on column public.sanctions.lifted_at is 'When it was lifted, manually or after an appeal.';
comment on column public.sanctions.report_id is
  'The open report that it answers, if any; refused if somebody else has resolved it meanwhile.';
comment on column public.sanctions.appeal_key is 'Lets a banned user, who has no session, appeal.';

create index sanctions_user_id_created_at_idx on public.sanctions (user_id, created_at desc);
create index sanctions_created_by_idx on public.sanctions (created_by);
create index sanctions_lifted_by_idx on public.sanctions (lifted_by);
create unique index sanctions_appeal_key_idx on public.sanctions (appeal_key);
create index sanctions_unnamed_idx on public.sanctions (user_id)
  where kind = 'rename' and done_at is null and lifted_at is null;

alter table public.reports add constraint reports_sanction_id_fkey
  foreign key (sanction_id) references public.sanctions (id) on delete set null;

alter table public.sanctions enable row level security;
create policy "Users see their own sanctions; moderators see all" on public.sanctions
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_moderator()));

create policy "Moderators sanction others" on public.sanctions
  for insert to authenticated
  with check ((select private.is_moderator()) and user_id <> (select auth.uid()));

create policy "Moderators lift sanctions of others" on public.sanctions
  for update to authenticated
  using ((select private.is_moderator()) and user_id <> (select auth.uid()))
  with check ((select private.is_moderator()));

create policy "Sessions without the second factor cannot select" on public.sanctions
  as restrictive for select to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot select" on public.sanctions
  as restrictive for select to authenticated
  using (not (select private.is_anonymous_or_application()));

-- Excludes who acted: the user would know which moderator to be angry with. Moderators see it in the log of admin
-- actions.
grant select (
  id, user_id, kind, code, reason, subject_id, removed, until, created_at, counts_until, done_at, lifted_at
) on table public.sanctions to authenticated;
grant insert (id, user_id, kind, code, reason, subject_id, until, report_id), update (lifted_at) on table public.sanctions
  to authenticated;

-- A user with three active strikes is under strikes; the features that this closes check it here.
create function private.has_strikes(person uuid) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select count(*) >= 3 from public.sanctions
    where user_id = person and lifted_at is null and counts_until > now()
  $$;

create function public.is_under_strikes() returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(private.has_strikes(auth.uid()), false)
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $$;
comment on function public.is_under_strikes() is 'Whether the caller has three or more active strikes.';
revoke execute on function public.is_under_strikes() from public, anon;
grant execute on function public.is_under_strikes() to authenticated, service_role;

-- The silence or ban of a user that is in force: of several, the one that ends last.
create function private.find_sanction_in_force(person uuid, kind text) returns public.sanctions
  language sql stable strict security definer
  set search_path = ''
  as $$
    select * from public.sanctions
    where user_id = person and sanctions.kind = find_sanction_in_force.kind and lifted_at is null and until > now()
    order by until desc limit 1
  $$;
revoke execute on function private.find_sanction_in_force(uuid, text) from public;

-- Sanctions are made and lifted one at a time, so that each takes account of those before it, and no two lock the same
-- rows in different orders. So is what locks the same rows in another order: closing several reports, and deleting the
-- account. Not what a new account of the same address gets back, whose rows are locked already.
create function private.take_turn() returns void
  language sql
  set search_path = ''
  as $$ select pg_advisory_xact_lock(hashtextextended('sanctions', 0)) $$;

create function private.wait_for_turn() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform private.take_turn();
      return null;
    end
  $$;

create trigger sanctions_wait_for_turn
  before insert or update of lifted_at on public.sanctions
  for each statement when (pg_trigger_depth() = 0)
  execute function private.wait_for_turn();

create trigger reports_wait_for_turn
  before update of resolved_at on public.reports
  for each statement execute function private.wait_for_turn();

create trigger users_wait_for_turn
  before delete on auth.users
  for each statement execute function private.wait_for_turn();

-- Not if an account is deleted with its silence.
create trigger chat_silences_wait_for_turn
  before delete on public.chat_silences
  for each statement when (pg_trigger_depth() = 0)
  execute function private.wait_for_turn();

-- Moderators may not sanction users with a role; admins and the operator may. Checked before any effect, because
-- policies are checked only afterwards.
create function private.require_right_over(person uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      me constant uuid := auth.uid();
    begin
      if me = person or me is not null and not private.is_moderator() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only moderators act, and only about others';
      end if;
      if not private.is_admin() and me is not null and exists (select from public.user_roles where user_id = person) then
        raise exception using errcode = 'PT403', message = 'Only an admin can act about a moderator or an admin';
      end if;
    end
  $$;
revoke execute on function private.require_right_over(uuid) from public;

create function private.carry_out_sanction() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      report_resolved_at timestamptz;
    begin
      perform private.require_right_over(new.user_id);
      new.reason := private.trim_text(new.reason);
      new.created_at := now();
      new.created_by := (select id from public.profiles where id = (select auth.uid()));
      new.counts_until := now() + case new.kind when 'ban' then interval '90 days' else interval '30 days' end;
      new.removed := private.apply_sanction(new);
      -- Two moderators at one case would give two strikes for it: the second one waits for the first, and is refused. Not
      -- before the message is deleted: its author, too, would lock first the message and then the report.
      select resolved_at into report_resolved_at from public.reports where id = new.report_id for update;
      if report_resolved_at is not null then
        raise exception using errcode = 'PT409', message = 'This case was handled in the meantime';
      end if;
      return new;
    end
  $$;
revoke execute on function private.carry_out_sanction() from public;

-- Not again if it returns with a new account of the same address.
create trigger sanctions_carry_out
  before insert on public.sanctions
  for each row when (pg_trigger_depth() = 0)
  execute function private.carry_out_sanction();

-- A sanction resolves every open report about the user, unless the acting moderator left the case to another one.
create function private.close_reports() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.reports set resolved_at = now(), outcome = 'acted', sanction_id = new.id
        where reported_user_id = new.user_id and resolved_at is null
          and not private.is_left_to_another_moderator(new.user_id);
      return null;
    end
  $$;
revoke execute on function private.close_reports() from public;

create trigger sanctions_close_reports
  after insert on public.sanctions
  for each row when (pg_trigger_depth() = 0)
  execute function private.close_reports();

create function private.sign_lifting() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if old.lifted_at is not null or new.lifted_at is null then
        raise exception using errcode = 'PT403', message = 'What was taken back stays taken back';
      end if;
      perform private.require_right_over(new.user_id);
      new.lifted_at := now();
      new.lifted_by := (select id from public.profiles where id = (select auth.uid()));
      return new;
    end
  $$;
revoke execute on function private.sign_lifting() from public;

create trigger sanctions_sign_lifting
  before update of lifted_at on public.sanctions
  for each row execute function private.sign_lifting();
