import { LARGEST_HELD } from "../files/held-files.ts";
import type { ByteRange, ObjectStore } from "../files/object-store.ts";
import type { FileMetadata, ObjectRow } from "../objects/object-row.ts";
import type { Call, Reply } from "../requests/call.ts";
import { noSuchKey, StorageError } from "../storage-error.ts";
import { isConditionFailed, isRangeFresh, isUnchanged } from "./conditions.ts";
import { disposition, safeHeaders } from "./safe-headers.ts";
import { withCurrentFile } from "./with-current-file.ts";

/** Sends the object's bytes, or 304/412 as the conditional headers require (RFC 9110). */
export function sendObject(
  call: Pick<Call, "request" | "query">,
  store: ObjectStore,
  find: () => Promise<ObjectRow>,
): Promise<Reply> {
  return withCurrentFile(find, (object) => send(call, store, object));
}

async function send(
  call: Pick<Call, "request" | "query">,
  store: ObjectStore,
  object: ObjectRow,
): Promise<Reply> {
  const { metadata } = object;
  if (!metadata) throw noSuchKey();
  const { headers: asked, method } = call.request;
  const validators = {
    eTag: metadata.eTag,
    lastModified: new Date(object.updated_at ?? metadata.lastModified),
  };
  const headers = describe(call, object, metadata, validators);
  if (isConditionFailed(asked, validators)) return { status: 412, headers };
  if (isUnchanged(asked, validators)) return { status: 304, headers };
  const range = isRangeFresh(asked, validators) ? parseRange(asked.range, metadata.size) : "all";
  if (range === "unsatisfiable") throw unsatisfiable(metadata.size);
  const length = range === "all" ? metadata.size : range.end - range.start + 1;
  const status = range === "all" ? 200 : 206;
  const sized = { ...headers, "content-length": String(length), ...contentRange(range, metadata.size) };
  if (method === "HEAD" || length === 0) return { status, headers: sized };
  if (metadata.size <= LARGEST_HELD) {
    const whole = await store.readWhole(object.version, metadata.size);
    const bytes = range === "all" ? whole : whole.subarray(range.start, range.end + 1);
    return { status, headers: sized, bytes };
  }
  return {
    status,
    headers: sized,
    stream: await store.read(object.version, range === "all" ? undefined : range),
  };
}

function describe(
  { query }: Pick<Call, "query">,
  { name }: ObjectRow,
  { mimetype, cacheControl, contentEncoding, xRobotsTag }: FileMetadata,
  { eTag, lastModified }: { eTag: string; lastModified: Date },
): Record<string, string> {
  return {
    ...safeHeaders(mimetype),
    ...(xRobotsTag && { "x-robots-tag": xRobotsTag }),
    ...disposition(query.get("download"), name, mimetype),
    ...(contentEncoding && { "content-encoding": contentEncoding }),
    "cache-control": cacheControl,
    "accept-ranges": "bytes",
    etag: eTag,
    "last-modified": lastModified.toUTCString(),
  };
}

function contentRange(range: ReturnType<typeof parseRange>, size: number): Record<string, string> {
  return typeof range === "string" ? {} : { "content-range": `bytes ${range.start}-${range.end}/${size}` };
}

function unsatisfiable(size: number): StorageError {
  const headers = { "content-range": `bytes */${size}` };
  return new StorageError(416, "InvalidRange", "invalid range provided", { error: "invalid_range", headers });
}

/**
 * The single range of a Range header (RFC 9110 §14). `all` for none, for several and for other units, which a server
 * may answer in full; `unsatisfiable` if it lies outside the file.
 */
function parseRange(header: string | undefined, size: number): ByteRange | "all" | "unsatisfiable" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "all";
  if (first === "") return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return "all";
  return start < size ? { start, end } : "unsatisfiable";
}

function lastBytes(count: number, size: number): ByteRange | "unsatisfiable" {
  if (count === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - count), end: size - 1 };
}
