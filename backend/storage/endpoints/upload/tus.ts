import * as v from "valibot";
import type { HttpResponse } from "#backend/http/http-message.ts";
import type { Upload } from "../../files/upload-store.ts";
import { headerText, mediaType, metadataOf } from "../../requests/upload-body.ts";
import { invalidRequest, StorageError } from "../../storage-error.ts";

/** https://tus.io/protocols/resumable-upload, with these extensions. */
export const TUS_HEADERS = { "tus-resumable": "1.0.0", "cache-control": "no-store" };
export const EXTENSIONS =
  "creation,creation-with-upload,creation-defer-length,checksum,concatenation,termination,expiration";
export const CHECKSUMS: readonly string[] = ["sha1", "sha256", "md5"];
export const CHUNK_TYPE = "application/offset+octet-stream";

/** Whether requests to a path, below the service's, follow the protocol. */
export function isResumable(path: string): boolean {
  return /^\/upload\/resumable(\/|$)/.test(path);
}

/** Whether a resumable upload's path is for callers with a signed URL. */
export function isSigned(path: string): boolean {
  return /^\/upload\/resumable\/sign(\/|$)/.test(path);
}

/** As upstream: the protocol's clients go by the status, and show the body, which is the message alone, as it is. */
export function tusRefusal({ statusCode, code, message, headers }: StorageError): HttpResponse {
  const text = code === "EntityTooLarge" ? "Maximum size exceeded\n" : message.toWellFormed();
  return {
    status: statusCode,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      ...TUS_HEADERS,
      ...headers,
    },
    body: text.replace(/[^\n\x20-\x7e]/gu, encodeURIComponent),
  };
}

type Headers = Readonly<Record<string, string>>;

/** @throws StorageError 412 for other versions of the protocol */
export function requireVersion(headers: Headers): void {
  if (headers["tus-resumable"] === "1.0.0") return;
  throw new StorageError(412, "TusError", "Tus-Resumable: 1.0.0 is required", {
    headers: { "tus-version": "1.0.0" },
  });
}

/** Parses a header with a byte count. @throws StorageError 400 */
export function readCount(headers: Headers, name: "upload-length" | "upload-offset"): number {
  const text = headers[name] ?? "";
  const count = Number(text);
  if (/^\d{1,15}$/.test(text)) return count;
  throw invalidRequest(`Header ${name} must be a number of bytes`);
}

/** The checksum of the request's body. @throws StorageError 400 for an unsupported algorithm */
export function readChecksum(headers: Headers): { algorithm: string; sum: string } | null {
  const text = headers["upload-checksum"];
  if (text === undefined) return null;
  const [algorithm = "", sum = ""] = text.trim().split(/ +/);
  if (!CHECKSUMS.includes(algorithm) || sum === "") {
    throw invalidRequest(`Header upload-checksum must be one of ${CHECKSUMS.join(", ")} and a sum in base64`);
  }
  return { algorithm, sum };
}

/** Parses Upload-Concat: null if absent, the parts' ids for a final upload. @throws StorageError 400 */
export function readConcat(headers: Headers): "partial" | string[] | null {
  const text = headers["upload-concat"]?.trim();
  if (text === undefined) return null;
  if (text === "partial") return "partial";
  const [, urls] = /^final;\s*(.+)$/.exec(text) ?? [];
  if (urls === undefined)
    throw invalidRequest("Header upload-concat must be partial, or final and addresses");
  return urls.split(/\s+/).map((url) => url.replace(/^.*\//, ""));
}

/** Uppy sends each allowed field: those that a file does not have, as the text of what JavaScript has instead. */
const Optional = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => (text === "undefined" || text === "null" ? undefined : text)),
  ),
);
const Described = v.object({
  bucketName: v.string(),
  objectName: v.string(),
  contentType: Optional,
  cacheControl: Optional,
  metadata: Optional,
});

/** Parses Upload-Metadata: `name base64, name base64`. @throws StorageError 400 */
export function readDescription(header = "") {
  const pairs = header
    .split(",")
    .map((pair) => pair.trim().split(" "))
    .filter(([name]) => name)
    .map(([name, value = ""]) => [name, Buffer.from(value, "base64").toString("utf8")]);
  const parsed = v.safeParse(Described, Object.fromEntries(pairs));
  if (!parsed.success) throw invalidRequest("Upload-Metadata must name bucketName and objectName");
  const { bucketName, objectName, contentType, cacheControl, metadata } = parsed.output;
  return {
    bucket: bucketName,
    name: objectName,
    mimetype: mediaType(contentType ?? "application/octet-stream"),
    cacheControl: headerText(cacheControl ? maxAge(cacheControl) : "no-cache", "cache-control"),
    // As upstream, nothing else than an object is kept, and nothing is refused.
    userMetadata: metadata ? metadataOf(metadata) : null,
    ...(/^[\x20-\x7e]+$/.test(header) && { described: header }),
  };
}

function maxAge(text: string): string {
  return /^\d+$/.test(text) ? `max-age=${text}` : text;
}

/** Headers with an upload's progress. */
export function progress({ offset, expiresAt, concat }: Upload): Record<string, string> {
  return {
    ...TUS_HEADERS,
    "upload-offset": String(offset),
    "upload-expires": new Date(expiresAt).toUTCString(),
    ...(concat && { "upload-concat": concat }),
  };
}
