import { forCaller } from "../../delivery/for-caller.ts";
import { sendObject } from "../../delivery/send-object.ts";
import { findObject, findPublicObject, type ObjectRow } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import type { StorageService } from "../../storage-service.ts";

/** GET /object/{bucket}/{path*} and /object/authenticated/…: subject to the caller's policies. */
export async function download(call: Call, service: StorageService): Promise<Reply> {
  return forCaller(await sendObject(call, service.store, () => findOwn(call, service)));
}

/** GET /object/public/{bucket}/{path*}: from a public bucket, without a key. */
export function downloadPublic(call: Call, service: StorageService): Promise<Reply> {
  return sendObject(call, service.store, () => findPublic(call, service));
}

/** @throws StorageError 404 */
export async function findOwn(call: Call, service: StorageService): Promise<ObjectRow> {
  const { bucket = "", path = "" } = call.params;
  return findObject(service, await call.actor(), bucket, requireKey(path), call.query.get("versionId"));
}

/** @throws StorageError 404, also if the bucket exists but is not public */
export async function findPublic(call: Call, service: StorageService): Promise<ObjectRow> {
  const { bucket = "", path = "" } = call.params;
  return findPublicObject(service, bucket, requireKey(path), call.query.get("versionId"));
}
