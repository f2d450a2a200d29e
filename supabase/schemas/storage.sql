-- Who may do what with the files of items, and what keeps files and the rows that show them together; pictures of people
-- are in avatars.sql.
-- rows.sql makes the buckets.

-- A picture that no item shows any more goes with the item, or when another takes its place; it stays for as long as an
-- item of the archive may come back with it. The row is what makes a file readable; the file itself is taken away by the
-- storage service. Items may share a picture: the last one counts.
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
      -- A hosted project asks for this before it lets SQL remove the row of a file.
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

create policy "Half a sign-in adds nothing" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

create policy "Half a sign-in changes nothing" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.owes_second_factor()));

create policy "Half a sign-in removes nothing" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.owes_second_factor()));

create policy "Bystanders add nothing" on storage.objects
  as restrictive for insert to authenticated
  with check (not (select private.is_bystander()));

create policy "Bystanders change nothing" on storage.objects
  as restrictive for update to authenticated
  using (not (select private.is_bystander()));

create policy "Bystanders remove nothing" on storage.objects
  as restrictive for delete to authenticated
  using (not (select private.is_bystander()));
