import type { Row } from "#backend/postgres/database.ts";
import { isoTime } from "../database/iso-time.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import { noSuchKey } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";

/** Metadata of the file. */
export type FileMetadata = {
  /** Quoted, as in HTTP. */
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
  contentEncoding?: string;
  /** What search engines may do with it; nothing by default. */
  xRobotsTag?: string;
  /** The checksum an S3 client sent, verified against the content. */
  checksum?: Checksum;
};

/** S3's names of the supported checksums. */
export type Algorithm = "crc32" | "crc32c" | "crc64nvme" | "md5" | "sha1" | "sha256" | "sha512";

/** COMPOSITE is the checksum of the parts' checksums. */
export type Checksum = { algorithm: Algorithm; value: string; type: "FULL_OBJECT" | "COMPOSITE" };

/** An object in API form. */
export type ObjectRow = {
  id: string;
  bucket_id: string;
  name: string;
  owner: string | null;
  owner_id: string | null;
  /** The name of the file in the store. */
  version: string;
  created_at: string | null;
  updated_at: string | null;
  last_accessed_at: string | null;
  metadata: FileMetadata | null;
  user_metadata: Record<string, unknown> | null;
};

export const OBJECT_COLUMNS =
  "id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata";

/** A list entry: an object, or a folder, which has no id. */
export function toEntry(row: Row) {
  return {
    name: row.name,
    id: row.id,
    updated_at: isoTime(row.updated_at),
    created_at: isoTime(row.created_at),
    last_accessed_at: isoTime(row.last_accessed_at),
    metadata: row.metadata ? JSON.parse(row.metadata) : null,
  };
}

export function toObject(row: Row): ObjectRow {
  return {
    id: row.id as string,
    bucket_id: row.bucket_id as string,
    name: row.name as string,
    owner: row.owner ?? null,
    owner_id: row.owner_id ?? null,
    version: row.version ?? "",
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_accessed_at: isoTime(row.last_accessed_at),
    metadata: row.metadata ? JSON.parse(row.metadata) : null,
    user_metadata: row.user_metadata ? JSON.parse(row.user_metadata) : null,
  };
}

/**
 * The object, if the actor's policies allow it.
 * @param version the requested version; omit it for the current one, which is the only one kept
 * @throws StorageError 404, also if the object has a different version by now
 */
export async function findObject(
  { database }: StorageService,
  actor: Actor,
  bucket: string,
  name: string,
  version?: string | null,
): Promise<ObjectRow> {
  const text = `select ${OBJECT_COLUMNS} from storage.objects where bucket_id = $1 and name = $2`;
  const [row] = await runAs(database, actor, { text, values: [bucket, name] });
  if (!row) throw noSuchKey();
  return requireVersion(toObject(row), version);
}

/** @throws StorageError 404 if the object has another version */
export function requireVersion(object: ObjectRow, version: string | null | undefined): ObjectRow {
  if (version === null || version === undefined || version === object.version) return object;
  throw noSuchKey();
}
