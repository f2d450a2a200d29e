-- Notices by mail, opt-in: sent only to the user's own confirmed address, batched and infrequent (P153).
create table public.notice_mails (
  user_id uuid not null primary key default auth.uid() references public.profiles (id) on delete cascade,
  told_to bigint not null default 0,
  mailed_at timestamptz
);
comment on table public.notice_mails is 'Subscribers to editor_notices by mail.';
comment on column public.notice_mails.told_to is 'The last notice that was mailed.';

alter table public.notice_mails enable row level security;
create policy "Users see their own mail subscription" on public.notice_mails
  for select to authenticated
  using (
    user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  );

create policy "Editors and moderators subscribe to notices by mail" on public.notice_mails
  for insert to authenticated
  with check (user_id = (select auth.uid()) and ((select private.is_editor()) or (select private.is_moderator())));

create policy "Editors and moderators unsubscribe from notices by mail" on public.notice_mails
  for delete to authenticated
  using (user_id = (select auth.uid()) and ((select private.is_editor()) or (select private.is_moderator())));

grant select, delete, insert (user_id) on table public.notice_mails to authenticated;

-- Earlier notices are not mailed to new subscribers, and nobody can subscribe where the site sends no mail.
create function private.begin_notice_mails() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'check_violation', message = 'This site sends no email';
      end if;
      new.told_to := coalesce((select max(id) from public.editor_notices), 0);
      new.mailed_at := null;
      return new;
    end
  $$;
revoke execute on function private.begin_notice_mails() from public;

create trigger notice_mails_begin
  before insert on public.notice_mails
  for each row execute function private.begin_notice_mails();

-- Unsubscribes users who lost their role, since they could no longer do so themselves.
create function private.end_notice_mails() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from public.notice_mails
        where user_id = old.user_id and not exists (select from public.user_roles where user_roles.user_id = old.user_id);
      return null;
    end
  $$;
revoke execute on function private.end_notice_mails() from public;

create trigger user_roles_end_notice_mails
  after delete or update on public.user_roles
  for each row execute function private.end_notice_mails();

-- The mails that are due: each subscriber's notices by role, except those about failed mails, since mailing them
-- would add one more. Waits ten minutes to batch notices, and at least six hours after the previous mail.
create function private.find_notice_mails() returns table (user_id uuid, up_to bigint, notices jsonb)
  language sql stable security definer
  set search_path = ''
  as $$
    select wanted.user_id, max(notice.id),
      jsonb_agg(jsonb_build_object('kind', notice.kind, 'count', notice.count, 'items', notice.items) order by notice.id)
    from public.notice_mails as wanted
    join public.editor_notices as notice on notice.id > wanted.told_to
    where coalesce(wanted.mailed_at < now() - interval '6 hours', true)
      and exists (
        select from public.user_roles as held
        where held.user_id = wanted.user_id and case held.role
          when 'admin' then notice.kind <> 'failed_mails'
          when 'editor' then notice.kind in ('proposals', 'large_changes', 'stale', 'pictures')
          else notice.kind = 'reports'
        end
      )
    group by wanted.user_id
    having min(notice.created_at) < now() - interval '10 minutes'
  $$;
revoke execute on function private.find_notice_mails() from public;

-- Adds one mail to the queue, once no matter which process composed it, and only to the user's own confirmed address.
-- Leaves most of the queue to mails that give access to accounts. Returns whether the mail was queued.
create function private.queue_notice_mail(person uuid, up_to bigint, subject text, body_text text, body_html text)
  returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      address constant text := (
        select email from auth.users where id = person and email_confirmed_at is not null and email <> ''
      );
    begin
      if address is null or (select site_url from private.settings) is null
        or (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      update public.notice_mails set told_to = queue_notice_mail.up_to, mailed_at = now()
        where user_id = person and told_to < queue_notice_mail.up_to;
      if not found then
        return false;
      end if;
      insert into backend.mail_queue (message) values (
        jsonb_build_object('to', address, 'subject', subject, 'text', body_text, 'html', body_html)
      );
      notify backend_mail;
      return true;
    end
  $$;
revoke execute on function private.queue_notice_mail(uuid, bigint, text, text, text) from public;
