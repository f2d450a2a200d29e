-- Policies for the files of items, and triggers that keep the files consistent with the rows that show them. Profile
-- pictures are in avatars.sql. rows.sql creates the buckets.

-- Deletes an unused picture along with its item, or when another replaces it, but keeps it while an archived item may
-- be restored with it. Deleting the row makes the file unreadable; the storage service deletes the file itself. Items
-- may share a picture, which is deleted with the last of them.
create function private.remove_item_image() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := substring(old.image_url from '/storage/v1/object/public/item-images/([^?#]+)$');
    begin
      if file is null
        or exists (select from public.items where image_url = old.image_url)
        or exists (select from public.archived_items where image_url = old.image_url) then
        return null;
      end if;
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
  $$;

create trigger items_remove_deleted_image
  after delete on public.items
  for each row when (old.image_url is not null)
  execute function private.remove_item_image();

create trigger items_remove_replaced_image
  after update of image_url on public.items
  for each row when (old.image_url is not null and old.image_url is distinct from new.image_url)
  execute function private.remove_item_image();

create trigger archived_items_remove_image
  after delete on public.archived_items
  for each row when (old.image_url is not null)
  execute function private.remove_item_image();

create policy "Admins see item images" on storage.objects
  for select to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins add item images" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins replace item images" on storage.objects
  for update to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()))
  with check (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Admins remove item images" on storage.objects
  for delete to authenticated
  using (bucket_id = 'item-images' and (select private.is_admin()));

create policy "Sessions without the second factor cannot insert" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot update" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Sessions without the second factor cannot delete" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot insert" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot update" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.is_anonymous_or_application()));

create policy "Anonymous accounts and applications cannot delete" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.is_anonymous_or_application()));
