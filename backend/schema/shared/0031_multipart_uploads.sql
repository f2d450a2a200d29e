-- Multipart uploads over the S3 protocol (the tables are in 0029). Each part's `version` names the file that holds
-- it.
create index if not exists s3_multipart_uploads_parts_of_upload
  on storage.s3_multipart_uploads_parts (upload_id, part_number);
create index if not exists s3_multipart_uploads_parts_version on storage.s3_multipart_uploads_parts (version);

alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
grant all on table storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;
grant select on table storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
