import { type Actor, asService, ownerOf, runAs } from "../database/run-as.ts";
import { alreadyExists, noSuchBucket, StorageError } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { findBucket } from "./bucket-row.ts";
import { uuidOrNull } from "./save-object.ts";

export type NewBucket = {
  id: string;
  name: string;
  isPublic: boolean;
  /** Maximum object size in bytes. */
  limit: number | null;
  types: readonly string[] | null;
};

const INSERT = `insert into storage.buckets
    (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
  values ($1, $2, $3::boolean, $4::bigint, (select array_agg(value) from jsonb_array_elements_text($5::jsonb)),
    $6::uuid, $7)`;

/** Creates a bucket as the actor. @throws StorageError 403, 409 */
export async function makeBucket(
  { database }: StorageService,
  actor: Actor,
  { id, name, isPublic, limit, types }: NewBucket,
): Promise<void> {
  const owner = ownerOf(actor.identity);
  const values = [
    id,
    name,
    String(isPublic),
    limit === null ? null : String(limit),
    types === null || types.length === 0 ? null : JSON.stringify(types),
    uuidOrNull(owner),
    owner,
  ];
  await runAs(database, actor, { text: INSERT, values }).catch((cause: unknown) => {
    const isTaken = cause instanceof StorageError && cause.statusCode === 409;
    throw isTaken ? alreadyExists("BucketAlreadyExists") : cause;
  });
}

/** Removes a bucket as the actor, if it contains no objects of anyone. @throws StorageError 404, 409 */
export async function removeBucket(service: StorageService, actor: Actor, id: string): Promise<void> {
  await findBucket(service, actor, id);
  if (await isHolding(service, actor, id)) throw notEmpty();
  const text = "delete from storage.buckets where id = $1 returning id";
  const removed = await runAs(service.database, actor, { text, values: [id] }).catch((cause: unknown) => {
    // An object was added in between, or a multipart upload is in progress: its row references the bucket.
    throw cause instanceof StorageError && cause.statusCode === 404 ? notEmpty() : cause;
  });
  // A bucket that the actor may see but not remove: as upstream, which finds none to remove.
  if (removed.length === 0) throw noSuchBucket();
}

/** Whether a bucket contains objects of anyone. */
export async function isHolding({ database }: StorageService, actor: Actor, id: string): Promise<boolean> {
  const text = "select from storage.objects where bucket_id = $1 limit 1";
  return (await runAs(database, asService(actor), { text, values: [id] })).length > 0;
}

function notEmpty(): StorageError {
  return new StorageError(409, "ResourceNotEmpty", "The bucket you tried to delete is not empty");
}
