-- An act keeps what the thing was called, so that the list can be read when the thing is renamed or gone, and for edits
-- that did not touch the name.

alter table public.admin_acts add column title text;
comment on column public.admin_acts.title is 'What the row was called; null for what is about a person.';

create or replace function private.record_act() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      unkept constant text[] := coalesce(tg_argv, '{}');
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unkept end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unkept end;
      known constant jsonb := coalesce(before, after);
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
        coalesce(known ->> 'id', known ->> 'user_id')::uuid,
        coalesce(known ->> 'reported_user_id', known ->> 'user_id')::uuid,
        coalesce(known ->> 'label', known ->> 'name', known ->> 'page_name', known ->> 'placement'),
        before, after
      );
      return null;
    end
  $$;
