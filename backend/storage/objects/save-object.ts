import type { HttpRequest } from "#backend/http/http-message.ts";
import { type Actor, runAs, type Statement } from "../database/run-as.ts";
import { noSuchKey, preconditionFailed } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import type { FileMetadata } from "./object-row.ts";

/** `insert` fails if the name exists, `update` if it does not, `upsert` in neither case. */
export type SaveMode = "insert" | "update" | "upsert";

/** Whether the client lets an existing object be replaced. */
export const isUpsert = ({ headers }: HttpRequest): boolean => headers["x-upsert"] === "true";
export const modeOf = (upsert: boolean): SaveMode => (upsert ? "upsert" : "insert");

export type NewObject = {
  id: string;
  bucket: string;
  name: string;
  owner: string | null;
  version: string;
  metadata: FileMetadata | null;
  userMetadata: Record<string, unknown> | null;
  /** The only version that `update` may replace. */
  replaces?: string | undefined;
};

/** The saved row's id, and the version it replaced, whose file is now unreferenced. */
export type SavedObject = { id: string; replaced: string | null };

const INSERT = `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  select $1::uuid, $2::text, $3::text, $4::uuid, $5::text, $6::text, $7::jsonb, $8::jsonb`;

const OLD = "select id, version from storage.objects where bucket_id = $2 and name = $3";

// No `returning` on insert, since the caller may lack the right to select. The join reads the old version before it is
// overwritten, rather than when `returning` is evaluated.
const STATEMENTS: Record<SaveMode, string> = {
  insert: INSERT,
  upsert: `with old as (${OLD} for update) ${INSERT} from (select) as one left join old on true
    on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
      version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata
    returning id, (select version from old) as replaced`,
  update: `with old as (${OLD} and ($9::text is null or version = $9) for update)
    update storage.objects set owner = $4::uuid, owner_id = $5, version = $6, metadata = $7::jsonb,
      user_metadata = $8::jsonb
    where id = (select id from old) and $1::uuid is not null
    returning id, (select version from old) as replaced`,
};

/** Writes the row as the actor, subject to its policies. @throws StorageError 403, 404, 409, 412 */
export async function saveObject(
  service: StorageService,
  actor: Actor,
  object: NewObject,
  mode: SaveMode,
): Promise<SavedObject> {
  return readSaved(await runAs(service.database, actor, statement(object, mode)), object, mode);
}

/** Checks whether the actor may write this row, without writing it. @throws StorageError 403, 404, 409, 412 */
export async function tryObject(
  service: StorageService,
  actor: Actor,
  object: NewObject,
  mode: SaveMode,
): Promise<void> {
  readSaved(await runAs(service.database, actor, statement(object, mode), { undo: true }), object, mode);
}

function statement(
  { id, bucket, name, owner, version, metadata, userMetadata, replaces }: NewObject,
  mode: SaveMode,
): Statement {
  const values = [id, bucket, name, uuidOrNull(owner), owner, version, json(metadata), json(userMetadata)];
  return { text: STATEMENTS[mode], values: mode === "update" ? [...values, replaces ?? null] : values };
}

function readSaved(
  rows: Record<string, string | null>[],
  { id, replaces }: NewObject,
  mode: SaveMode,
): SavedObject {
  if (mode === "insert") return { id, replaced: null };
  const [row] = rows;
  if (!row) throw replaces === undefined ? noSuchKey() : preconditionFailed();
  return { id: row.id as string, replaced: row.replaced ?? null };
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** For columns `owner`, which have ids of users only, unlike `owner_id`. */
export function uuidOrNull(text: string | null): string | null {
  return text !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text : null;
}
