import { splitAddress } from "#backend/http/split-address.ts";
import type { Actor } from "../../database/run-as.ts";
import { isWhole, type Upload } from "../../files/upload-store.ts";
import { placeUpload, requireRight, requireRoom, sizeLimit } from "../../objects/store-object.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { invalidRequest, isFinal, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { type Found, findCreator, findUpload, noSuchUpload, withUploadLock } from "./find-upload.ts";
import { joined, storeJoined } from "./join-parts.ts";
import { receiveChunk, setDeferredLength } from "./receive-chunk.ts";
import {
  CHECKSUMS,
  CHUNK_TYPE,
  EXTENSIONS,
  progress,
  readConcat,
  readCount,
  readDescription,
  requireVersion,
  TUS_HEADERS,
} from "./tus.ts";

/** OPTIONS /upload/resumable: the supported parts of the tus protocol. */
export async function describeProtocol(_call: Call, { config }: StorageService): Promise<Reply> {
  const limit = String(config.fileSizeLimit);
  const sums = { "tus-checksum-algorithm": CHECKSUMS.join(",") };
  const headers = { "tus-version": "1.0.0", "tus-extension": EXTENSIONS, "tus-max-size": limit, ...sums };
  return { status: 204, headers: { ...TUS_HEADERS, ...headers } };
}

/** POST /upload/resumable and /upload/resumable/sign: creates an upload, and may contain its first bytes. */
export async function createUpload(call: Call, service: StorageService): Promise<Reply> {
  const { headers } = call.request;
  requireVersion(headers);
  const concat = readConcat(headers);
  const described = readDescription(headers["upload-metadata"]);
  const { actor, owner, signed, upsert } = await findCreator(call, service, described);
  const placed = await placeUpload(service, actor, { ...described, upsert, owner });
  const deferred = concat === null && headers["upload-defer-length"] === "1";
  const parts = Array.isArray(concat) ? await findFinished(call, service, concat) : null;
  const announced = {
    ...described,
    length:
      parts?.length ?? (deferred ? sizeLimit(service, placed.bucket) : readCount(headers, "upload-length")),
    ...(deferred && { deferred }),
    ...(concat && { concat: headers["upload-concat"] as string }),
    signed,
    upsert,
    owner,
    role: actor.identity.role,
    expiresAt: Date.now() + service.config.resumableLifetime * 1000,
  };
  requireRoom(service, placed, { mimetype: described.mimetype, size: announced.length });
  await requireRight(service, placed, { ...described, size: deferred ? null : announced.length });
  const upload = parts ? joined(announced) : await service.uploads.create(announced);
  if (parts) await storeJoined(service, placed, upload, parts.uploads);
  else await begin(call, service, { upload, actor });
  const location = `${splitAddress(call.request.url).path.replace(/\/$/, "")}/${upload.id}`;
  return { status: 201, headers: { ...progress(upload), location } };
}

/** Receives the first bytes. The client learns of the upload by the response, so nobody could continue a failed one. */
async function begin(call: Call, service: StorageService, { upload, actor }: Found): Promise<void> {
  try {
    if (call.request.headers["content-type"] === CHUNK_TYPE) await receiveChunk(call, service, upload);
    if (isWhole(upload)) await finish(service, actor, upload);
  } catch (cause) {
    await service.uploads.remove(upload.id);
    throw cause;
  }
}

/** The parts of a concatenation, all of which must be finished. @throws StorageError 400, 404 */
async function findFinished(call: Call, service: StorageService, ids: string[]) {
  const uploads: Upload[] = [];
  for (const id of ids) {
    const { upload } = await findUpload({ ...call, params: { id } }, service);
    if (upload.concat !== "partial" || upload.deferred || upload.offset !== upload.length) {
      throw invalidRequest("Only partial uploads that are finished can be put together");
    }
    uploads.push(upload);
  }
  return { uploads, length: uploads.reduce((sum, { length }) => sum + length, 0) };
}

/** HEAD /upload/resumable/{id}: the upload's progress. */
export async function describeUpload(call: Call, service: StorageService): Promise<Reply> {
  requireVersion(call.request.headers);
  const { upload } = await withUploadLock(call, service, null, async (found) => found);
  const [name, text] = upload.deferred ? ["upload-defer-length", "1"] : ["upload-length", upload.length];
  const metadata = upload.described && { "upload-metadata": upload.described };
  return { status: 200, headers: { ...progress(upload), ...metadata, [name]: String(text) } };
}

/** PATCH /upload/resumable/{id}: the next bytes. The last ones create the object. */
export async function continueUpload(call: Call, service: StorageService): Promise<Reply> {
  const { headers } = call.request;
  requireVersion(headers);
  if (headers["content-type"] !== CHUNK_TYPE) {
    throw new StorageError(415, "TusError", `Content-Type: ${CHUNK_TYPE} is required`);
  }
  const offset = readCount(headers, "upload-offset");
  return withUploadLock(call, service, call.request.stream ?? null, async ({ upload, actor }) => {
    if (upload.isStored && upload.concat)
      throw new StorageError(403, "TusError", "It was put together of parts");
    if (upload.offset !== offset) throw new StorageError(409, "TusError", "Upload-Offset conflict");
    // A repeated request means that the response to the last PATCH was lost.
    if (!upload.isStored) {
      await setDeferredLength(call, service, upload);
      await receiveChunk(call, service, upload);
      if (isWhole(upload)) await finish(service, actor, upload);
    }
    return { status: 204, headers: progress(upload) };
  });
}

/** DELETE /upload/resumable/{id} */
export async function terminateUpload(call: Call, service: StorageService): Promise<Reply> {
  requireVersion(call.request.headers);
  return withUploadLock(call, service, null, async ({ upload }) => {
    if (upload.isStored) throw noSuchUpload();
    await service.uploads.remove(upload.id);
    return { status: 204, headers: TUS_HEADERS };
  });
}

/** POST /upload/resumable/{id}: for clients that can send no other method, and name theirs in a header. */
export async function obeyOverride(call: Call, service: StorageService): Promise<Reply> {
  const method = call.request.headers["x-http-method-override"]?.toUpperCase();
  if (method === "PATCH") return continueUpload(call, service);
  if (method === "DELETE") return terminateUpload(call, service);
  throw new StorageError(405, "TusError", "X-HTTP-Method-Override must be PATCH or DELETE");
}

/** Makes an object of the upload, which can be continued unless the object is refused for good. */
async function finish(service: StorageService, actor: Actor, upload: Upload): Promise<void> {
  try {
    await storeJoined(service, await placeUpload(service, actor, upload), upload, [upload]);
  } catch (cause) {
    if (isFinal(cause)) await service.uploads.remove(upload.id);
    throw cause;
  }
}
