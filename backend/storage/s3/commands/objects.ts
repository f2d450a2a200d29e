import type { Actor } from "../../database/run-as.ts";
import { forCaller } from "../../delivery/for-caller.ts";
import { safeHeaders } from "../../delivery/safe-headers.ts";
import { sendObject } from "../../delivery/send-object.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { type FileMetadata, findObject, type ObjectRow } from "../../objects/object-row.ts";
import { MOST_PARTS } from "../../objects/part-rows.ts";
import {
  requireRight,
  requireRoom,
  sizeLimit,
  storeArrived,
  type Upload,
} from "../../objects/store-object.ts";
import { isName, requireKey } from "../../requests/names.ts";
import {
  headerText,
  isMediaType,
  isPrintable,
  mediaType,
  type UploadBody,
} from "../../requests/upload-body.ts";
import { noSuchKey, preconditionFailed, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { declaredLength, openBody } from "../checked-body.ts";
import { checksumElements, checksumHeaders } from "../checksums.ts";
import { countOf, type S3Call, type S3Command } from "../s3-call.ts";
import { readWords, wordHeaders } from "../user-metadata.ts";
import { type XmlNode, xmlReply } from "../xml.ts";

/** PUT /{bucket}/{key} */
export const putObject: S3Command = async (call, service) => {
  const { actor, request } = call;
  const bucket = await findLimits(service, actor, call.bucket);
  const place = { actor, bucket, name: requireKey(call.key), ...(await modeOf(call, service)) };
  const described = describeBody(request.headers);
  const declared = { ...described, size: declaredLength(call) };
  await requireRight(service, place, declared).catch(asCondition);
  requireRoom(service, place, declared);
  const content = openBody(call);
  const file = await service.incoming.receive(content, sizeLimit(service, bucket));
  const { checksum } = content;
  const { metadata } = await storeArrived(service, place, described, { ...file, checksum }).catch(
    asCondition,
  );
  return {
    status: 200,
    headers: { etag: metadata.eTag, "content-length": "0", ...checksumHeaders(checksum) },
  };
};

/**
 * The object, if the caller may see it.
 * @throws StorageError 404, also for names that no object can have: clients try a folder's to see whether it exists
 */
export async function findNamed(
  service: StorageService,
  actor: Actor,
  bucket: string,
  key: string,
): Promise<ObjectRow> {
  await findLimits(service, actor, bucket);
  if (!isName(key)) throw noSuchKey();
  return findObject(service, actor, bucket, key);
}

/** GET and HEAD /{bucket}/{key}, with ranges and conditions; the HTTP layer omits a HEAD's body. */
export const getObject: S3Command = async (call, service) => {
  const { request, query, bucket, key, actor } = call;
  // How an object was uploaded is not kept: all of it is its first part.
  if (countOf(query, "partNumber", 1, MOST_PARTS) !== 1) throw noSuchPart();
  let words: Record<string, unknown> | null = null;
  let metadata: FileMetadata | null = null;
  const find = async () => {
    const object = await findNamed(service, actor, bucket, key);
    words = object.user_metadata;
    metadata = object.metadata;
    return object;
  };
  const asked = { request, query: new URLSearchParams() };
  const reply = forCaller(await sendObject(asked, service.store, find));
  if (reply.status === 412) throw preconditionFailed();
  const headers = { ...reply.headers, ...wordHeaders(words), ...overrides(query) };
  const isAsked = request.headers["x-amz-checksum-mode"]?.toUpperCase() === "ENABLED";
  const sums = isAsked && reply.status === 200 ? sumsOf(metadata) : {};
  return { ...reply, headers: { ...headers, ...sums } };
};

const noSuchPart = () =>
  new StorageError(416, "InvalidPartNumber", "The requested partnumber is not satisfiable");

const sumsOf = (metadata: FileMetadata | null) => checksumHeaders(metadata?.checksum);

/** GET /{bucket}/{key}?attributes: the attributes requested in the headers. */
export const getAttributes: S3Command = async ({ request, bucket, key, actor }, service) => {
  const { metadata, updated_at } = await findNamed(service, actor, bucket, key);
  if (!metadata) throw noSuchKey();
  const asked = (request.headers["x-amz-object-attributes"] ?? "").split(",").map((name) => name.trim());
  const all: XmlNode = {
    ETag: metadata.eTag.replaceAll('"', ""),
    Checksum: metadata.checksum ? checksumElements(metadata.checksum) : null,
    StorageClass: "STANDARD",
    ObjectSize: metadata.size,
  };
  const chosen = Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)));
  const lastModified = new Date(updated_at ?? metadata.lastModified).toUTCString();
  return xmlReply("GetObjectAttributesResponse", chosen, { "last-modified": lastModified });
};

/** GET /{bucket}/{key}?tagging: always empty. */
export const getTags: S3Command = async ({ bucket, key, actor }, service) => {
  await findNamed(service, actor, bucket, key);
  return xmlReply("Tagging", { TagSet: "" });
};

/** Object metadata from the request's headers, including custom metadata. */
export function describeBody(headers: Readonly<Record<string, string>>): Omit<UploadBody, "content"> {
  const encodings = (headers["content-encoding"] ?? "").split(",").map((text) => text.trim());
  const encoding = encodings.filter((text) => text !== "" && text !== "aws-chunked").join(", ");
  return {
    mimetype: mediaType(headers["content-type"] || "application/octet-stream"),
    cacheControl: headerText(headers["cache-control"] ?? "no-cache", "cache-control"),
    ...(encoding && { contentEncoding: headerText(encoding, "content-encoding") }),
    userMetadata: readWords(headers),
  };
}

const OVERRIDABLE = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
];

/**
 * Response headers that the reader asks for, except those that cannot be sent; an overridden type is made safe like the
 * object's own.
 */
function overrides(query: URLSearchParams): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of OVERRIDABLE) {
    const text = query.get(`response-${name}`);
    if (text !== null && isPrintable(text)) headers[name] = text;
  }
  const type = query.get("response-content-type");
  return { ...headers, ...(type !== null && isMediaType(type) && safeHeaders(type)) };
}

/**
 * `If-None-Match: *` only creates; `If-Match` only replaces the version that the client knows.
 * @throws StorageError 501 for another `If-None-Match`, which S3 has for reads only
 */
export async function modeOf(
  call: S3Call,
  service: StorageService,
): Promise<Pick<Upload, "mode" | "replaces">> {
  const { headers } = call.request;
  const unknown = headers["if-none-match"];
  if (unknown === "*") return { mode: "insert" };
  if (unknown !== undefined) {
    throw new StorageError(501, "NotImplemented", "If-None-Match other than * is not implemented for writes");
  }
  if (headers["if-match"] === undefined) return { mode: "upsert" };
  const replaces = await findMatching(call, service);
  return { mode: "update", ...(replaces !== undefined && { replaces }) };
}

/**
 * The version that `If-Match` names; undefined if any will do.
 * @throws StorageError 404, 412 if the object has another one
 */
export async function findMatching(
  { request: { headers }, actor, bucket, key }: S3Call,
  service: StorageService,
): Promise<string | undefined> {
  const known = headers["if-match"];
  if (known === undefined) return undefined;
  const { metadata, version } = await findObject(service, actor, bucket, key);
  if (known === "*") return undefined;
  if (known.replaceAll('"', "") !== metadata?.eTag.replaceAll('"', "")) throw preconditionFailed();
  return version;
}

/** Maps a conflict on a conditional create to 412. */
export function asCondition(cause: unknown): never {
  throw cause instanceof StorageError && cause.statusCode === 409 ? preconditionFailed() : cause;
}
