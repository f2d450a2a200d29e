import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import { OBJECT_COLUMNS, type ObjectRow, toObject } from "./object-row.ts";

/** A name, and the version to remove if another one may have replaced it. */
export type Removal = { path: string; versionId?: string | undefined };

/** Removes the objects that the actor may remove; returns them. */
export async function removeObjects(
  service: StorageService,
  actor: Actor,
  bucket: string,
  entries: readonly Removal[],
): Promise<ObjectRow[]> {
  const text = `delete from storage.objects
    where bucket_id = $1 and name in (select jsonb_array_elements_text($2::jsonb))
      and coalesce($3::jsonb -> name @> to_jsonb(version), true)
    returning ${OBJECT_COLUMNS}`;
  const names = entries.map(({ path }) => path);
  return forgetFiles(
    service,
    await runAs(service.database, actor, {
      text,
      values: [bucket, JSON.stringify(names), JSON.stringify(wantedVersions(entries))],
    }),
  );
}

/** Versions by name; names to remove in any version are left out. */
function wantedVersions(entries: readonly Removal[]): Record<string, (string | undefined)[]> {
  const byName = Map.groupBy(entries, ({ path }) => path);
  const exact = [...byName].filter(([, named]) => named.every(({ versionId }) => versionId !== undefined));
  return Object.fromEntries(exact.map(([name, named]) => [name, named.map(({ versionId }) => versionId)]));
}

/** The rows are deleted and committed, so the files may go, too. */
export function forgetFiles(service: StorageService, rows: Row[]): ObjectRow[] {
  const removed = rows.map(toObject);
  service.discard(removed.map(({ version }) => version));
  return removed;
}
