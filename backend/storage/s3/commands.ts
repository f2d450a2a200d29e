import { StorageError } from "../storage-error.ts";
import {
  createBucket,
  deleteBucket,
  getVersioning,
  headBucket,
  listBuckets,
  locateBucket,
} from "./commands/buckets.ts";
import { copyObject, copyPart } from "./commands/copies.ts";
import { listObjects, listObjectsV2, listVersions } from "./commands/lists.ts";
import { abortUpload, completeUpload, createUpload, uploadPart } from "./commands/multipart.ts";
import { listParts, listUploads } from "./commands/multipart-lists.ts";
import { getAttributes, getObject, getTags, headObject, putObject } from "./commands/objects.ts";
import { deleteObject, deleteObjects } from "./commands/removals.ts";
import type { S3Call, S3Command } from "./s3-call.ts";

/** Parameters that qualify a request, and may be empty. */
const QUALIFIER =
  /^(x-.*|response-.*|max-.*|.*marker|prefix|delimiter|continuation-token|start-after|encoding-type|fetch-owner|list-type|uploadId|partNumber|versionId)$/i;

/** The commands by method, and by the part that is asked for, if any. */
const OF_ALL: Record<string, S3Command> = { GET: listBuckets };
const OF_BUCKET: Record<string, S3Command> = {
  GET: either(({ query }) => query.get("list-type") === "2", listObjectsV2, listObjects),
  HEAD: headBucket,
  PUT: createBucket,
  DELETE: deleteBucket,
  "GET location": locateBucket,
  "GET versioning": getVersioning,
  "GET uploads": listUploads,
  "GET versions": listVersions,
  "POST delete": deleteObjects,
};
const OF_OBJECT: Record<string, S3Command> = {
  GET: getObject,
  HEAD: headObject,
  PUT: either(isCopy, copyObject, putObject),
  DELETE: deleteObject,
  "GET tagging": getTags,
  "GET attributes": getAttributes,
  "POST uploads": createUpload,
};
const OF_UPLOAD: Record<string, S3Command> = {
  GET: listParts,
  PUT: either(isCopy, copyPart, uploadPart),
  POST: completeUpload,
  DELETE: abortUpload,
};

/** @throws StorageError 405, 501 for unsupported operations */
export function findCommand({ request: { method }, query, bucket, key }: S3Call): S3Command {
  const ofKey = query.has("uploadId") ? OF_UPLOAD : OF_OBJECT;
  const commands = key ? ofKey : bucket ? OF_BUCKET : OF_ALL;
  const part = partOf(query);
  const found = commands[part ? `${method} ${part}` : method];
  if (found) return found;
  const isKnown = !part || Object.keys(commands).some((each) => each.endsWith(` ${part}`));
  throw isKnown
    ? new StorageError(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
    : new StorageError(501, "NotImplemented", `${part} is not implemented`);
}

/**
 * What of a bucket or object is asked for: S3's clients name it by a parameter without a value, such as `?tagging`. One
 * that is not known must not be ignored: the removal of a bucket's tags would remove the bucket.
 */
function partOf(query: URLSearchParams): string | undefined {
  return [...query].find(([name, value]) => value === "" && !QUALIFIER.test(name))?.[0];
}

function isCopy({ request }: S3Call): boolean {
  return request.headers["x-amz-copy-source"] !== undefined;
}

function either(isFirst: (call: S3Call) => boolean, first: S3Command, second: S3Command): S3Command {
  return (call, service) => (isFirst(call) ? first : second)(call, service);
}
