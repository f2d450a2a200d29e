import type { Readable } from "node:stream";
import { type Actor, asService, ownerOf } from "../../database/run-as.ts";
import type { Upload } from "../../files/upload-store.ts";
import { isUpsert } from "../../objects/save-object.ts";
import type { Call } from "../../requests/call.ts";
import { verifyUploadUrl } from "../../requests/url-token.ts";
import { StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { isSigned } from "./tus.ts";

/** The actor and owner of a new upload. @throws StorageError */
export async function findCreator(
  call: Call,
  service: StorageService,
  { bucket, name }: { bucket: string; name: string },
) {
  const signed = isSigned(call.path);
  if (signed) {
    const token = call.request.headers["x-signature"];
    if (!token) throw new StorageError(400, "InvalidUploadSignature", "Missing x-signature header");
    const claims = await verifyUploadUrl(service, token, `${bucket}/${name}`);
    return { actor: asService(call), owner: claims.owner, signed, upsert: claims.upsert };
  }
  const actor = await call.actor();
  return { actor, owner: ownerOf(actor.identity), signed, upsert: isUpsert(call.request) };
}

export type Found = { upload: Upload; actor: Actor };

/**
 * Serializes requests of one upload. Finds the upload twice: first because only its creator may close the previous
 * connection, then for the current state once it is this request's turn.
 */
export async function withUploadLock<T>(
  call: Call,
  service: StorageService,
  body: Readable | null,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  const { upload } = await findUpload(call, service);
  return service.lockUpload(upload.id, body, async () => work(await findUpload(call, service)));
}

/** The upload, if the caller created it. @throws StorageError 404, 410 */
export async function findUpload(call: Call, service: StorageService): Promise<Found> {
  const upload = await service.uploads.find(call.params.id as string);
  if (!upload || upload.signed !== isSigned(call.path)) throw noSuchUpload();
  const { actor, owner } = await findCreator(call, service, upload);
  if (owner !== upload.owner || actor.identity.role !== upload.role) throw noSuchUpload();
  if (upload.expiresAt < Date.now()) throw new StorageError(410, "NoSuchUpload", "The upload has expired");
  return { upload, actor };
}

export function noSuchUpload(): StorageError {
  return new StorageError(404, "NoSuchUpload", "Upload not found");
}
