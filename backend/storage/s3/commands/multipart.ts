import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import * as v from "valibot";
import { diskFull } from "../../files/disk-full.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import {
  beginUpload,
  endUpload,
  findParts,
  findUpload,
  listUploads as findUploads,
  MOST_PARTS,
  notePart,
  type Part,
  type PartUpload,
} from "../../objects/part-rows.ts";
import {
  requireRight,
  requireRoom,
  sizeLimit,
  storeArrived,
  type Upload,
} from "../../objects/store-object.ts";
import { requireKey } from "../../requests/names.ts";
import { isRefusal, StorageError, tooLarge } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { openBody, toldLength } from "../checked-body.ts";
import { countOf, invalidArgument, type S3Call, type S3Command } from "../s3-call.ts";
import { malformedXml, readXml, xmlReply } from "../xml.ts";
import { writerOf } from "./lists.ts";
import { describeBody } from "./objects.ts";

/** POST /{bucket}/{key}?uploads */
export const createUpload: S3Command = async (call, service) => {
  const { bucket, key, actor } = call;
  const place = await placeOf(call, service);
  const body = describeBody(call.request.headers);
  requireRoom(service, place, { mimetype: body.mimetype, size: null });
  await requireRight(service, place);
  const UploadId = await beginUpload(service, actor, { bucket, key }, body);
  return xmlReply("InitiateMultipartUploadResult", { Bucket: bucket, Key: key, UploadId });
};

/** PUT /{bucket}/{key}?partNumber=…&uploadId=… */
export const uploadPart: S3Command = async (call, service) => {
  const { upload, place } = await findPlaced(call, service);
  const limit = sizeLimit(service, place.bucket);
  if ((toldLength(call) ?? 0) > limit) throw tooLarge();
  const { etag } = await storePart(call, service, { upload, place }, openBody(call));
  return { status: 200, headers: { etag, "content-length": "0" } };
};

type Placed = { upload: PartUpload; place: Upload };

/** The upload and whether its caller may still end it as an object. @throws StorageError 403, 404 */
export async function findPlaced(call: S3Call, service: StorageService): Promise<Placed> {
  const { query, actor, bucket, key } = call;
  const upload = await findUpload(service, actor, query.get("uploadId") ?? "", { bucket, key });
  const place = await placeOf(call, service, upload.owner);
  await requireRight(service, place);
  return { upload, place };
}

async function placeOf(call: S3Call, service: StorageService, owner?: string | null): Promise<Upload> {
  const { actor, key } = call;
  const bucket = await findLimits(service, actor, call.bucket);
  return { actor, bucket, name: requireKey(key), mode: "upsert", ...(owner !== undefined && { owner }) };
}

/** First the part's file is safe in the store, then its row names it. */
export async function storePart(
  { query, actor }: S3Call,
  service: StorageService,
  { upload, place }: Placed,
  content: Readable,
): Promise<{ etag: string; createdAt: string | null }> {
  const number = countOf(query, "partNumber", 0, MOST_PARTS + 1);
  if (number < 1 || number > MOST_PARTS) {
    throw invalidArgument(`Part number must be an integer between 1 and ${MOST_PARTS}, inclusive`);
  }
  const limit = sizeLimit(service, place.bucket);
  const arrived = await service.incoming.receive(content, limit);
  const version = randomUUID();
  const etag = `"${arrived.md5}"`;
  try {
    await service.store.adopt(arrived.path, version);
  } catch (cause) {
    await arrived.discard();
    throw diskFull(cause);
  }
  try {
    const part = { number, size: arrived.size, etag, version };
    return { etag, ...(await notePart(service, actor, upload, part, limit)) };
  } catch (cause) {
    if (isRefusal(cause)) await service.store.remove([version]);
    throw cause;
  }
}

const Complete = v.object({
  Part: v.pipe(v.array(v.object({ PartNumber: v.string(), ETag: v.string() })), v.maxLength(MOST_PARTS)),
});

/** POST /{bucket}/{key}?uploadId=…: the parts become one object. Until that is there, they stay. */
export const completeUpload: S3Command = async (call, service) => {
  const { bucket, key, actor, request } = call;
  const { upload, place } = await findPlaced(call, service);
  const named = await readXml(call, "CompleteMultipartUpload");
  const stored = await findParts(service, actor, upload);
  const parts = named === null || named === "" ? stored : choose(stored, named);
  if (parts.length === 0) throw malformedXml();
  const limit = sizeLimit(service, place.bucket);
  if (parts.reduce((sum, { size }) => sum + size, 0) > limit) throw tooLarge();
  const arrived = await service.incoming.receive(
    Readable.from(readParts(service, parts), { objectMode: false }),
    limit,
  );
  const md5 = `${hashOf(parts)}-${parts.length}`;
  const { metadata } = await storeArrived(service, place, upload.body, { ...arrived, md5 });
  await endUpload(service, actor, upload);
  const Location = `${request.url.split("?", 1)[0]}`;
  return xmlReply("CompleteMultipartUploadResult", {
    Location,
    Bucket: bucket,
    Key: key,
    ETag: metadata.eTag,
  });
};

function choose(stored: Part[], named: unknown): Part[] {
  const parsed = v.safeParse(Complete, named);
  if (!parsed.success) throw malformedXml();
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  let before = 0;
  return parsed.output.Part.map(({ PartNumber, ETag }) => {
    const number = Number(PartNumber);
    if (!(number > before))
      throw new StorageError(400, "InvalidPartOrder", "The list of parts was not in ascending order");
    before = number;
    const part = byNumber.get(number);
    if (part && bare(part.etag) === bare(ETag)) return part;
    const message = `One or more of the specified parts could not be found: ${number}`;
    throw new StorageError(400, "InvalidPart", message);
  });
}

const bare = (etag: string) => etag.replace(/^"|"$/g, "");

/** As S3 has it: of the parts' own sums. */
function hashOf(parts: Part[]): string {
  const hash = createHash("md5");
  for (const { etag } of parts) hash.update(Buffer.from(bare(etag), "hex"));
  return hash.digest("hex");
}

async function* readParts({ store }: StorageService, parts: Part[]): AsyncGenerator<Buffer> {
  for (const { version, size } of parts) if (size > 0) yield* await store.read(version);
}

/** DELETE /{bucket}/{key}?uploadId=… */
export const abortUpload: S3Command = async (call, service) => {
  const { upload } = await findPlaced(call, service);
  await endUpload(service, call.actor, upload);
  return { status: 204 };
};

const MOST = 1000;

/** GET /{bucket}/{key}?uploadId=… */
export const listParts: S3Command = async (call, service) => {
  const { query, bucket, key, actor } = call;
  const upload = await findUpload(service, actor, query.get("uploadId") ?? "", { bucket, key });
  const limit = countOf(query, "max-parts", MOST, MOST);
  const after = countOf(query, "part-number-marker", 0, MOST_PARTS);
  const found = await findParts(service, actor, upload, { after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return xmlReply("ListPartsResult", {
    Bucket: bucket,
    Key: key,
    UploadId: upload.id,
    StorageClass: "STANDARD",
    PartNumberMarker: after,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : null,
    MaxParts: limit,
    IsTruncated: isTruncated,
    Part: page.map(({ number, size, etag, createdAt }) => ({
      PartNumber: number,
      LastModified: createdAt,
      ETag: etag,
      Size: size,
    })),
  });
};

/** GET /{bucket}?uploads */
export const listUploads: S3Command = async ({ query, bucket, actor }, service) => {
  await findLimits(service, actor, bucket);
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const limit = countOf(query, "max-uploads", MOST, MOST);
  const write = writerOf(query);
  const [key, id] = [query.get("key-marker") ?? "", query.get("upload-id-marker")];
  // Without an id the marker leaves out every upload of its name, and behind a folder all that is in it.
  const after: [string, string] = [
    delimiter && key.endsWith(delimiter) ? `${key}\u{10ffff}` : key,
    id ?? "\u{10ffff}",
  ];
  const found = await findUploads(service, actor, {
    bucket,
    prefix,
    after: key === "" ? ["", ""] : after,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  const folderOf = (name: string) => {
    const at = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
    return at < 0 ? null : name.slice(0, at + delimiter.length);
  };
  const folders = new Set(page.map((upload) => folderOf(upload.key)).filter((folder) => folder !== null));
  const last = page.at(-1);
  return xmlReply("ListMultipartUploadsResult", {
    Bucket: bucket,
    KeyMarker: write(key),
    UploadIdMarker: id ?? "",
    NextKeyMarker: isTruncated && last ? write(last.key) : null,
    NextUploadIdMarker: isTruncated && last ? last.id : null,
    Prefix: write(prefix),
    ...(delimiter && { Delimiter: write(delimiter) }),
    MaxUploads: limit,
    IsTruncated: isTruncated,
    Upload: page
      .filter((upload) => folderOf(upload.key) === null)
      .map((upload) => ({
        Key: write(upload.key),
        UploadId: upload.id,
        StorageClass: "STANDARD",
        Initiated: upload.createdAt,
      })),
    CommonPrefixes: [...folders].map((folder) => ({ Prefix: write(folder) })),
  });
};
