import type { Row } from "#backend/postgres/database.ts";
import { isoTime } from "../database/iso-time.ts";
import { type Actor, asService, runAs } from "../database/run-as.ts";
import { noSuchBucket } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";

/** A bucket in API form. */
export type Bucket = {
  id: string;
  name: string;
  owner: string;
  public: boolean;
  type: string;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
  created_at: string | null;
  updated_at: string | null;
};

export const BUCKET_COLUMNS = `id, name, coalesce(owner_id, owner::text, '') as owner, public, type, file_size_limit,
  to_json(allowed_mime_types) as allowed_mime_types, created_at, updated_at`;

export function toBucket(row: Row): Bucket {
  return {
    id: row.id as string,
    name: row.name as string,
    owner: row.owner ?? "",
    public: row.public === "t",
    type: row.type as string,
    file_size_limit: row.file_size_limit === null ? null : Number(row.file_size_limit),
    allowed_mime_types: row.allowed_mime_types ? JSON.parse(row.allowed_mime_types) : null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The bucket, if the actor's policies allow it. @throws StorageError 404 */
export async function findBucket({ database }: StorageService, actor: Actor, id: string): Promise<Bucket> {
  const text = `select ${BUCKET_COLUMNS} from storage.buckets where id = $1`;
  const [row] = await runAs(database, actor, { text, values: [id] });
  if (!row) throw noSuchBucket();
  return toBucket(row);
}

/** The bucket's limits, which apply to all callers, whether or not they may list buckets. @throws StorageError 404 */
export function findLimits(service: StorageService, actor: Actor, id: string): Promise<Bucket> {
  return findBucket(service, asService(actor), id);
}
