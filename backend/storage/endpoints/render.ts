import { clientNetwork } from "#backend/http/client-network.ts";
import { parseAccept } from "#backend/http/media-type.ts";
import { isUnchanged } from "../delivery/conditions.ts";
import { forCaller } from "../delivery/for-caller.ts";
import { disposition, safeHeaders } from "../delivery/safe-headers.ts";
import { withCurrentFile } from "../delivery/with-current-file.ts";
import { parseTransform, type Transform, transformHeader } from "../images/transform.ts";
import type { ObjectRow } from "../objects/object-row.ts";
import type { Call, Reply } from "../requests/call.ts";
import { invalidSignature, noSuchKey } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { findOwn, findPublic } from "./object/download.ts";
import { findSigned, verifyDownload } from "./object/signed-download.ts";

/** GET /render/image/public/{bucket}/{path*} */
export async function renderPublic(call: Call, service: StorageService): Promise<Reply> {
  return render(call, service, () => findPublic(call, service), parseTransform(call.query));
}

/** GET /render/image/authenticated/{bucket}/{path*} */
export async function renderOwn(call: Call, service: StorageService): Promise<Reply> {
  return forCaller(await render(call, service, () => findOwn(call, service), parseTransform(call.query)));
}

/** GET /render/image/sign/{bucket}/{path*}?token=…: only with the signed transformations. */
export async function renderSigned(call: Call, service: StorageService): Promise<Reply> {
  const { transformations, version } = await verifyDownload(call, service);
  if (transformations === undefined) throw invalidSignature("The signature is for the object as it is");
  return render(
    call,
    service,
    () => findSigned(call, service, version),
    parseTransform(new URLSearchParams(transformations)),
  );
}

async function render(
  call: Call,
  service: StorageService,
  find: () => Promise<ObjectRow>,
  transform: Transform,
): Promise<Reply> {
  return withCurrentFile(find, (object) => renderObject(call, service, object, transform));
}

/** Whether it is a picture is decided by its bytes: the declared type was never verified. */
async function renderObject(
  { request, query }: Call,
  { renderer, store, config }: StorageService,
  { name, version, metadata, updated_at }: ObjectRow,
  transform: Transform,
): Promise<Reply> {
  if (!metadata) throw noSuchKey();
  const job = {
    version,
    transform,
    formats: acceptedFormats(request.headers.accept),
    size: metadata.size,
    read: () => store.readWhole(version, metadata.size),
    who: clientNetwork(request, config.addressHeader),
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
    ...transformHeader(transform),
    ...headers,
  };
  if (request.method === "HEAD") {
    return { status: 200, headers: { ...described, "content-length": String(bytes.byteLength) } };
  }
  return { status: 200, headers: described, bytes };
}

/** Only types listed by name count: clients that support no newer format send a wildcard, too. */
function acceptedFormats(accept = ""): ("avif" | "webp")[] {
  const accepted = parseAccept(accept).filter(({ weight }) => weight > 0);
  return (["avif", "webp"] as const).filter((format) =>
    accepted.some(({ name }) => name === `image/${format}`),
  );
}
