-- Game updates that unsettle values: an admin enters the update's name, the items that it touched and until when
-- their values count as unsettled. Until then their ranges are twice as wide and their confidence is low
-- (value-ranges.sql).
create table public.game_updates (
  id uuid not null primary key default gen_random_uuid(),
  name text not null
    constraint game_updates_name_has_1_to_60_characters
    check (char_length(name) <= 60 and private.trim_text(name) <> ''),
  happened_at timestamptz not null default now(),
  volatile_until timestamptz not null default now() + interval '7 days',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint game_updates_happened_in_this_century
    check (happened_at between '2000-01-01 00:00:00+00' and '2100-01-01 00:00:00+00'),
  constraint game_updates_end_after_they_happened check (volatile_until >= happened_at),
  constraint game_updates_last_at_most_90_days check (volatile_until <= happened_at + interval '90 days')
);
comment on table public.game_updates is 'Game updates, and until when the values of the affected items are unsettled.';

create index game_updates_volatile_until_idx on public.game_updates (volatile_until desc);

create table public.game_update_items (
  update_id uuid not null references public.game_updates (id) on delete cascade,
  item_id uuid not null references public.items (id) on delete cascade,
  primary key (update_id, item_id)
);
comment on table public.game_update_items is 'Items that a game update affects.';

create index game_update_items_item_id_idx on public.game_update_items (item_id);

alter table public.game_updates enable row level security;
create policy "Everybody sees game updates" on public.game_updates
  for select to anon, authenticated
  using (true);

create policy "Admins add game updates" on public.game_updates
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change game updates" on public.game_updates
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete game updates" on public.game_updates
  for delete to authenticated
  using ((select private.is_admin()));

alter table public.game_update_items enable row level security;
create policy "Everybody sees the items of game updates" on public.game_update_items
  for select to anon, authenticated
  using (true);

create policy "Admins add items to game updates" on public.game_update_items
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins remove items from game updates" on public.game_update_items
  for delete to authenticated
  using ((select private.is_admin()));

grant select on table public.game_updates, public.game_update_items to anon, authenticated;
grant insert (id, name, happened_at, volatile_until) on table public.game_updates to authenticated;
grant update (name, happened_at, volatile_until) on table public.game_updates to authenticated;
grant insert (update_id, item_id) on table public.game_update_items to authenticated;
grant delete on table public.game_updates, public.game_update_items to authenticated;

create trigger game_updates_stamp_update
  before insert or update on public.game_updates
  for each row execute function private.stamp_update();

-- An item may be restored from the archive after an update that touched it was deleted.
create function private.skip_deleted_updates() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if exists (select from public.archived_items where id = new.item_id)
        and not exists (select from public.game_updates where id = new.update_id) then
        return null;
      end if;
      return new;
    end
  $$;
revoke execute on function private.skip_deleted_updates() from public;

create trigger game_update_items_skip_deleted_updates
  before insert on public.game_update_items
  for each row execute function private.skip_deleted_updates();

-- Saves an update with its items in one transaction. `was` is the `updated_at` of the version that was edited: a newer
-- one is not overwritten. An edit keeps the dates that are not given. Without `was` the update is new: it happened now
-- if it has no date, needs an end, and may be given its id. Saving what is stored already does nothing, so that an
-- attempt whose answer was lost can be repeated.
create function public.mark_game_update(
  name text, items uuid[], volatile_until timestamptz default null, happened_at timestamptz default null, id uuid default null,
  was timestamptz default null
) returns uuid
  language plpgsql
  set search_path = ''
  as $$
    declare
      marked uuid := coalesce(mark_game_update.id, gen_random_uuid());
      stored public.game_updates;
    begin
      if row_security_active('public.game_updates') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins mark game updates';
      end if;
      if coalesce(cardinality(items), 0) not between 1 and 1000 then
        raise exception using
          errcode = 'check_violation', message = 'Choose what the update touched: 1 to 1000 items';
      end if;
      if was is null then
        insert into public.game_updates (id, name, happened_at, volatile_until)
          values (marked, mark_game_update.name, coalesce(mark_game_update.happened_at, now()), mark_game_update.volatile_until)
          on conflict do nothing;
      end if;
      if was is not null or not found then
        select * into stored from public.game_updates where game_updates.id = marked for update;
        if stored.id is null then
          raise exception using errcode = 'PT404', message = 'This update is gone: somebody deleted it';
        end if;
        if (stored.name, stored.volatile_until, stored.happened_at) = (
          mark_game_update.name,
          coalesce(mark_game_update.volatile_until, stored.volatile_until),
          coalesce(mark_game_update.happened_at, stored.happened_at)
        ) and array(select item_id from public.game_update_items where update_id = marked order by item_id)
          = array(select distinct touched from unnest(mark_game_update.items) as touched order by touched)
        then
          return marked;
        end if;
        if was is distinct from stored.updated_at then
          raise exception using
            errcode = 'PT409',
            message = case
              when was is null then 'This update is marked already: edit it in the list'
              else 'This update was changed by somebody else in the meantime'
            end;
        end if;
        update public.game_updates set
            name = mark_game_update.name,
            volatile_until = coalesce(mark_game_update.volatile_until, game_updates.volatile_until),
            happened_at = coalesce(mark_game_update.happened_at, game_updates.happened_at)
          where game_updates.id = marked;
        delete from public.game_update_items where update_id = marked and item_id <> all (mark_game_update.items);
      end if;
      insert into public.game_update_items (update_id, item_id)
        select distinct marked, touched from unnest(mark_game_update.items) as touched
        on conflict do nothing;
      return marked;
    end
  $$;
revoke all on function public.mark_game_update(text, uuid[], timestamptz, timestamptz, uuid, timestamptz)
  from public, anon;
grant execute on function public.mark_game_update(text, uuid[], timestamptz, timestamptz, uuid, timestamptz)
  to authenticated, service_role;

create trigger game_updates_record_act
  after insert or update or delete on public.game_updates
  for each row execute function private.record_act('created_at', 'updated_at');

-- Items that leave with their update, or with themselves, are part of that entry.
create trigger game_update_items_record_act
  after insert or delete on public.game_update_items
  for each row when (pg_trigger_depth() = 0)
  execute function private.record_act();
