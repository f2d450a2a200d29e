import { forCaller } from "../../delivery/for-caller.ts";
import { sendObject } from "../../delivery/send-object.ts";
import { parseTransform } from "../../images/transform.ts";
import { findObject, type ObjectRow } from "../../objects/object-row.ts";
import { findPublicObject } from "../../objects/public-objects.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireName } from "../../requests/names.ts";
import { isRefusal, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

/** GET /object/{bucket}/{path*} and /object/authenticated/…: subject to the caller's policies, unless public. */
export async function download(call: Call, service: StorageService): Promise<Reply> {
  requireTransform(call);
  return forCaller(await sendObject(call, service.store, () => findOwn(call, service)));
}

/** GET /object/public/{bucket}/{path*}: from a public bucket, without a key. */
export async function downloadPublic(call: Call, service: StorageService): Promise<Reply> {
  requireTransform(call);
  return sendObject(call, service.store, () => findPublic(call, service));
}

/**
 * Checks the parameters of a rendering if only the headers are requested, as upstream: whoever prepares a rendering
 * that way learns of a mistake.
 * @throws StorageError 400
 */
function requireTransform({ request, query }: Call): void {
  if (request.method === "HEAD") parseTransform(query);
}

/**
 * The object, if the caller's policies allow it or its bucket is public: anyone may read what is in there, with
 * whatever token. The policies come first, since most callers of these paths read private objects.
 * @throws StorageError 403, 404
 */
export async function findOwn(call: Call, service: StorageService): Promise<ObjectRow> {
  const { bucket = "", path = "" } = call.params;
  const name = requireName(path);
  try {
    return await findObject(service, await call.actor(), bucket, name, call.query.get("versionId"));
  } catch (refused) {
    if (!isRefusal(refused)) throw refused;
    return findPublic(call, service).catch((cause) => {
      throw cause instanceof StorageError && cause.code === "NoSuchBucket" ? refused : cause;
    });
  }
}

/** @throws StorageError 404, also if the bucket exists but is not public */
export async function findPublic(call: Call, service: StorageService): Promise<ObjectRow> {
  const { bucket = "", path = "" } = call.params;
  return findPublicObject(service, bucket, requireName(path), call.query.get("versionId"));
}
