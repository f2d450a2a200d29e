-- Notices for editors and moderators, shown in the admin area and sent to the operator's webhook. A notice holds a
-- count and item names: no user, no address, no user-written text (P142).
create table public.editor_notices (
  id bigint not null generated always as identity primary key,
  kind text not null
    constraint editor_notices_kind_is_known
    check (kind in ('proposals', 'large_changes', 'stale', 'pictures', 'reports', 'failed_mails')),
  count integer not null constraint editor_notices_count_is_above_0 check (count > 0),
  items text[] not null default '{}',
  created_at timestamptz not null default now(),
  webhook_tries integer not null default 0,
  webhook_next_at timestamptz,
  webhook_sent_at timestamptz
);
comment on table public.editor_notices is 'Notices for editors, moderators and admins.';
comment on column public.editor_notices.items is 'Names of some of the affected items.';
comment on column public.editor_notices.webhook_next_at is 'When the webhook is called next; null if delivered, given up or not configured.';

create index editor_notices_created_at_idx on public.editor_notices (created_at);
create index editor_notices_webhook_next_at_idx on public.editor_notices (webhook_next_at)
  where webhook_next_at is not null;

alter table public.editor_notices enable row level security;
create policy "Staff see notices of their role; admins see all" on public.editor_notices
  for select to authenticated
  using (
    (select private.is_admin())
    or kind in ('proposals', 'large_changes', 'stale', 'pictures') and (select private.is_editor())
    or kind = 'reports' and (select private.is_moderator())
  );

grant select (id, kind, count, items, created_at) on table public.editor_notices to authenticated;

-- News that was already reported and still applies.
create table private.told_news (
  kind text not null,
  subject text not null,
  primary key (kind, subject)
);

-- All current news: proposals that wait for a second person, large changes by editors in the last two days, items not
-- checked for 30 days, pending pictures, open reports, and mails that failed three times.
create function private.find_editor_news() returns table (kind text, subject text, item text)
  language sql stable security definer
  set search_path = ''
  as $$
    select 'proposals', proposal.id::text, items.name
    from public.value_proposals as proposal join public.items on items.id = proposal.item_id
    where proposal.state = 'waiting'
    union all
    select 'large_changes', change.id::text, items.name
    from public.item_value_changes as change join public.items on items.id = change.item_id
    where change.changed_at > now() - interval '2 days' and change.changed_as is not null and change.old_value is not null
      and private.is_large_change(
        change.old_value, change.new_value, (select large_change_percent from private.settings))
    union all
    select 'stale', id || ' ' || values_checked_at, name
    from public.items where values_checked_at < now() - interval '30 days'
    union all
    select 'pictures', objects.name, items.name
    from storage.objects
    join public.value_proposals as pictured on pictured.picture = split_part(objects.name, '/', 2)
    join public.items on items.id = pictured.item_id
    where objects.bucket_id = 'change-uploads' and pictured.state in ('waiting', 'approved', 'published')
    union all
    select 'reports', id::text, null from public.reports where resolved_at is null
    union all
    select 'failed_mails', id::text, null from backend.mail_queue where tries >= 3
  $$;
revoke execute on function private.find_editor_news() from public;

-- Writes one notice per kind for news that was not reported yet. Safe to call from several processes at once: only
-- one of them does it. Stale items are reported at most once a day.
create function private.note_editor_news(has_webhook boolean) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended('editor_notices', 0)) then
        return;
      end if;
      delete from private.told_news as told
        where not exists (
          select from private.find_editor_news() as news where news.kind = told.kind and news.subject = told.subject
        );
      with fresh as (
        insert into private.told_news (kind, subject)
        select news.kind, news.subject from private.find_editor_news() as news
        where news.kind <> 'stale' or not exists (
          select from public.editor_notices as last
          where last.kind = 'stale' and last.created_at > now() - interval '20 hours'
        )
        on conflict do nothing
        returning told_news.kind, told_news.subject
      )
      insert into public.editor_notices (kind, count, items, webhook_next_at)
      select kind, count(distinct subject),
        coalesce((array_agg(distinct item) filter (where item is not null))[:5], '{}'),
        case when has_webhook then now() end
      from fresh join private.find_editor_news() as news using (kind, subject)
      group by kind order by kind;
      delete from public.editor_notices where created_at < now() - interval '30 days';
    end
  $$;
revoke execute on function private.note_editor_news(boolean) from public;

-- Claims the notices that are due for the webhook; no other process gets them for the next five minutes. At most six
-- attempts.
create function private.take_editor_notices() returns table (id bigint, kind text, count integer, items text[])
  language sql security definer
  set search_path = ''
  as $$
    with due as (
      select notice.id from public.editor_notices as notice
      where webhook_next_at <= now() order by notice.id limit 1 for update skip locked
    )
    update public.editor_notices as notice set
      webhook_tries = webhook_tries + 1,
      webhook_next_at = case when webhook_tries < 5 then now() + interval '5 minutes' * power(2, webhook_tries) end
    from due where notice.id = due.id
    returning notice.id, notice.kind, notice.count, notice.items
  $$;
revoke execute on function private.take_editor_notices() from public;
