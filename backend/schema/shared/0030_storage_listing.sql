-- For paginated listings of a bucket's objects, sorted by time.
create index if not exists objects_by_created on storage.objects
  (bucket_id, (coalesce(created_at, '-infinity'::timestamptz)), name collate "C");
create index if not exists objects_by_updated on storage.objects
  (bucket_id, (coalesce(updated_at, '-infinity'::timestamptz)), name collate "C");
