import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";
import { OBJECT_COLUMNS, type ObjectRow, toObject } from "./object-row.ts";

/** Removes those of the objects that the actor may remove; gives them. */
export async function removeObjects(
  service: StorageService,
  actor: Actor,
  bucket: string,
  names: readonly string[],
): Promise<ObjectRow[]> {
  const text = `delete from storage.objects
    where bucket_id = $1 and name in (select jsonb_array_elements_text($2::jsonb)) returning ${OBJECT_COLUMNS}`;
  return forgetFiles(
    service,
    await runAs(service.database, actor, { text, values: [bucket, JSON.stringify(names)] }),
  );
}

/** The rows are gone for good; then so may be the files. */
export function forgetFiles(service: StorageService, rows: Row[]): ObjectRow[] {
  const removed = rows.map(toObject);
  service.discard(removed.map(({ version }) => version));
  return removed;
}
