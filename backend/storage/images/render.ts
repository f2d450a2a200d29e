import { clientAddress } from "#backend/http/client-address.ts";
import type { ObjectRow } from "../database/object-row.ts";
import { isUnchanged } from "../delivery/conditions.ts";
import { disposition, safeHeaders } from "../delivery/safe-headers.ts";
import { findOwn, findPublic, forCaller } from "../objects/download.ts";
import type { Call, Reply } from "../requests/call.ts";
import { findSigned, verifyDownload } from "../signing/signed-download.ts";
import { invalidRequest, invalidSignature, noSuchKey } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { parseTransform, type Transform } from "./transform.ts";

/** GET /render/image/public/{bucket}/{path*} */
export async function renderPublic(call: Call, service: StorageService): Promise<Reply> {
  return render(call, service, await findPublic(call, service), parseTransform(call.query));
}

/** GET /render/image/authenticated/{bucket}/{path*} */
export async function renderOwn(call: Call, service: StorageService): Promise<Reply> {
  return forCaller(await render(call, service, await findOwn(call, service), parseTransform(call.query)));
}

/** GET /render/image/sign/{bucket}/{path*}?token=…: only in the form that was signed. */
export async function renderSigned(call: Call, service: StorageService): Promise<Reply> {
  const { transformations } = await verifyDownload(call, service);
  if (transformations === undefined) throw invalidSignature("The signature is for the object as it is");
  return render(
    call,
    service,
    await findSigned(call, service),
    parseTransform(new URLSearchParams(transformations)),
  );
}

async function render(
  { request, query }: Call,
  { renderer, store, config }: StorageService,
  { name, version, metadata, updated_at }: ObjectRow,
  transform: Transform,
): Promise<Reply> {
  if (!metadata) throw noSuchKey();
  if (!metadata.mimetype.startsWith("image/"))
    throw invalidRequest("The object is no picture that can be rendered");
  const job = {
    version,
    transform,
    formats: acceptedFormats(request.headers.accept),
    read: () => store.read(version),
    who: clientAddress(request, config.addressHeader),
  };
  const eTag = `"${renderer.nameOf(job)}"`;
  const lastModified = new Date(updated_at ?? metadata.lastModified);
  const headers = {
    "cache-control": metadata.cacheControl,
    etag: eTag,
    "last-modified": lastModified.toUTCString(),
    ...(!transform.format && { vary: "Accept" }),
  };
  if (isUnchanged(request.headers, { eTag, lastModified })) return { status: 304, headers };
  const { bytes, mimetype } = await renderer.render(job);
  const described = {
    ...safeHeaders(mimetype),
    ...disposition(query.get("download"), name, mimetype),
    ...headers,
  };
  if (request.method === "HEAD") {
    return { status: 200, headers: { ...described, "content-length": String(bytes.byteLength) } };
  }
  return { status: 200, headers: described, bytes };
}

/** A bare `*` is what clients say that know nothing better: only a type by name counts. */
function acceptedFormats(accept = ""): ("avif" | "webp")[] {
  return (["avif", "webp"] as const).filter((format) => accept.includes(`image/${format}`));
}
