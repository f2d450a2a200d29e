-- For lists of objects by time: those of a whole bucket, and those of one folder. Each expression is one that PostgreSQL
-- also looks up for callers with policies. A function call is not: with `coalesce`, later pages read all earlier ones.

drop index if exists storage.objects_by_created, storage.objects_by_updated;

create index if not exists objects_by_created_at on storage.objects
  (bucket_id, (case when created_at is null then '-infinity' else created_at end), name collate "C");
create index if not exists objects_by_updated_at on storage.objects
  (bucket_id, (case when updated_at is null then '-infinity' else updated_at end), name collate "C");

-- The folders of a name from the outermost, null beyond its last one, so that a folder's own files come together, by
-- time, and a level's folders can be stepped through without the files between them.
create index if not exists objects_by_folder_and_created on storage.objects (
  bucket_id,
  (case when path_tokens[2] is not null then path_tokens[1] end) collate "C",
  (case when path_tokens[3] is not null then path_tokens[2] end) collate "C",
  (case when path_tokens[4] is not null then path_tokens[3] end) collate "C",
  (case when path_tokens[5] is not null then path_tokens[4] end) collate "C",
  (case when created_at is null then '-infinity' else created_at end),
  name collate "C"
);
create index if not exists objects_by_folder_and_updated on storage.objects (
  bucket_id,
  (case when path_tokens[2] is not null then path_tokens[1] end) collate "C",
  (case when path_tokens[3] is not null then path_tokens[2] end) collate "C",
  (case when path_tokens[4] is not null then path_tokens[3] end) collate "C",
  (case when path_tokens[5] is not null then path_tokens[4] end) collate "C",
  (case when updated_at is null then '-infinity' else updated_at end),
  name collate "C"
);
