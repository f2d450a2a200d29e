import { findLimits } from "../../objects/bucket-row.ts";
import { isUpsert, modeOf, type SaveMode } from "../../objects/save-object.ts";
import { requireRight, requireRoom, storeObject } from "../../objects/store-object.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import { readUpload } from "../../requests/read-upload.ts";
import { invalidKey } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

/** POST /object/{bucket}/{path*}: creates an object, or with `x-upsert: true` also replaces an existing one. */
export function upload(call: Call, service: StorageService): Promise<Reply> {
  return receive(call, service, modeOf(isUpsert(call.request)));
}

/** PUT /object/{bucket}/{path*}: replaces an existing object. */
export function update(call: Call, service: StorageService): Promise<Reply> {
  return receive(call, service, "update");
}

/** POST and PUT /object/{bucket}: an upload without a name. @throws StorageError 400 */
export async function uploadNameless(): Promise<Reply> {
  throw invalidKey("");
}

async function receive(call: Call, service: StorageService, mode: SaveMode): Promise<Reply> {
  const { request, params } = call;
  const actor = await call.actor();
  const name = requireKey(params.path as string);
  const bucket = await findLimits(service, actor, params.bucket as string);
  const place = { actor, bucket, name, mode };
  const body = await readUpload(request);
  await requireRight(service, place, body);
  requireRoom(service, place, body);
  const { id } = await storeObject(service, place, body);
  return { status: 200, body: { Id: id, Key: `${bucket.id}/${name}` } };
}
