import type { Readable } from "node:stream";
import { type Actor, asService, ownerOf } from "../../database/run-as.ts";
import type { Upload } from "../../files/upload-store.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import {
  type Upload as Placed,
  requireRight,
  requireRoom,
  storeArrived,
} from "../../objects/store-object.ts";
import { bodyOf } from "../../requests/body-of.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import { verifyUrl } from "../../requests/url-token.ts";
import { StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { createTurns } from "./turns.ts";
import {
  EXTENSIONS,
  PIECE_TYPE,
  progress,
  readCount,
  readDescription,
  requireVersion,
  TUS_HEADERS,
} from "./tus.ts";

const takeTurn = createTurns();

/** OPTIONS /upload/resumable: what of the protocol is spoken here. */
export async function describeProtocol(_call: Call, { config }: StorageService): Promise<Reply> {
  const limit = String(config.fileSizeLimit);
  const headers = { "tus-version": "1.0.0", "tus-extension": EXTENSIONS, "tus-max-size": limit };
  return { status: 204, headers: { ...TUS_HEADERS, ...headers } };
}

/** POST /upload/resumable and /upload/resumable/sign: announces an upload, and may bring its first piece. */
export async function createUpload(call: Call, service: StorageService): Promise<Reply> {
  const { headers } = call.request;
  requireVersion(headers);
  const length = readCount(headers, "upload-length");
  const described = readDescription(headers["upload-metadata"]);
  const { actor, owner, signed, upsert } = await findCreator(call, service, described);
  const announced = {
    ...described,
    length,
    signed,
    upsert,
    owner,
    role: actor.identity.role,
    expiresAt: Date.now() + service.config.resumableLifetime * 1000,
  };
  const placed = await place(service, actor, announced);
  requireRoom(service, placed, { mimetype: described.mimetype, size: length });
  await requireRight(service, placed);
  const upload = await service.uploads.create(announced);
  if (headers["content-type"] === PIECE_TYPE) await append(call, service, upload);
  if (upload.offset === length) await finish(service, actor, upload);
  const location = `${call.request.url.split("?", 1)[0]?.replace(/\/$/, "")}/${upload.id}`;
  return { status: 201, headers: { ...progress(upload), location } };
}

/** HEAD /upload/resumable/{id}: how far it is. */
export async function describeUpload(call: Call, service: StorageService): Promise<Reply> {
  requireVersion(call.request.headers);
  const { upload } = await inTurn(call, service, null, async (found) => found);
  return { status: 200, headers: { ...progress(upload), "upload-length": String(upload.length) } };
}

/** PATCH /upload/resumable/{id}: the next piece. With the last one the object is there. */
export async function continueUpload(call: Call, service: StorageService): Promise<Reply> {
  const { headers } = call.request;
  requireVersion(headers);
  if (headers["content-type"] !== PIECE_TYPE) {
    throw new StorageError(415, "TusError", `Content-Type: ${PIECE_TYPE} is required`);
  }
  const offset = readCount(headers, "upload-offset");
  return inTurn(call, service, call.request.stream ?? null, async ({ upload, actor }) => {
    if (upload.offset !== offset) throw new StorageError(409, "TusError", "Upload-Offset conflict");
    // Who asks once more has lost the answer to the last piece.
    if (!upload.isStored) await append(call, service, upload);
    if (!upload.isStored && upload.offset === upload.length) await finish(service, actor, upload);
    return { status: 204, headers: progress(upload) };
  });
}

/** DELETE /upload/resumable/{id} */
export async function terminateUpload(call: Call, service: StorageService): Promise<Reply> {
  requireVersion(call.request.headers);
  return inTurn(call, service, null, async ({ upload }) => {
    if (upload.isStored) throw noSuchUpload();
    await service.uploads.remove(upload.id);
    return { status: 204, headers: TUS_HEADERS };
  });
}

async function append(call: Call, { uploads }: StorageService, upload: Upload): Promise<void> {
  upload.offset = await uploads.append(upload, bodyOf(call.request));
}

async function finish(service: StorageService, actor: Actor, upload: Upload): Promise<void> {
  const placed = await place(service, actor, upload);
  await storeArrived(service, placed, upload, await service.uploads.take(upload));
  // Without the note the object is there all the same.
  await service.uploads.noteStored(upload).catch(() => {});
}

async function place(
  service: StorageService,
  actor: Actor,
  { bucket, name, upsert, owner }: Pick<Upload, "bucket" | "name" | "upsert" | "owner">,
): Promise<Placed> {
  const limits = await findLimits(service, actor, bucket);
  return { actor, bucket: limits, name: requireKey(name), mode: upsert ? "upsert" : "insert", owner };
}

async function findCreator(
  call: Call,
  service: StorageService,
  { bucket, name }: { bucket: string; name: string },
) {
  const signed = isSigned(call);
  if (signed) {
    const claims = await verifyUrl(
      service,
      call.request.headers["x-signature"] ?? null,
      "upload",
      `${bucket}/${name}`,
    );
    return { actor: asService(call), owner: claims.owner, signed, upsert: claims.upsert };
  }
  const actor = await call.actor();
  const upsert = call.request.headers["x-upsert"] === "true";
  return { actor, owner: ownerOf(actor.identity), signed, upsert };
}

type Found = { upload: Upload; actor: Actor };

/** Only who began the upload may end the connection that it comes by; and what they find is true when their turn comes. */
async function inTurn<T>(
  call: Call,
  service: StorageService,
  body: Readable | null,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  const { upload } = await findUpload(call, service);
  return takeTurn(upload.id, body, async () => work(await findUpload(call, service)));
}

/** The upload, for whoever began it. @throws StorageError 404, 410 */
async function findUpload(call: Call, service: StorageService): Promise<Found> {
  const upload = await service.uploads.find(call.params.id as string);
  if (!upload || upload.signed !== isSigned(call)) throw noSuchUpload();
  const { actor, owner } = await findCreator(call, service, upload);
  if (owner !== upload.owner || actor.identity.role !== upload.role) throw noSuchUpload();
  if (upload.expiresAt < Date.now()) throw new StorageError(410, "NoSuchUpload", "The upload has expired");
  return { upload, actor };
}

function isSigned({ request }: Call): boolean {
  return request.url.includes("/upload/resumable/sign");
}

function noSuchUpload(): StorageError {
  return new StorageError(404, "NoSuchUpload", "Upload not found");
}
