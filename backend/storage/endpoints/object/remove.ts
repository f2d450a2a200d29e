import * as v from "valibot";
import { removeObjects } from "../../objects/remove-objects.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { noSuchKey } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

const Entry = v.union([v.string(), v.object({ path: v.string(), versionId: v.optional(v.string()) })]);
// The size of the body limits their number.
const Body = v.object({ prefixes: v.pipe(v.array(Entry), v.minLength(1)) });

/** DELETE /object/{bucket} with `{prefixes}`: removes the objects that the caller may remove. */
export async function removeMany(call: Call, service: StorageService): Promise<Reply> {
  const { prefixes } = await readJson(call, Body);
  const entries = prefixes.map((entry) => (typeof entry === "string" ? { path: entry } : entry));
  return {
    status: 200,
    body: await removeObjects(service, await call.actor(), call.params.bucket as string, entries),
  };
}

/** DELETE /object/{bucket}/{path*} */
export async function removeOne(call: Call, service: StorageService): Promise<Reply> {
  const { bucket = "", path = "" } = call.params;
  const removal = { path: requireName(path), versionId: call.query.get("versionId") ?? undefined };
  const [removed] = await removeObjects(service, await call.actor(), bucket, [removal]);
  if (!removed) throw noSuchKey();
  return { status: 200, body: { message: "Successfully deleted" } };
}
