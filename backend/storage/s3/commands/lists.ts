import { hash } from "node:crypto";
import type { Row } from "#backend/postgres/database.ts";
import { isoTime } from "../../database/iso-time.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import type { FileMetadata } from "../../objects/object-row.ts";
import { walkNames } from "../../objects/walk-names.ts";
import { invalidArgument } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { countOf, type S3Call, type S3Command } from "../s3-call.ts";
import { encode } from "../signature.ts";
import { type XmlNode, xmlReply } from "../xml.ts";

const MOST = 1000;

/** GET /{bucket}?list-type=2 */
export const listObjectsV2: S3Command = async (call, service) => {
  const { query } = call;
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after");
  const { content, entries, last, write } = await readPage(
    call,
    service,
    token ? readToken(call.bucket, token) : startAfter,
  );
  return xmlReply("ListBucketResult", {
    ...content,
    KeyCount: entries,
    ContinuationToken: token,
    NextContinuationToken: last === null ? null : writeToken(call.bucket, last),
    StartAfter: startAfter === null ? null : write(startAfter),
  });
};

/** GET /{bucket}: version 1 of the list, whose marker is a name. */
export const listObjects: S3Command = async (call, service) => {
  const marker = call.query.get("marker");
  const { content, last, write } = await readPage(call, service, marker);
  const NextMarker = last !== null && content.Delimiter !== undefined ? write(last) : null;
  return xmlReply("ListBucketResult", { ...content, Marker: write(marker ?? ""), NextMarker });
};

/** GET /{bucket}?versions: each object has the version "null", as in unversioned S3 buckets. */
export const listVersions: S3Command = async (call, service) => {
  const marker = call.query.get("key-marker");
  const { content, last, write } = await readPage(call, service, marker);
  const { Contents, ...rest } = content;
  return xmlReply("ListVersionsResult", {
    ...rest,
    KeyMarker: write(marker ?? ""),
    NextKeyMarker: last === null ? null : write(last),
    Version: (Contents as XmlNode[]).map((entry) => ({ ...entry, VersionId: "null", IsLatest: true })),
  });
};

async function readPage({ query, bucket, actor }: S3Call, service: StorageService, after: string | null) {
  await findLimits(service, actor, bucket);
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const limit = countOf(query, "max-keys", MOST, MOST);
  const write = writerOf(query);
  const walk = { bucket, prefix, delimiter, order: "asc", after, limit: limit + 1 } as const;
  const rows = limit === 0 ? [] : await walkNames(service, actor, walk);
  const page = rows.slice(0, limit);
  const content: XmlNode = {
    Name: bucket,
    Prefix: write(prefix),
    ...(delimiter && { Delimiter: write(delimiter) }),
    MaxKeys: limit,
    ...(query.has("encoding-type") && { EncodingType: "url" }),
    IsTruncated: rows.length > limit,
    Contents: page.filter(({ id }) => id !== null).map((row) => describe(row, write)),
    CommonPrefixes: page
      .filter(({ id }) => id === null)
      .map(({ name }) => ({ Prefix: write(name as string) })),
  };
  const last = rows.length > limit ? (page.at(-1)?.name as string) : null;
  return { content, entries: page.length, last, write };
}

/** Returns how names are written: as is, or URL-encoded if requested. @throws StorageError 400 */
export function writerOf(query: URLSearchParams): (text: string) => string {
  const encoding = query.get("encoding-type");
  if (encoding !== null && encoding !== "url")
    throw invalidArgument("Invalid Encoding Method specified in Request");
  return encoding === null ? (text) => text : (text) => encode(text).replaceAll("%2F", "/");
}

function describe(row: Row, write: (text: string) => string): XmlNode {
  const metadata: Partial<FileMetadata> = row.metadata ? JSON.parse(row.metadata) : {};
  return {
    Key: write(row.name as string),
    LastModified: isoTime(row.updated_at),
    ETag: metadata.eTag ?? "",
    ...(metadata.checksum && {
      ChecksumAlgorithm: metadata.checksum.algorithm.toUpperCase(),
      ChecksumType: metadata.checksum.type,
    }),
    Size: metadata.size ?? 0,
    StorageClass: "STANDARD",
  };
}

const SEAL_LENGTH = 12;

/**
 * The last name, with a checksum of it and its bucket. Otherwise any text would be a token, and a damaged one would
 * continue the list somewhere else. It is not secret: callers may start a list wherever they like.
 */
function writeToken(bucket: string, name: string): string {
  const seal = hash("sha256", `${bucket}\n${name}`).slice(0, SEAL_LENGTH);
  return Buffer.from(seal + name).toString("base64url");
}

/** @throws StorageError 400 for a text that is no token of this bucket */
function readToken(bucket: string, token: string): string {
  const name = Buffer.from(token, "base64url").toString().slice(SEAL_LENGTH);
  if (name === "" || name.includes("\0") || writeToken(bucket, name) !== token)
    throw invalidArgument("The continuation token provided is incorrect");
  return name;
}
