import { randomUUID } from "node:crypto";
import { type Actor, ownerOf } from "../database/run-as.ts";
import { diskFull } from "../files/disk-full.ts";
import type { ArrivedFile } from "../files/incoming.ts";
import { requireKey } from "../requests/names.ts";
import type { Described, UploadBody } from "../requests/upload-body.ts";
import { isRefusal, tooLarge } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { requireAllowedType, requireHonestContent } from "./allowed-types.ts";
import { type Bucket, findLimits } from "./bucket-row.ts";
import type { Checksum, FileMetadata } from "./object-row.ts";
import { reencodePicture } from "./reencode-picture.ts";
import { modeOf, type SaveMode, saveObject, tryObject } from "./save-object.ts";

/** An upload with its caller and destination. */
export type Upload = {
  actor: Actor;
  bucket: Bucket;
  name: string;
  mode: SaveMode;
  /** The only version that `update` may replace. */
  replaces?: string;
  /** The owner, if not the actor. */
  owner?: string | null;
  /** The id of a new object, if it has one already. */
  id?: string;
};

/** What is known of a body before it arrives; the size is null if it was not declared. */
export type Declared = Described & { size: number | null };

export type StoredObject = { id: string; metadata: FileMetadata };

/** An upload as it was asked for, of whoever `owner` is. @throws StorageError 400, 404 */
export async function placeUpload(
  service: StorageService,
  actor: Actor,
  { bucket, name, upsert, owner }: { bucket: string; name: string; upsert: boolean; owner: string | null },
): Promise<Upload> {
  const limits = await findLimits(service, actor, bucket);
  return { actor, bucket: limits, name: requireKey(name), mode: modeOf(upsert), owner };
}

/**
 * Checks whether the caller may upload, before the body is received. Policies see what was declared, and judge the
 * actual row once it is written. An undeclared size counts as one byte: policies limit sizes from above.
 * @throws StorageError 403, 404, 409
 */
export async function requireRight(
  service: StorageService,
  upload: Upload,
  declared: Declared,
): Promise<void> {
  const metadata = describe(declared, { size: declared.size ?? 1, md5: "" });
  const { userMetadata } = declared;
  await tryObject(service, upload.actor, { ...rowOf(upload), metadata, userMetadata }, upload.mode);
}

/**
 * Checks the declared type and size against the bucket's limits, before the body is received.
 * @throws StorageError 413, 415
 */
export function requireRoom(
  service: StorageService,
  { bucket, name }: Upload,
  { mimetype, size }: Pick<Declared, "mimetype" | "size">,
): void {
  requireAllowedType(bucket, { name, mimetype, size });
  if (size !== null && size > sizeLimit(service, bucket)) throw tooLarge();
}

/**
 * Receives and validates the bytes, then publishes them: the file is durably stored before the row refers to it.
 * @throws StorageError
 */
export async function storeObject(
  service: StorageService,
  upload: Upload,
  body: UploadBody,
): Promise<StoredObject> {
  const arrived = await service.incoming.receive(body.content, sizeLimit(service, upload.bucket));
  const described = await completed(body).catch(async (cause) => {
    await arrived.discard();
    throw cause;
  });
  return storeArrived(service, upload, described, arrived);
}

const completed = async (body: UploadBody): Promise<Described> => (await body.complete?.()) ?? body;

/** A file with its checksum, if one was verified while it arrived. */
type SummedFile = ArrivedFile & { checksum?: Checksum | null };

/** The same for a file already received. @throws StorageError */
export async function storeArrived(
  service: StorageService,
  upload: Upload,
  body: Described,
  arrived: SummedFile,
): Promise<StoredObject> {
  const row = rowOf(upload);
  let file: SummedFile = arrived;
  try {
    await requireHonestContent(service, upload, body.mimetype, arrived);
    file = await reencodePicture(
      service,
      upload,
      { mimetype: body.mimetype, limit: sizeLimit(service, upload.bucket) },
      arrived,
    );
    await service.store.adopt(file.path, row.version);
  } catch (cause) {
    await file.discard();
    throw diskFull(cause);
  }
  try {
    const metadata = describe(body, file);
    const saved = await saveObject(
      service,
      upload.actor,
      { ...row, metadata, userMetadata: body.userMetadata },
      upload.mode,
    );
    if (saved.replaced) service.discard([saved.replaced]);
    return { id: saved.id, metadata };
  } catch (cause) {
    // If the connection was lost, the commit may or may not have happened: the sweeper cleans up later if needed.
    if (isRefusal(cause)) await service.store.remove([row.version]);
    throw cause;
  }
}

function rowOf({ actor, bucket, name, owner, id = randomUUID(), replaces }: Upload) {
  return {
    id,
    replaces,
    version: randomUUID(),
    bucket: bucket.id,
    name,
    owner: owner === undefined ? ownerOf(actor.identity) : owner,
  };
}

type Sums = Pick<SummedFile, "size" | "md5" | "checksum">;

function describe(body: Described, { size, md5, checksum }: Sums): FileMetadata {
  return {
    eTag: `"${md5}"`,
    size,
    mimetype: body.mimetype,
    cacheControl: body.cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: size,
    httpStatusCode: 200,
    ...(body.contentEncoding && { contentEncoding: body.contentEncoding }),
    ...(body.robots && { xRobotsTag: body.robots }),
    ...(checksum && { checksum }),
  };
}

export function sizeLimit({ config }: StorageService, bucket: Bucket): number {
  return Math.min(config.fileSizeLimit, bucket.file_size_limit ?? Number.POSITIVE_INFINITY);
}
