-- Policies for the files of items, and triggers that keep the files consistent with the rows that show them. Profile
-- pictures are in avatars.sql. rows.sql creates the buckets.

-- The file in the bucket item-images that a URL shows, however the URL is spelled; null for other pictures.
create function private.item_image_file(image_url text) returns text
  language sql immutable strict
  set search_path = ''
  return substring(image_url from '/storage/v1/(?:object|render/image)/public/item-images/([^?#]+)');

create index items_image_file_idx on public.items using hash (private.item_image_file(image_url));
create index archived_items_image_file_idx on public.archived_items
  using hash (private.item_image_file(image_url));

-- Withdraws an unused picture along with its item, or when another replaces it. While an archived item may be restored
-- with it, it is in a private bucket; otherwise it is deleted: without its row the file is unreadable, and the storage
-- service deletes it. Items may share a picture, which goes with the last of them.
create function private.remove_item_image() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := private.item_image_file(old.image_url);
    begin
      if file is null or exists (select from public.items where private.item_image_file(image_url) = file) then
        return null;
      end if;
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      if exists (select from public.archived_items where private.item_image_file(image_url) = file) then
        -- A file that took the name of an archived one was shown for both.
        delete from storage.objects where bucket_id = 'archived-images' and name = file
          and exists (select from storage.objects where bucket_id = 'item-images' and name = file);
        update storage.objects set bucket_id = 'archived-images' where bucket_id = 'item-images' and name = file;
      else
        delete from storage.objects where bucket_id in ('item-images', 'archived-images') and name = file;
      end if;
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

-- A picture that an item shows again, such as a restored one, is public again.
create function private.return_item_image() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      file constant text := private.item_image_file(new.image_url);
    begin
      update storage.objects set bucket_id = 'item-images' where bucket_id = 'archived-images' and name = file
        and not exists (select from storage.objects where bucket_id = 'item-images' and name = file);
      return null;
    end
  $$;

create trigger items_return_image
  after insert or update of image_url on public.items
  for each row when (new.image_url is not null)
  execute function private.return_item_image();

create policy "Admins see images of archived items" on storage.objects
  for select to authenticated
  using (bucket_id = 'archived-images' and (select private.is_admin()));

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
