-- Lists of a bucket's objects by time, page after page.
create index if not exists objects_by_created on storage.objects
  (bucket_id, (coalesce(created_at, '-infinity'::timestamptz)), name collate "C");
create index if not exists objects_by_updated on storage.objects
  (bucket_id, (coalesce(updated_at, '-infinity'::timestamptz)), name collate "C");
