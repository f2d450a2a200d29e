import type { Actor } from "../database/run-as.ts";
import { noSuchKey, tooLarge } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { requireAllowedType, requireHonestContent } from "./allowed-types.ts";
import type { Bucket } from "./bucket-row.ts";
import type { ObjectRow } from "./object-row.ts";
import { requireReencoded } from "./reencode-picture.ts";
import { sizeLimit } from "./store-object.ts";

/**
 * Checks that a bucket accepts a stored object as if it were uploaded there: otherwise its limits could be bypassed by
 * uploading to an unrestricted bucket and moving the object.
 * @throws StorageError 413, 415
 */
export async function requireFit(
  service: StorageService,
  actor: Actor,
  bucket: Bucket,
  object: ObjectRow,
  mimetype = object.metadata?.mimetype,
): Promise<void> {
  const { metadata } = object;
  if (!metadata || mimetype === undefined) throw noSuchKey();
  if (metadata.size > sizeLimit(service, bucket)) throw tooLarge();
  requireAllowedType(bucket, mimetype);
  requireReencoded(service, object.bucket_id, bucket);
  const wasJudged = bucket.id === object.bucket_id && mimetype === metadata.mimetype;
  if (wasJudged || !bucket.allowed_mime_types?.length) return;
  const content = await service.store.read(object.version);
  const copy = await service.incoming.receive(content, metadata.size);
  try {
    await requireHonestContent(service, actor, bucket, mimetype, copy);
  } finally {
    await copy.discard();
  }
}
