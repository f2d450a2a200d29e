-- Optional public names under which editors sign their changes. Visitors see an editor without one only as a role.
-- The name is not the username, and only editors can see which account it belongs to (P150).
create table public.editor_names (
  -- Not the user's id: realtime subscribers receive the key of a deleted row.
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null unique default auth.uid() references public.profiles (id) on delete cascade,
  name text not null
    constraint editor_names_name_has_3_to_20_letters_digits_or_underscores check (name ~ '^[A-Za-z0-9_]{3,20}$')
);
comment on table public.editor_names is 'Optional public names of editors, shown beside their changes.';

create unique index editor_names_are_unique_regardless_of_case on public.editor_names (lower(name));

alter table public.editor_names enable row level security;
create policy "Users see their own public name; editors see all" on public.editor_names
  for select to authenticated
  using (
    (select private.is_editor()) or user_id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  );

create policy "Editors choose a public name of their own" on public.editor_names
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_editor()));

create policy "Editors change their own public name" on public.editor_names
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_editor()))
  with check (user_id = (select auth.uid()) and (select private.is_editor()));

create policy "Editors remove their own public name" on public.editor_names
  for delete to authenticated
  using (user_id = (select auth.uid()) and (select private.is_editor()));

grant select, delete, insert (user_id, name), update (name) on table public.editor_names to authenticated;

-- Subject to the rules for usernames, regardless of who writes it. It must not resemble anyone's username: told only of
-- those with a role, it would tell who they are.
create function private.check_editor_name() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      fault text;
    begin
      -- Before the policy, which is checked only afterwards.
      if (select auth.uid()) is not null and not private.is_editor() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only editors have a public name';
      end if;
      -- Malformed names are left to the check constraint.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        perform private.lock_lookalikes(new.name);
        fault := case
          when private.looks_like_editor_name(new.user_id, new.name)
            or exists (
              select from public.profiles
              where private.lookalike_key(username) = private.lookalike_key(new.name) and id <> new.user_id
            )
            then 'This name is taken'
          else replace(private.find_username_fault(new.name), 'username', 'name')
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, hint = 'name';
      end if;
      return new;
    end
  $$;
revoke execute on function private.check_editor_name() from public;

create trigger editor_names_check_name
  before insert or update of name on public.editor_names
  for each row execute function private.check_editor_name();

-- Deletes the name when its owner loses the role, since they could no longer remove it themselves.
create function private.forget_editor_name() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from public.editor_names where user_id = old.user_id and not exists (
        select from public.user_roles where user_roles.user_id = old.user_id and role in ('admin', 'editor')
      );
      return null;
    end
  $$;
revoke execute on function private.forget_editor_name() from public;

create trigger user_roles_forget_editor_name
  after delete or update on public.user_roles
  for each row execute function private.forget_editor_name();
