-- Moderators' notes on a user whose case they judge, and requests for a second opinion.
create table public.case_notes (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  author_id uuid default auth.uid() references public.profiles (id) on delete set null,
  note text not null
    constraint case_notes_note_has_1_to_1000_characters
    check (char_length(note) <= 1000 and private.trim_text(note) <> ''),
  created_at timestamptz not null default now()
);
comment on table public.case_notes is 'Moderators'' notes about a user; for moderators.';

create index case_notes_user_id_created_at_idx on public.case_notes (user_id, created_at);
create index case_notes_author_id_idx on public.case_notes (author_id);

alter table public.case_notes enable row level security;
create policy "Moderators read notes about others" on public.case_notes
  for select to authenticated
  using ((select private.is_moderator()) and user_id <> (select auth.uid()));

create policy "Moderators write notes in their own name" on public.case_notes
  for insert to authenticated
  with check ((select private.is_moderator()) and author_id = (select auth.uid()) and user_id <> author_id);

create policy "Moderators delete their own notes" on public.case_notes
  for delete to authenticated
  using ((select private.is_moderator()) and author_id = (select auth.uid()));

grant select, delete, insert (id, user_id, author_id, note) on table public.case_notes to authenticated;

create table public.second_opinions (
  -- Not the user's id: realtime subscribers receive the key of a deleted row.
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null unique references public.profiles (id) on delete cascade,
  asked_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  asked_at timestamptz not null default now(),
  constraint second_opinions_are_not_about_oneself check (user_id <> asked_by)
);
comment on table public.second_opinions is 'Cases, by user, that a moderator wants another moderator to close.';

create index second_opinions_asked_by_idx on public.second_opinions (asked_by);

alter table public.second_opinions enable row level security;
create policy "Moderators see requests for second opinions about others" on public.second_opinions
  for select to authenticated
  using ((select private.is_moderator()) and user_id <> (select auth.uid()));

create policy "Moderators request a second opinion if there is another one" on public.second_opinions
  for insert to authenticated
  with check (
    (select private.is_moderator()) and asked_by = (select auth.uid()) and private.has_other_moderator(user_id)
  );

grant select, insert (user_id, asked_by) on table public.second_opinions to authenticated;

-- A moderator who asked for a second opinion leaves the decision to another moderator, as long as there is one.
create function private.is_left_to_another_moderator(person uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.has_other_moderator(person)
      and exists (select from public.second_opinions where user_id = person and asked_by = (select auth.uid()))
  $$;
revoke execute on function private.is_left_to_another_moderator(uuid) from public;

create function private.sign_resolution() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if new.resolved_at is null then
        new.resolved_by := null;
        new.outcome := null;
        return new;
      end if;
      if private.is_left_to_another_moderator(new.reported_user_id) then
        raise exception using
          errcode = 'PT403', message = 'You asked for a second opinion: another moderator closes this case';
      end if;
      new.resolved_at := now();
      new.resolved_by := (select id from public.profiles where id = (select auth.uid()));
      -- Of a report that was opened again, the sanction may stand.
      new.outcome := coalesce(new.outcome, case
        when exists (select from public.sanctions where id = new.sanction_id and lifted_at is null) then 'acted'
        else 'nothing'
      end);
      return new;
    end
  $$;

create trigger reports_sign_resolution
  before update of resolved_at on public.reports
  for each row execute function private.sign_resolution();

-- Also deletes the picture that was kept as evidence, unless another open report needs it or a profile still shows
-- it.
create function private.close_case() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from public.second_opinions where user_id = new.reported_user_id;
      if new.kind = 'picture' and not private.is_evidence(new.evidence) and not exists (
        select from public.profiles where avatar_url = '/storage/v1/object/public/avatars/' || new.evidence
      ) then
        -- Hosted projects refuse to delete a file's row by SQL unless this is set.
        perform set_config('storage.allow_delete_query', 'true', true);
        -- One that is being deleted is passed over: its deletion waits for the profile.
        delete from storage.objects where id in (
          select id from storage.objects where bucket_id = 'avatars' and name = new.evidence for update skip locked
        );
      end if;
      return null;
    end
  $$;
revoke execute on function private.close_case() from public;

create trigger reports_close_case
  after update of resolved_at on public.reports
  for each row when (new.resolved_at is not null)
  execute function private.close_case();

-- Whether a picture is kept as evidence for an open report.
create function private.is_evidence(name text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.reports where kind = 'picture' and resolved_at is null and evidence = is_evidence.name
    )
  $$;
