import { randomUUID } from "node:crypto";
import { ownerOf } from "../database/run-as.ts";
import { diskFull } from "../files/disk-full.ts";
import { isRefusal } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { requireFit } from "./fits-bucket.ts";
import type { FileMetadata, ObjectRow } from "./object-row.ts";
import { saveObject, tryObject } from "./save-object.ts";
import type { Upload } from "./store-object.ts";

/** Metadata of the copy. */
type Description = { metadata: FileMetadata; userMetadata: Record<string, unknown> | null };

/** Copies the bytes under another name, owned by the actor. @throws StorageError */
export async function copyObject(
  service: StorageService,
  source: ObjectRow,
  place: Upload,
  { metadata, userMetadata }: Description,
) {
  const { actor, bucket, name, mode, replaces } = place;
  await requireFit(service, place, source, metadata.mimetype);
  const row = {
    id: randomUUID(),
    bucket: bucket.id,
    name,
    owner: ownerOf(actor.identity),
    version: randomUUID(),
    metadata,
    userMetadata,
    replaces,
  };
  await tryObject(service, actor, row, mode);
  await service.store.copy(source.version, row.version).catch((cause) => {
    throw diskFull(cause);
  });
  try {
    const saved = await saveObject(service, actor, row, mode);
    if (saved.replaced) service.discard([saved.replaced]);
    return { ...row, id: saved.id };
  } catch (cause) {
    if (isRefusal(cause)) await service.store.remove([row.version]);
    throw cause;
  }
}
