-- Audit log of admins, editors and moderators: who did what, when, to what, and what changed. Written by triggers,
-- readable by admins and, where it concerns users, by moderators; changeable by nobody.
create table public.admin_acts (
  id bigint not null generated always as identity primary key,
  at timestamptz not null default now(),
  admin_id uuid,
  act text not null constraint admin_acts_act_is_known check (act in ('insert', 'update', 'delete', 'restore')),
  table_name text not null,
  row_id uuid not null,
  person_id uuid,
  old jsonb,
  new jsonb,
  title text
);
comment on table public.admin_acts is 'Audit log of admin actions, ordered by id.';
comment on column public.admin_acts.admin_id is
  'Not a foreign key, so that entries outlive the account; null for the operator and servers.';
comment on column public.admin_acts.person_id is 'The affected user, if any.';
comment on column public.admin_acts.old is 'The deleted row, or the changed columns before.';
comment on column public.admin_acts.new is 'The added row, or the changed columns after.';
comment on column public.admin_acts.title is 'The row''s display name; null if it concerns a user.';

-- The log is read newest first, either whole or filtered by one of these columns.
create index admin_acts_admin_id_id_idx on public.admin_acts (admin_id, id);
create index admin_acts_table_name_id_idx on public.admin_acts (table_name, id);
create index admin_acts_person_id_idx on public.admin_acts (person_id) where person_id is not null;

alter table public.admin_acts enable row level security;
-- As of reports themselves, whoever is reported learns neither of it nor of the reporter's words while there is another
-- moderator.
create policy "Admins see all entries; moderators see those about other users" on public.admin_acts
  for select to authenticated
  using (
    (
      (select private.is_admin())
      or (select private.is_moderator()) and table_name in (
        'reports', 'chat_reports', 'sanctions', 'appeals', 'second_opinions', 'chat_messages', 'chat_silences', 'avatars',
        'user_ratings', 'age_bands'
      )
    ) and (
      table_name not in ('reports', 'chat_reports', 'second_opinions')
      or person_id is distinct from (select auth.uid())
      or not private.has_other_moderator((select auth.uid()))
    )
  );

revoke all on table public.admin_acts from service_role;
grant select on table public.admin_acts to authenticated, service_role;

-- Logs the change of an admin or a server in admin_acts; the arguments are columns to leave out. What the server
-- publishes at its planned time is logged as its editor's.
create function private.record_act() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      ignored constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - ignored end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - ignored end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
      context constant jsonb := private.read_change_context();
    begin
      if tg_table_name <> 'user_roles' and not private.is_moderator() and not private.is_editor()
        and auth.role() is distinct from 'service_role' and not context ? 'changed_by' then
        return null;
      end if;
      if tg_op = 'UPDATE' then
        select jsonb_object_agg(key, before -> key), jsonb_object_agg(key, value) into before, after
          from jsonb_each(after) where value is distinct from before -> key;
        if after is null then
          return null;
        end if;
      end if;
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id, title, old, new)
      values (
        coalesce((select auth.uid()), (context ->> 'changed_by')::uuid), lower(tg_op), tg_table_name,
        -- Checks are logged under their item, words under their digest.
        coalesce(
          whole ->> 'item_id', whole ->> 'id', whole ->> 'sanction_id', whole ->> 'user_id', md5(whole ->> 'word')
        )::uuid,
        coalesce(
          whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id',
          (select user_id from public.sanctions where id = (whole ->> 'sanction_id')::uuid)::text
        )::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement', known ->> 'word',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
    end
  $$;

create trigger items_record_act
  after insert or update or delete on public.items
  for each row execute function private.record_act(
    'created_at', 'updated_at', 'values_checked_at', 'change_reason', 'current_value_number', 'previous_value_number',
    'permanent_value_number', 'permanent_previous_value_number', 'beli_price_number', 'robux_price_number'
  );

create trigger categories_record_act
  after insert or update or delete on public.categories
  for each row execute function private.record_act('created_at', 'updated_at');

create trigger page_configurations_record_act
  after insert or update or delete on public.page_configurations
  for each row execute function private.record_act('updated_at');

create trigger field_definitions_record_act
  after insert or update or delete on public.field_definitions
  for each row execute function private.record_act('created_at', 'updated_at');

create trigger ads_record_act
  after insert or update or delete on public.ads
  for each row execute function private.record_act('updated_at');

create trigger status_words_record_act
  after insert or update or delete on public.status_words
  for each row execute function private.record_act();

create trigger user_roles_record_act
  after insert or update or delete on public.user_roles
  for each row execute function private.record_act('created_at');

-- Changes that a sanction causes are part of the sanction's entry and get none of their own.
create trigger chat_silences_record_act
  after insert or update or delete on public.chat_silences
  for each row when (pg_trigger_depth() = 0)
  execute function private.record_act('created_at', 'created_by');

-- Leaves out the reporter: who reported stays between the reporter and the current admins and moderators.
create trigger reports_record_resolution
  after delete or update of resolved_at on public.reports
  for each row when (pg_trigger_depth() = 0)
  execute function private.record_act('reporter_id', 'resolved_by');

create trigger sanctions_record_act
  after insert or update of lifted_at on public.sanctions
  for each row when (pg_trigger_depth() = 0)
  execute function private.record_act('created_at', 'created_by', 'lifted_by', 'appeal_key');

create trigger appeals_record_answer
  after update of granted on public.appeals
  for each row execute function private.record_act('message', 'created_at', 'answered_by');

create trigger second_opinions_record_act
  after insert on public.second_opinions
  for each row execute function private.record_act('asked_by', 'asked_at');

-- Deleting one's own message is not an admin action.
create trigger chat_messages_record_act
  after delete on public.chat_messages
  for each row when (old.user_id is distinct from auth.uid() and pg_trigger_depth() = 0)
  execute function private.record_act();

-- Deleting one's own rating is not an admin action, nor are deletions that cascade from an account.
create trigger user_ratings_record_act
  after delete on public.user_ratings
  for each row when (old.rater_id is distinct from auth.uid() and pg_trigger_depth() = 0)
  execute function private.record_act('rated_user_id');

-- The deleted row is a private letter with an email address, so only the fact of its deletion is logged.
create trigger contact_messages_record_act
  after delete on public.contact_messages
  for each row execute function private.record_act('id', 'name', 'email', 'subject', 'message', 'created_at');

create trigger item_value_checks_record_act
  after insert on public.item_value_checks
  for each row execute function private.record_act('id', 'item_id', 'checked_by', 'checked_at');

-- When an account is deleted, the entries about it stay but lose the personal data that they held.
create function private.forget_person_in_acts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      update public.admin_acts set old = null, new = null where person_id = old.id;
      return null;
    end
  $$;

create trigger profiles_forget_person_in_acts
  after delete on public.profiles
  for each row execute function private.forget_person_in_acts();
