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
import { getAttributes, getObject, getTags, putObject } from "./commands/objects.ts";
import { deleteObject, deleteObjects } from "./commands/removals.ts";
import { requireUnderstood, type Understanding } from "./require-understood.ts";
import { requireOnlyVersion, type S3Call, type S3Command } from "./s3-call.ts";

/** Parameters that qualify a request, and may be empty. */
const QUALIFIER =
  /^(x-.*|response-.*|max-.*|.*marker|prefix|delimiter|continuation-token|start-after|encoding-type|fetch-owner|list-type|uploadId|partNumber|versionId)$/i;

/** A command, and what else it understands in a request. */
type Entry = S3Command | (Understanding & { command: S3Command });
type Commands = Record<string, Entry>;

const IF_IT_EXISTS_OR_NOT = ["if-match", "if-none-match"];

/** The commands by method, and by the part that is asked for, if any. */
const OF_ALL: Commands = { GET: listBuckets };
const OF_BUCKET: Commands = {
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
const OF_OBJECT: Commands = {
  GET: getObject,
  HEAD: getObject,
  PUT: { command: either(isCopy, copyObject, putObject), conditions: IF_IT_EXISTS_OR_NOT },
  DELETE: { command: deleteObject, conditions: ["if-match"] },
  "GET tagging": getTags,
  "GET attributes": getAttributes,
  "POST uploads": createUpload,
};
const OF_UPLOAD: Commands = {
  GET: listParts,
  PUT: { command: either(isCopy, copyPart, uploadPart), parameters: ["uploadId", "partNumber"] },
  POST: { command: completeUpload, parameters: ["uploadId"], conditions: IF_IT_EXISTS_OR_NOT },
  DELETE: { command: abortUpload, parameters: ["uploadId"] },
};

/** @throws StorageError 405, 501 for unsupported operations, 404 for a version that is not kept */
export function findCommand(call: S3Call): S3Command {
  const { request, query, bucket, key } = call;
  const { method } = request;
  const ofKey = query.has("uploadId") ? OF_UPLOAD : OF_OBJECT;
  const commands = key ? ofKey : bucket ? OF_BUCKET : OF_ALL;
  const part = partOf(query);
  const found = commands[part ? `${method} ${part}` : method];
  if (found) {
    const { command, ...understood } = typeof found === "function" ? { command: found } : found;
    requireUnderstood(call, part, understood);
    requireOnlyVersion(query.get("versionId"));
    return command;
  }
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
