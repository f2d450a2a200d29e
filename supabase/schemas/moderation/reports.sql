-- All reports by users: messages, names, pictures, rating comments and the answers to them. The database keeps the
-- content as it was when reported, so that changing or deleting it afterwards gains nothing.

create function private.is_report_code(code text) returns boolean
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select code in ('insult', 'personal', 'scam', 'sexual', 'meeting', 'spam', 'impersonation', 'other')
  $$;
comment on function private.is_report_code is 'Whether this is a known reason for a report or a sanction; the UI has a label for each.';

create table public.reports (
  id uuid not null primary key default gen_random_uuid(),
  kind text not null default 'message'
    constraint reports_kind_is_known
    check (kind in ('message', 'name', 'picture', 'rating', 'answer', 'refusals')),
  code text not null default 'other' constraint reports_code_is_known check (private.is_report_code(code)),
  subject_id uuid not null,
  message_id uuid references public.chat_messages (id) on delete set null,
  evidence text not null default '',
  sent_at timestamptz,
  reported_user_id uuid references public.profiles (id) on delete cascade,
  reporter_id uuid default auth.uid() references public.profiles (id) on delete cascade,
  reason text constraint reports_reason_has_at_most_500_characters check (char_length(reason) <= 500),
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references public.profiles (id) on delete set null,
  outcome text constraint reports_outcome_is_known check (outcome in ('nothing', 'acted')),
  sanction_id uuid,
  constraint reports_nobody_reports_themselves check (reporter_id <> reported_user_id),
  constraint reports_have_an_outcome_when_they_are_resolved check (outcome is null or resolved_at is not null)
);
comment on table public.reports is 'Reports by users about other users; for moderators.';
comment on column public.reports.subject_id is
  'The message''s or rating''s id, kept when it is deleted; for names and pictures a digest of the content.';
comment on column public.reports.evidence is 'The reported text, or the picture''s file name, as of the report.';
comment on column public.reports.sent_at is 'When the reported content was written; kept when it is deleted.';
comment on column public.reports.reporter_id is 'Null for reports that the database creates after repeated refusals.';
comment on column public.reports.outcome is 'Whether moderators acted; shown to the reporter too.';

-- A rating that is edited keeps its id: the new text may be reported by the same user, too.
create unique index reports_one_per_reporter_and_subject
  on public.reports (subject_id, kind, reporter_id, coalesce(sent_at, '-infinity'));
create index reports_created_at_idx on public.reports (created_at desc);
create index reports_reported_user_id_idx on public.reports (reported_user_id);
create index reports_reporter_id_idx on public.reports (reporter_id);
create index reports_resolved_by_idx on public.reports (resolved_by);
create index reports_message_id_idx on public.reports (message_id);
create index reports_sanction_id_idx on public.reports (sanction_id);

-- Few of many reports are open; moderators receive new ones live.
create index reports_open_idx on public.reports (created_at) where resolved_at is null;

-- A picture is kept while an open report refers to it.
create index reports_open_pictures_idx on public.reports (evidence) where resolved_at is null and kind = 'picture';

alter table public.reports enable row level security;
-- A moderator who is reported must not learn by whom. The only one has the database anyway.
create policy "Users see their own reports; moderators those about others" on public.reports
  for select to authenticated
  using (
    (select private.is_moderator()) and (
      reported_user_id is distinct from (select auth.uid())
      or not private.has_other_moderator((select auth.uid()))
    )
    -- A report of a rating would reveal a rater whom the reporter may not see; list_own_reports shows its outcome.
    or reporter_id = (select auth.uid())
      and (kind <> 'rating' or exists (select from public.profiles where profiles.id = reported_user_id))
  );

create policy "Users report in their own name" on public.reports
  for insert to authenticated
  with check (reporter_id = (select auth.uid()) and kind <> 'refusals');

create policy "Moderators resolve reports about others" on public.reports
  for update to authenticated
  using ((select private.is_moderator()) and reported_user_id is distinct from (select auth.uid()))
  with check ((select private.is_moderator()));

create policy "Admins delete reports about others" on public.reports
  for delete to authenticated
  using ((select private.is_admin()) and reported_user_id is distinct from (select auth.uid()));

create policy "Sessions without the second factor have no access" on public.reports
  as restrictive for all to authenticated
  using (not (select private.owes_second_factor()))
  with check (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot report" on public.reports
  as restrictive for all to authenticated
  using (not (select private.is_anonymous_or_application()))
  with check (not (select private.is_anonymous_or_application()));

grant delete on table public.reports to authenticated;

-- Excludes resolved_by and the sanction: reporters would know whom to be angry with, and what to boast about.
grant select (
  id, kind, code, subject_id, message_id, evidence, sent_at, reported_user_id, reporter_id, reason, created_at,
  resolved_at, outcome
) on table public.reports to authenticated;
grant insert (kind, code, subject_id, message_id, reporter_id, reason) on table public.reports to authenticated;
grant update (resolved_at) on table public.reports to authenticated;

-- The reported content and its author, as the database has them.
create function private.find_evidence(kind text, subject uuid)
  returns table (person uuid, evidence text, sent_at timestamptz)
  language sql stable security definer
  set search_path = ''
  as $$
    select user_id, message, created_at from public.chat_messages where kind = 'message' and id = subject
    union all
    select user_id, message, created_at from public.deleted_chat_messages
      where kind = 'message' and id = subject and deleted_at > now() - interval '24 hours'
        -- Whoever joined later cannot have read it.
        and deleted_at > coalesce((select users.created_at from auth.users where users.id = auth.uid()), '-infinity')
    union all
    select id, username, null from public.profiles where kind = 'name' and id = subject
    union all
    select id, substring(avatar_url from '/avatars/(.+)$'), null from public.profiles
      where kind = 'picture' and id = subject and avatar_url like '/storage/%'
    union all
    select rater_id, rating || ' of 5 stars' || coalesce(': ' || comment, ''), created_at from public.user_ratings
      where kind = 'rating' and id = subject
    union all
    select rated_user_id, answer, answered_at from public.user_ratings
      where kind = 'answer' and id = subject and answer is not null
    limit 1
  $$;
revoke execute on function private.find_evidence(text, uuid) from public;

-- Users whose names are public: listed ones, and those who wrote in the chat, where each message shows its author.
create function private.is_known_by_name(person uuid) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (select from public.profiles where id = person and listed)
      or exists (select from public.chat_messages where user_id = person)
      or exists (select from public.deleted_chat_messages where user_id = person and deleted_at > now() - interval '24 hours')
  $$;
revoke execute on function private.is_known_by_name(uuid) from public;

create function private.fill_report() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      known record;
    begin
      if new.kind = 'refusals' then
        return new;
      end if;
      new.subject_id := coalesce(new.message_id, new.subject_id);
      -- The lock waits for a concurrent deletion.
      perform from public.chat_messages where new.kind = 'message' and id = new.subject_id for key share;
      new.message_id := case when found then new.subject_id end;
      -- And this one for a concurrent change, which deletes a picture that nobody has reported.
      perform from public.profiles where new.kind in ('name', 'picture') and id = new.subject_id for share;
      select * into known from private.find_evidence(new.kind, new.subject_id);
      -- The reporter can read the evidence, so reporting must not reveal what they could not see.
      if known.person is null
        or new.kind in ('name', 'picture') and new.reporter_id = (select auth.uid())
          and known.person <> new.reporter_id and not private.is_known_by_name(known.person)
      then
        raise exception using
          errcode = 'invalid_parameter_value',
          message = case new.kind when 'message' then 'This message is gone' else 'This is gone already' end;
      end if;
      new.evidence := known.evidence;
      new.reported_user_id := known.person;
      new.sent_at := known.sent_at;
      new.reason := nullif(private.trim_text(new.reason), '');
      -- A digest, so that the same user may report the next name or picture too.
      if new.kind in ('name', 'picture') then
        new.subject_id := md5(known.person || known.evidence)::uuid;
      end if;
      return new;
    end
  $$;

create trigger reports_fill_report
  before insert on public.reports
  for each row execute function private.fill_report();

create function public.list_own_reports()
  returns table (
    id uuid, kind text, code text, subject_id uuid, evidence text, reason text, sent_at timestamptz,
    created_at timestamptz, resolved_at timestamptz, outcome text
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select id, kind, code, subject_id, evidence, reason, sent_at, created_at, resolved_at, outcome
    from public.reports
    where reporter_id = (select auth.uid()) and not private.owes_second_factor() and not private.is_anonymous_or_application()
    order by created_at desc, id
  $$;
comment on function public.list_own_reports is
  'The caller''s reports and their outcomes, newest first; without the reported user, who may not be visible to them.';
revoke execute on function public.list_own_reports() from public, anon;
grant execute on function public.list_own_reports() to authenticated, service_role;

create function private.limit_reports() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.reporter_id = (select auth.uid()) then
        perform private.count_daily_act(
          new.reporter_id, 'report', 50, 'You can send 50 reports a day. Please try again tomorrow.'
        );
      end if;
      return null;
    end
  $$;
revoke execute on function private.limit_reports() from public;

create trigger reports_limit_reports
  after insert on public.reports
  for each row execute function private.limit_reports();

-- Message reports under the view name that clients have used since the first release.
create view public.chat_reports
  with (security_invoker = true)
  as
    select id, message_id, evidence as message, reported_user_id, reporter_id, reason, created_at, resolved_at, sent_at,
      subject_id as reported_message_id
    from public.reports
    where kind = 'message';
comment on view public.chat_reports is 'Reported messages; reports of every kind are in reports.';
grant select, delete, insert (message_id, reporter_id, reason), update (resolved_at) on public.chat_reports to authenticated;
