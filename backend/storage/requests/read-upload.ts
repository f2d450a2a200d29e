import type { HttpRequest } from "#backend/http/http-message.ts";
import { bodyOf } from "./body-of.ts";
import { readForm } from "./read-form.ts";
import { robotsTag } from "./robots-tag.ts";
import { headerText, mediaType, parseMetadata, type UploadBody } from "./upload-body.ts";

/** `size` is what the client declared; null if it did not, and for a form, whose length includes its other fields. */
type DeclaredBody = UploadBody & { size: number | null };

/**
 * The raw body with metadata from headers, or the file of a form with metadata from its fields.
 * @throws StorageError 400
 */
export async function readUpload(request: HttpRequest): Promise<DeclaredBody> {
  const { headers } = request;
  const tag = headers["x-robots-tag"];
  const robots = tag === undefined ? {} : { robots: robotsTag(tag) };
  if (/^multipart\/form-data\b/i.test(headers["content-type"] ?? ""))
    return { ...(await readForm(request, robots)), size: null };
  const { "content-encoding": encoding, "content-length": length } = headers;
  return {
    content: bodyOf(request),
    mimetype: mediaType(headers["content-type"] || "application/octet-stream"),
    cacheControl: headerText(headers["cache-control"] ?? "no-cache", "cache-control"),
    ...(encoding && { contentEncoding: headerText(encoding, "content-encoding") }),
    ...robots,
    userMetadata: parseMetadata(headers["x-metadata"], "base64"),
    size: length === undefined ? null : Number(length),
  };
}
