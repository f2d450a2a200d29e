import { randomUUID } from "node:crypto";
import { isoTime } from "../database/iso-time.ts";
import { type Actor, asService, ownerOf, runAs, runEachAs } from "../database/run-as.ts";
import type { Described } from "../requests/upload-body.ts";
import { StorageError, tooLarge, tooManyUploads } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import type { Checksum } from "./object-row.ts";

/** A multipart upload; parts may be sent in any order and more than once. */
export type PartUpload = {
  id: string;
  owner: string | null;
  body: Described;
  /** The checksum type, if the client chose one. */
  sums: SumKind | null;
};

/** The checksum of a multipart upload: of the full object, or of the parts' checksums. */
export type SumKind = Pick<Checksum, "algorithm" | "type">;

export type Part = { number: number; size: number; etag: string; version: string; createdAt: string | null };

type Place = { bucket: string; key: string };

/** SQL: a server started the upload; visitors have no owner either, and have neither its parts nor its quota. */
const BY_SERVER = "coalesce((metadata ->> 'server')::boolean, false)";

/**
 * SQL: takes turns with everything else that counts against the same limits. A step of its own, since a statement does
 * not see what is committed while it waits.
 */
const takeTurns = (whose: string) =>
  `pg_advisory_xact_lock(hashtextextended('multipart uploads of ' || ${whose}, 0))`;

const LOCK_NEW = `select ${takeTurns("$1")}`;

/** Also keeps the upload from ending meanwhile. */
const LOCK_UPLOAD = `select ${takeTurns(`case when ${BY_SERVER} then id else coalesce(owner_id, '') end`)}
  from storage.s3_multipart_uploads where id = $1 for update`;

/** Starts an upload; the caller has already been authorized. @throws StorageError 429 */
export async function beginUpload(
  { database, config }: StorageService,
  actor: Actor,
  { bucket, key }: Place,
  { body: { userMetadata, ...body }, sums }: Pick<PartUpload, "body" | "sums">,
): Promise<string> {
  const id = randomUUID();
  const owner = ownerOf(actor.identity);
  const text = `insert into storage.s3_multipart_uploads
      (id, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
    select $1, '', $2, $3, $1, $4, $5::jsonb, $6::jsonb
    where $7::boolean or $8::bigint > (
      select count(*) from storage.s3_multipart_uploads
      where owner_id is not distinct from $4 and not ${BY_SERVER}
    ) returning id`;
  const server = isServer(actor);
  const values = [id, bucket, key, owner, jsonOf(userMetadata), JSON.stringify({ ...body, sums, server })];
  const limits = [String(server), String(config.resumablePerPerson)];
  const [, rows = []] = await runEachAs(database, asService(actor), [
    { text: LOCK_NEW, values: [server ? id : (owner ?? "")] },
    { text, values: [...values, ...limits] },
  ]);
  if (rows.length > 0) return id;
  throw tooManyUploads();
}

/** The upload, if the actor started it or is a server. @throws StorageError 404 */
export async function findUpload(
  { database }: StorageService,
  actor: Actor,
  id: string,
  { bucket, key }: Place,
): Promise<PartUpload> {
  const text = `select id, owner_id, user_metadata, metadata from storage.s3_multipart_uploads
    where id = $1 and bucket_id = $2 and key = $3`;
  const [row] = await runAs(database, asService(actor), { text, values: [id, bucket, key] });
  const owner = row?.owner_id ?? null;
  const { sums = null, server = false, ...described } = JSON.parse(row?.metadata ?? "{}");
  const isOwn = !server && owner === ownerOf(actor.identity);
  if (!row || !(isServer(actor) || isOwn)) throw noSuchUpload();
  const userMetadata = row.user_metadata ? JSON.parse(row.user_metadata) : null;
  const otherwise = { mimetype: "application/octet-stream", cacheControl: "no-cache" };
  return { id, owner, body: { ...otherwise, ...described, userMetadata }, sums };
}

const NOTE = `with upload as (
    select id, bucket_id, key, owner_id from storage.s3_multipart_uploads where id = $1
  ), others as (
    select coalesce(sum(size) filter (where upload_id = $1 and part_number <> $2::integer), 0) as here,
      coalesce(sum(size) filter (where upload_id <> $1 or part_number <> $2::integer), 0) as everywhere
    from storage.s3_multipart_uploads_parts
    where upload_id in (
      select id from storage.s3_multipart_uploads
      where id = $1 or (not $7::boolean and owner_id is not distinct from (select owner_id from upload) and not ${BY_SERVER})
    )
  ), room as (
    select from others
    where here + $3::bigint <= $6::bigint and ($7::boolean or everywhere + $3::bigint <= $8::bigint)
  ), replaced as (
    delete from storage.s3_multipart_uploads_parts
    where upload_id = $1 and part_number = $2::integer and exists (select from room) returning version
  )
  insert into storage.s3_multipart_uploads_parts
    (upload_id, part_number, size, etag, version, bucket_id, key, owner_id)
  select upload.id, $2::integer, $3::bigint, $4, $5, bucket_id, key, owner_id from upload, room
  returning (select string_agg(version, ' ') from replaced) as replaced, created_at`;

/** Records a stored part, replacing an earlier one of the same number. @throws StorageError 404, 413 */
export async function recordPart(
  service: StorageService,
  actor: Actor,
  upload: PartUpload,
  part: Omit<Part, "createdAt">,
  limit: number,
): Promise<{ createdAt: string | null }> {
  const { database, config } = service;
  const share = Math.max(config.resumableBytesPerPerson, config.fileSizeLimit);
  const values = [upload.id, String(part.number), String(part.size), part.etag, part.version];
  const limits = [String(limit), String(isServer(actor)), String(share)];
  const [uploads, [row] = []] = await runEachAs(database, asService(actor), [
    { text: LOCK_UPLOAD, values: [upload.id] },
    { text: NOTE, values: [...values, ...limits] },
  ]);
  if (uploads?.length === 0) throw noSuchUpload();
  if (!row) throw tooLarge();
  if (row.replaced) service.discard(row.replaced.split(" "));
  return { createdAt: isoTime(row.created_at) };
}

/** The upload's parts after number `after`, in order. */
export async function findParts(
  { database }: StorageService,
  actor: Actor,
  { id }: PartUpload,
  { after = 0, limit = MOST_PARTS } = {},
): Promise<Part[]> {
  const text = `select part_number, size, etag, version, created_at from storage.s3_multipart_uploads_parts
    where upload_id = $1 and part_number > $2::integer order by part_number limit $3::integer`;
  const rows = await runAs(database, asService(actor), { text, values: [id, String(after), String(limit)] });
  return rows.map((row) => ({
    number: Number(row.part_number),
    size: Number(row.size),
    etag: row.etag as string,
    version: row.version as string,
    createdAt: isoTime(row.created_at),
  }));
}

export const MOST_PARTS = 10_000;

/** Deletes an upload and its parts. */
export async function endUpload(service: StorageService, actor: Actor, upload: PartUpload): Promise<void> {
  const versions = (await findParts(service, actor, upload)).map(({ version }) => version);
  const text = "delete from storage.s3_multipart_uploads where id = $1";
  await runAs(service.database, asService(actor), { text, values: [upload.id] });
  service.discard(versions);
}

export type UploadEntry = { id: string; key: string; createdAt: string | null };

/** Uploads in progress under a prefix, by key, then id; servers see all, users their own. */
export async function listUploads(
  { database }: StorageService,
  actor: Actor,
  {
    bucket,
    prefix,
    after,
    limit,
  }: { bucket: string; prefix: string; after: [string, string]; limit: number },
): Promise<UploadEntry[]> {
  const text = `select id, key, created_at from storage.s3_multipart_uploads
    where bucket_id = $1 and starts_with(key, $2) and (key, id) > ($3, $4)
      and ($5::boolean or owner_id = $6) order by key, id limit $7::integer`;
  const own = [String(isServer(actor)), ownerOf(actor.identity)];
  const values = [bucket, prefix, ...after, ...own, String(limit)];
  const rows = await runAs(database, asService(actor), { text, values });
  return rows.map((row) => ({
    id: row.id as string,
    key: row.key as string,
    createdAt: isoTime(row.created_at),
  }));
}

/** Deletes uploads not completed within this many seconds; returns the versions of their parts. */
export async function forgetOldUploads({ database }: StorageService, seconds: number): Promise<string[]> {
  const text = `with old as (
      select id from storage.s3_multipart_uploads where created_at < now() - make_interval(secs => $1::float8)
    ), parts as (
      select version from storage.s3_multipart_uploads_parts where upload_id in (select id from old)
    ), gone as (
      delete from storage.s3_multipart_uploads where id in (select id from old)
    )
    select version from parts`;
  const rows = await runAs(database, asService(), { text, values: [String(seconds)] });
  return rows.map(({ version }) => version as string);
}

function isServer({ identity }: Actor): boolean {
  return identity.role === "service_role";
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function noSuchUpload(): StorageError {
  const message = "The specified upload does not exist. It may have been aborted or completed.";
  return new StorageError(404, "NoSuchUpload", message);
}
