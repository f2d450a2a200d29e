import { Readable } from "node:stream";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { isConditionFailed, isUnchanged } from "../../delivery/conditions.ts";
import { withCurrentFile } from "../../delivery/with-current-file.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { copyObject as copyStored } from "../../objects/copy-object.ts";
import type { FileMetadata, ObjectRow } from "../../objects/object-row.ts";
import { requireKey } from "../../requests/names.ts";
import { invalidArgument, noSuchKey, preconditionFailed, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { checksumElements } from "../checksums.ts";
import { nameOf, requireOnlyVersion, type S3Call, type S3Command } from "../s3-call.ts";
import { xmlReply } from "../xml.ts";
import { findPlaced, storePart } from "./multipart.ts";
import { asCondition, describeBody, findNamed, modeOf } from "./objects.ts";

/** PUT /{bucket}/{key} with `x-amz-copy-source` */
export const copyObject: S3Command = async (call, service) => {
  const { actor, request } = call;
  const bucket = await findLimits(service, actor, call.bucket);
  const place = { actor, bucket, name: requireKey(call.key), ...(await modeOf(call, service)) };
  const isReplaced = request.headers["x-amz-metadata-directive"]?.toUpperCase() === "REPLACE";
  const row = await withCurrentFile(
    () => findSource(call, service),
    (source) => copyStored(service, source, place, isReplaced ? redescribe(call, source) : describe(source)),
  ).catch(asCondition);
  const { eTag, lastModified, checksum } = row.metadata;
  return xmlReply("CopyObjectResult", {
    ETag: eTag,
    LastModified: lastModified,
    ...checksumElements(checksum),
  });
};

function describe({ metadata, user_metadata }: ObjectRow) {
  const kept = { ...(metadata as FileMetadata), lastModified: new Date().toISOString() };
  return { metadata: kept, userMetadata: user_metadata };
}

function redescribe({ request }: S3Call, source: ObjectRow) {
  const { contentEncoding: _, ...metadata } = describe(source).metadata;
  const { userMetadata, ...described } = describeBody(request.headers);
  return { metadata: { ...metadata, ...described }, userMetadata };
}

/** PUT /{bucket}/{key}?partNumber=…&uploadId=… with `x-amz-copy-source` */
export const copyPart: S3Command = async (call, service) => {
  const placed = await findPlaced(call, service);
  const { etag, createdAt } = await withCurrentFile(
    () => findSource(call, service),
    async ({ version, metadata }) => {
      const range = readRange(call, (metadata as FileMetadata).size);
      const open = () => (metadata?.size === 0 ? Readable.from([]) : service.store.read(version, range));
      return storePart(call, service, placed, async (limit) => service.incoming.copy(await open(), limit));
    },
  );
  return xmlReply("CopyPartResult", { ETag: etag, LastModified: createdAt });
};

/** The source object, if the caller may see it. @throws StorageError 404, 412 */
async function findSource(
  { request: { headers }, actor }: S3Call,
  service: StorageService,
): Promise<ObjectRow> {
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decode(headers["x-amz-copy-source"] ?? "")) ?? [];
  if (bucket === undefined || key === undefined)
    throw invalidArgument("Copy Source must mention the source bucket and key");
  const object = await findNamed(service, actor, bucket, nameOf(key));
  if (!object.metadata) throw noSuchKey();
  const prefix = "x-amz-copy-source-";
  const asked = Object.entries(headers).filter(([name]) => name.startsWith(`${prefix}if-`));
  const conditions = Object.fromEntries(asked.map(([name, text]) => [name.slice(prefix.length), text]));
  const lastModified = new Date(object.updated_at ?? object.metadata.lastModified);
  const validators = { eTag: object.metadata.eTag, lastModified };
  if (isConditionFailed(conditions, validators) || isUnchanged(conditions, validators))
    throw preconditionFailed();
  return object;
}

function decode(text: string): string {
  const [path = "", version] = text.split("?versionId=");
  requireOnlyVersion(version);
  return percentDecode(path, () => invalidArgument("Copy Source is not encoded as it must be"));
}

function readRange({ request }: S3Call, size: number) {
  const text = request.headers["x-amz-copy-source-range"];
  if (text === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(text) ?? [];
  const [start, end] = [Number(first), Number(last)];
  if (first === undefined || start > end)
    throw invalidArgument("The x-amz-copy-source-range value must be bytes=first-last");
  if (end >= size)
    throw new StorageError(
      416,
      "InvalidRange",
      `Range specified is not valid for source object of size: ${size}`,
    );
  return { start, end };
}
