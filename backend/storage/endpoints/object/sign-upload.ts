import { randomUUID } from "node:crypto";
import { asService, ownerOf } from "../../database/run-as.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { isUpsert, modeOf, tryObject } from "../../objects/save-object.ts";
import { placeUpload, requireRight, requireRoom, storeObject } from "../../objects/store-object.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import { readUpload } from "../../requests/read-upload.ts";
import { signUrl, verifyUploadUrl } from "../../requests/url-token.ts";
import type { StorageService } from "../../storage-service.ts";

/** POST /object/upload/sign/{bucket}/{path*}: a URL by which anyone can upload what the caller may upload. */
export async function signUpload(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const name = requireKey(call.params.path as string);
  const { id: bucket } = await findLimits(service, actor, call.params.bucket as string);
  const upsert = isUpsert(call.request);
  const owner = ownerOf(actor.identity);
  const row = { id: randomUUID(), version: "", bucket, name, owner, metadata: null, userMetadata: null };
  await tryObject(service, actor, row, modeOf(upsert));
  const url = `${bucket}/${name}`;
  const claims = { scope: "upload" as const, url, owner, upsert };
  const token = await signUrl(service, claims, service.config.uploadUrlLifetime);
  return { status: 200, body: { url: `/object/upload/sign/${url}?token=${token}`, token } };
}

/** PUT /object/upload/sign/{bucket}/{path*}?token=…: uploads with the signer's rights and in the signer's name. */
export async function signedUpload(call: Call, service: StorageService): Promise<Reply> {
  const { bucket = "", path = "" } = call.params;
  const { upsert, owner } = await verifyUploadUrl(service, call.query.get("token"), `${bucket}/${path}`);
  const upload = await placeUpload(service, asService(call), { bucket, name: path, upsert, owner });
  const body = await readUpload(call.request);
  await requireRight(service, upload, body);
  requireRoom(service, upload, body);
  await storeObject(service, upload, body);
  return { status: 200, body: { Key: `${upload.bucket.id}/${upload.name}` } };
}
