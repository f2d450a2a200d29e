-- For lists of one folder's objects by the time of their last access, as 0032 has for the other times.

create index if not exists objects_by_folder_and_accessed on storage.objects (
  bucket_id,
  (case when path_tokens[2] is not null then path_tokens[1] end) collate "C",
  (case when path_tokens[3] is not null then path_tokens[2] end) collate "C",
  (case when path_tokens[4] is not null then path_tokens[3] end) collate "C",
  (case when path_tokens[5] is not null then path_tokens[4] end) collate "C",
  (case when last_accessed_at is null then '-infinity' else last_accessed_at end),
  name collate "C"
);
