-- Items of the starting catalogue that nobody edited yet are as old as what is known of them, and not as the import.

alter table public.items disable trigger items_follow_item;

update public.items
  set updated_at = coalesce(readings.last, values_checked_at)
  from (
    select items.id, max(changed_at) filter (where changed_at < items.created_at) as last
    from public.items left join public.item_value_changes on item_id = items.id
    group by items.id
  ) as readings
  where readings.id = items.id
    and updated_at = created_at
    and coalesce(readings.last, values_checked_at) < created_at;

alter table public.items enable trigger items_follow_item;
