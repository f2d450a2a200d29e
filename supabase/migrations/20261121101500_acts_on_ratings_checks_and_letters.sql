-- Three more things that admins do stand in the list: deleting somebody's rating, deleting a message to the operator,
-- and finding an item's values still right.

create or replace function private.record_act() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      unkept constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unkept end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unkept end;
      known constant jsonb := coalesce(before, after);
      whole constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    begin
      if tg_table_name <> 'user_roles' and not private.is_admin() and auth.role() is distinct from 'service_role' then
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
        (select auth.uid()), lower(tg_op), tg_table_name,
        -- A check has no id that others know: it is about its item.
        coalesce(whole ->> 'item_id', whole ->> 'id', whole ->> 'user_id')::uuid,
        coalesce(whole ->> 'reported_user_id', whole ->> 'rater_id', whole ->> 'user_id')::uuid,
        coalesce(
          known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement',
          (select name from public.items where id = (whole ->> 'item_id')::uuid)
        ),
        before, after
      );
      return null;
    end
  $$;

-- Taking back one's own rating is no act of an admin, nor is what goes by itself with an account.
create trigger user_ratings_record_act
  after delete on public.user_ratings
  for each row when (old.rater_id is distinct from auth.uid() and pg_trigger_depth() = 0)
  execute function private.record_act('rated_user_id');

-- What was deleted here is somebody's letter with an address; that it was deleted is all that stays.
create trigger contact_messages_record_act
  after delete on public.contact_messages
  for each row execute function private.record_act('id', 'name', 'email', 'subject', 'message', 'created_at');

create trigger item_value_checks_record_act
  after insert on public.item_value_checks
  for each row execute function private.record_act('id', 'item_id', 'checked_by', 'checked_at');
