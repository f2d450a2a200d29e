import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import * as v from "valibot";
import { originOf, splitAddress } from "#backend/http/split-address.ts";
import { diskFull } from "../../files/disk-full.ts";
import type { ArrivedFile } from "../../files/incoming.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { type FileMetadata, findObject } from "../../objects/object-row.ts";
import {
  beginUpload,
  endUpload,
  findParts,
  findUpload,
  MOST_PARTS,
  type Part,
  type PartUpload,
  recordPart,
} from "../../objects/part-rows.ts";
import {
  requireRight,
  requireRoom,
  sizeLimit,
  storeArrived,
  type Upload,
} from "../../objects/store-object.ts";
import { requireKey } from "../../requests/names.ts";
import { invalidArgument, isRefusal, StorageError, tooLarge } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { type CheckedBody, declaredLength, openBody } from "../checked-body.ts";
import { checksumElements, checksumHeaders, readChecksum } from "../checksums.ts";
import {
  invalidPart,
  type NamedSum,
  openPartSums,
  type PartSums,
  readPartSums,
  requireSame,
  sumOfPart,
} from "../part-sums.ts";
import { countOf, type S3Call, type S3Command } from "../s3-call.ts";
import { malformedXml, readXml, xmlReply } from "../xml.ts";
import { asCondition, describeBody, modeOf } from "./objects.ts";

/** POST /{bucket}/{key}?uploads */
export const createUpload: S3Command = async (call, service) => {
  const { bucket, key, actor } = call;
  const place = await placeOf(call, service);
  const body = describeBody(call.request.headers);
  const sums = readPartSums(call.request.headers);
  const declared = { ...body, size: null };
  requireRoom(service, place, declared);
  await requireRight(service, place, declared);
  const UploadId = await beginUpload(service, actor, { bucket, key }, { body, sums });
  const sumFields = sums && {
    "x-amz-checksum-algorithm": sums.algorithm.toUpperCase(),
    "x-amz-checksum-type": sums.type,
  };
  return xmlReply("InitiateMultipartUploadResult", { Bucket: bucket, Key: key, UploadId }, sumFields ?? {});
};

/** PUT /{bucket}/{key}?partNumber=…&uploadId=… */
export const uploadPart: S3Command = async (call, service) => {
  const { upload, place } = await findPlaced(call, service);
  const limit = sizeLimit(service, place.bucket);
  if ((declaredLength(call) ?? 0) > limit) throw tooLarge();
  const declared = readChecksum(call.request.headers);
  requireSame(upload.sums, declared);
  const content = openBody(call, declared);
  const receive = (most: number) => service.incoming.receive(content, most);
  const { etag } = await storePart(call, service, { upload, place }, receive);
  return { status: 200, headers: { etag, "content-length": "0", ...sumHeader(content.checksum) } };
};

type Placed = { upload: PartUpload; place: Upload };

/** The upload; also checks that the caller may still write the object. @throws StorageError 403, 404 */
export async function findPlaced(
  call: S3Call,
  service: StorageService,
  findMode: typeof modeOf = anyMode,
): Promise<Placed> {
  const { query, actor, bucket, key } = call;
  const upload = await findUpload(service, actor, query.get("uploadId") ?? "", { bucket, key });
  const place = { ...(await placeOf(call, service, upload.owner)), ...(await findMode(call, service)) };
  await requireRight(service, place, { ...upload.body, size: null });
  return { upload, place };
}

const anyMode: typeof modeOf = async () => ({ mode: "upsert" });

async function placeOf(call: S3Call, service: StorageService, owner?: string | null): Promise<Upload> {
  const { actor, key } = call;
  const bucket = await findLimits(service, actor, call.bucket);
  return { actor, bucket, name: requireKey(key), mode: "upsert", ...(owner !== undefined && { owner }) };
}

/** The file is durably stored before the row refers to it; `receive` is not called for an invalid part number. */
export async function storePart(
  { query, actor }: S3Call,
  service: StorageService,
  { upload, place }: Placed,
  receive: (limit: number) => Promise<ArrivedFile>,
): Promise<{ etag: string; createdAt: string | null }> {
  const number = countOf(query, "partNumber", 0, MOST_PARTS + 1);
  if (number < 1 || number > MOST_PARTS) {
    throw invalidArgument(`Part number must be an integer between 1 and ${MOST_PARTS}, inclusive`);
  }
  const limit = sizeLimit(service, place.bucket);
  const arrived = await receive(limit);
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
    return { etag, ...(await recordPart(service, actor, upload, part, limit)) };
  } catch (cause) {
    if (isRefusal(cause)) await service.store.remove([version]);
    throw cause;
  }
}

/** A part's checksum is always FULL_OBJECT, so its type is omitted. */
function sumHeader(checksum: CheckedBody["checksum"]): Record<string, string> {
  const { "x-amz-checksum-type": _, ...header } = checksumHeaders(checksum);
  return header;
}

const PartNumber = v.pipe(v.string(), v.regex(/^\s*\d{1,9}\s*$/));
const NamedPart = v.objectWithRest({ PartNumber, ETag: v.string() }, v.string());
type NamedPart = v.InferOutput<typeof NamedPart>;
const Complete = v.object({ Part: v.pipe(v.array(NamedPart), v.minLength(1), v.maxLength(MOST_PARTS)) });

/** A stored part, with the checksum given in the request. */
type ChosenPart = Part & { sum?: NamedSum | null };

/** POST /{bucket}/{key}?uploadId=…: joins the parts into one object. They are kept until it exists. */
export const completeUpload: S3Command = async (call, service) => {
  const { bucket, key, request } = call;
  // The checksum headers are those of the object, not of this XML body.
  const named = readNamed(await readXml(call, "CompleteMultipartUpload", null));
  const { eTag, checksum } = await inTurn(call, service, () =>
    joinParts(call, service, named).catch((cause) => findJoined(call, service, named, cause)),
  );
  const Location = originOf(request) + splitAddress(request.url).path;
  return xmlReply("CompleteMultipartUploadResult", {
    Location,
    Bucket: bucket,
    Key: key,
    ETag: eTag,
    ...checksumElements(checksum),
  });
};

/** Clients that miss an answer ask again, perhaps while the first request still joins the parts or removes them. */
function inTurn<T>({ query }: S3Call, { lockUpload }: StorageService, work: () => Promise<T>): Promise<T> {
  return lockUpload(`s3 ${query.get("uploadId")}`, null, work);
}

async function joinParts(call: S3Call, service: StorageService, named: NamedPart[]): Promise<FileMetadata> {
  const { actor, request } = call;
  const { upload, place } = await findPlaced(call, service, modeOf).catch(asCondition);
  const parts = choose(await findParts(service, actor, upload), named);
  const limit = sizeLimit(service, place.bucket);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size > limit) throw tooLarge();
  const sums = openPartSums(upload.sums, request.headers, { parts, size });
  const arrived = await service.incoming.copy(
    Readable.from(readParts(service, parts, sums), { objectMode: false }),
    limit,
  );
  const md5 = hashOf(parts.map(({ etag }) => etag));
  const checksum = sums?.checksum ?? null;
  const { metadata } = await storeArrived(service, place, upload.body, { ...arrived, md5, checksum }).catch(
    asCondition,
  );
  await endUpload(service, actor, upload);
  return metadata;
}

/** The object that an earlier request made of these parts, if the upload is gone for that reason. @throws `cause` if not */
async function findJoined(
  { actor, bucket, key }: S3Call,
  service: StorageService,
  named: NamedPart[],
  cause: unknown,
): Promise<FileMetadata> {
  if (!(cause instanceof StorageError) || cause.code !== "NoSuchUpload") throw cause;
  const { metadata } = await findObject(service, actor, bucket, requireKey(key)).catch((missing) => {
    throw isRefusal(missing) ? cause : missing;
  });
  if (metadata?.eTag !== `"${hashOf(named.map(({ ETag }) => ETag))}"`) throw cause;
  return metadata;
}

/** @throws StorageError 400 for no list of parts */
function readNamed(xml: unknown): NamedPart[] {
  const parsed = v.safeParse(Complete, xml);
  if (!parsed.success) throw malformedXml();
  return parsed.output.Part;
}

/** @throws StorageError 400 for others than the stored parts */
function choose(stored: Part[], named: NamedPart[]): ChosenPart[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  let before = 0;
  return named.map(({ PartNumber, ETag, ...rest }) => {
    const number = Number(PartNumber);
    if (!(number > before))
      throw new StorageError(400, "InvalidPartOrder", "The list of parts was not in ascending order");
    before = number;
    const part = byNumber.get(number);
    if (part && bare(part.etag) === bare(ETag)) return { ...part, sum: sumOfPart(rest) };
    throw invalidPart(number);
  });
}

const bare = (etag: string) => etag.replace(/^"|"$/g, "");

/** Like S3: the hash of the parts' hashes, and their number. */
function hashOf(eTags: string[]): string {
  const hash = createHash("md5");
  for (const eTag of eTags) hash.update(Buffer.from(bare(eTag), "hex"));
  return `${hash.digest("hex")}-${eTags.length}`;
}

/** @throws StorageError 400 if the content does not match its checksums */
async function* readParts(
  { store }: StorageService,
  parts: ChosenPart[],
  sums: PartSums | null,
): AsyncGenerator<Buffer> {
  for (const { version, size, number, sum } of parts) {
    const content: AsyncIterable<Buffer> = size > 0 ? await store.read(version) : Readable.from([]);
    if (sums) yield* sums.follow(content, { number, sum: sum ?? null });
    else yield* content;
  }
  sums?.end();
}

/** DELETE /{bucket}/{key}?uploadId=… */
export const abortUpload: S3Command = (call, service) =>
  inTurn(call, service, async () => {
    const { upload } = await findPlaced(call, service);
    await endUpload(service, call.actor, upload);
    return { status: 204 };
  });
