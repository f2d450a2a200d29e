SET local check_function_bodies = off;

DROP INDEX "public"."archived_items_image_url_idx";

CREATE OR REPLACE FUNCTION private.item_image_file (
  image_url text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  STRICT
  SET search_path TO ''
RETURN "substring"(image_url, '/storage/v1/(?:object|render/image)/public/item-images/([^?#]+)'::text);

CREATE OR REPLACE FUNCTION private.remove_item_image()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      file constant text := private.item_image_file(old.image_url);
    begin
      if file is null
        or exists (select from public.items where private.item_image_file(image_url) = file)
        or exists (select from public.archived_items where private.item_image_file(image_url) = file) then
        return null;
      end if;
      -- Hosted projects refuse to delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'item-images' and name = file;
      return null;
    end
  $function$;

CREATE INDEX archived_items_image_file_idx ON public.archived_items USING hash (private.item_image_file(image_url));

CREATE INDEX items_image_file_idx ON public.items USING hash (private.item_image_file(image_url));
