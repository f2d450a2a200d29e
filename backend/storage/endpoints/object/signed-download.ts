import { asService } from "../../database/run-as.ts";
import { sendObject } from "../../delivery/send-object.ts";
import { findObject, type ObjectRow } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireName } from "../../requests/names.ts";
import { verifyUrl } from "../../requests/url-token.ts";
import { invalidSignature } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

/** GET /object/sign/{bucket}/{path*}?token=… */
export async function signedDownload(call: Call, service: StorageService): Promise<Reply> {
  const { transformations, version } = await verifyDownload(call, service);
  if (transformations !== undefined) throw invalidSignature("The signature is for a rendered picture");
  return sendObject(call, service.store, () => findSigned(call, service, version));
}

/** @throws StorageError 400 for a token not signed for this object */
export function verifyDownload(call: Call, service: StorageService) {
  const { bucket = "", path = "" } = call.params;
  return verifyUrl(service, call.query.get("token"), "download", `${bucket}/${path}`);
}

/** Call only after `verifyDownload`. @throws StorageError 404 */
export function findSigned(call: Call, service: StorageService, version?: string): Promise<ObjectRow> {
  const { bucket = "", path = "" } = call.params;
  return findObject(service, asService(call), bucket, requireName(path), version);
}
