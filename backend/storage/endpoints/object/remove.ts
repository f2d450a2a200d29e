import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import { runAs } from "../../database/run-as.ts";
import { OBJECT_COLUMNS, type ObjectRow, toObject } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { noSuchKey } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

const AT_MOST = 1000;
const Entry = v.union([v.string(), v.object({ path: v.string() })]);
const Body = v.object({
  prefixes: v.pipe(
    v.array(Entry),
    v.minLength(1),
    v.maxLength(AT_MOST, "must NOT have more than 1000 items"),
  ),
});

/** DELETE /object/{bucket} with `{prefixes}`: those of the objects that the caller may remove. */
export async function removeMany(call: Call, service: StorageService): Promise<Reply> {
  const { prefixes } = await readJson(call, Body);
  const names = prefixes.map((entry) => (typeof entry === "string" ? entry : entry.path));
  return { status: 200, body: await removeObjects(call, service, names) };
}

/** DELETE /object/{bucket}/{path*} */
export async function removeOne(call: Call, service: StorageService): Promise<Reply> {
  const [removed] = await removeObjects(call, service, [requireKey(call.params.path as string)]);
  if (!removed) throw noSuchKey();
  return { status: 200, body: { message: "Successfully deleted" } };
}

async function removeObjects(call: Call, service: StorageService, names: string[]): Promise<ObjectRow[]> {
  const actor = await call.actor();
  const text = `delete from storage.objects
    where bucket_id = $1 and name in (select jsonb_array_elements_text($2::jsonb)) returning ${OBJECT_COLUMNS}`;
  const values = [call.params.bucket as string, JSON.stringify(names)];
  return forgetFiles(service, await runAs(service.database, actor, { text, values }));
}

/** The rows are gone for good; then so may be the files. */
export function forgetFiles(service: StorageService, rows: Row[]): ObjectRow[] {
  const removed = rows.map(toObject);
  service.discard(removed.map(({ version }) => version));
  return removed;
}
