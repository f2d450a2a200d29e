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

/**
 * Query parameters by which S3's clients ask for something that belongs to a bucket or object, and that is not
 * supported. A parameter that is not known is ignored, as by S3: without its name here, the removal of a bucket's tags
 * would remove the bucket.
 */
const ABSENT = `
  abac accelerate acl analytics cors encryption intelligent-tiering inventory legal-hold lifecycle logging
  metadataConfiguration metadataInventoryTable metadataJournalTable metadataTable metrics notification object-lock
  ownershipControls policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention
  select session torrent website
`
  .trim()
  .split(/\s+/);

/** What a bucket is asked for by a query parameter. */
const OF_BUCKET: Record<string, S3Command> = {
  location: locateBucket,
  versioning: getVersioning,
  uploads: listUploads,
  versions: listVersions,
};

/** @throws StorageError 405, 501 for unsupported operations */
export function findCommand({ request: { method, headers }, query, bucket, key }: S3Call): S3Command {
  const absent = [...ABSENT, ...(key ? [] : ["tagging"])].find((name) => query.has(name));
  if (absent) throw new StorageError(501, "NotImplemented", `${absent} is not implemented`);
  const isCopy = headers["x-amz-copy-source"] !== undefined;
  const found = key ? ofObject(method, query, isCopy) : bucket ? ofBucket(method, query) : ofAll(method);
  if (found) return found;
  throw new StorageError(
    405,
    "MethodNotAllowed",
    "The specified method is not allowed against this resource.",
  );
}

function ofAll(method: string): S3Command | null {
  return method === "GET" ? listBuckets : null;
}

function ofBucket(method: string, query: URLSearchParams): S3Command | null {
  const asked = Object.keys(OF_BUCKET).find((name) => query.has(name));
  if (asked) return method === "GET" ? (OF_BUCKET[asked] ?? null) : null;
  if (method === "POST") return query.has("delete") ? deleteObjects : null;
  if (method === "GET") return query.get("list-type") === "2" ? listObjectsV2 : listObjects;
  return { PUT: createBucket, DELETE: deleteBucket, HEAD: headBucket }[method] ?? null;
}

function ofObject(method: string, query: URLSearchParams, isCopy: boolean): S3Command | null {
  if (query.has("tagging")) return method === "GET" ? getTags : null;
  if (query.has("attributes")) return method === "GET" ? getAttributes : null;
  if (query.has("uploads")) return method === "POST" ? createUpload : null;
  const commands: Record<string, S3Command> = query.has("uploadId")
    ? { POST: completeUpload, PUT: isCopy ? copyPart : uploadPart, GET: listParts, DELETE: abortUpload }
    : { PUT: isCopy ? copyObject : putObject, GET: getObject, HEAD: headObject, DELETE: deleteObject };
  return commands[method] ?? null;
}
