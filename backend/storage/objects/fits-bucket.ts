import type { Actor } from "../database/run-as.ts";
import { noSuchKey, tooLarge } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { isPlaceholder, requireAllowedType, requireHonestContent } from "./allowed-types.ts";
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
  place: { actor: Actor; bucket: Bucket; name: string },
  object: ObjectRow,
  mimetype = object.metadata?.mimetype,
): Promise<void> {
  const { metadata } = object;
  const { bucket, name } = place;
  if (!metadata || mimetype === undefined) throw noSuchKey();
  if (metadata.size > sizeLimit(service, bucket)) throw tooLarge();
  requireAllowedType(bucket, { name, mimetype, size: metadata.size });
  requireReencoded(service, object.bucket_id, bucket);
  const isSame = bucket.id === object.bucket_id && mimetype === metadata.mimetype;
  const wasJudged = isSame && !isPlaceholder({ name: object.name, size: metadata.size });
  if (wasJudged || !bucket.allowed_mime_types?.length) return;
  const content = await service.store.read(object.version);
  const copy = await service.incoming.copy(content, metadata.size);
  try {
    await requireHonestContent(service, place, mimetype, copy);
  } finally {
    await copy.discard();
  }
}
