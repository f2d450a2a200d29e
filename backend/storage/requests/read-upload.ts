import type { HttpRequest } from "#backend/http/http-message.ts";
import { bodyOf } from "./body-of.ts";
import { readForm } from "./read-form.ts";
import { headerText, mediaType, parseMetadata, type UploadBody } from "./upload-body.ts";

/**
 * The raw body with metadata from headers, or the file of a form with metadata from its fields.
 * @throws StorageError 400
 */
export async function readUpload(request: HttpRequest): Promise<UploadBody> {
  const { headers } = request;
  if (/^multipart\/form-data\b/i.test(headers["content-type"] ?? "")) return readForm(request);
  const encoding = headers["content-encoding"];
  return {
    content: bodyOf(request),
    mimetype: mediaType(headers["content-type"] || "application/octet-stream"),
    cacheControl: headerText(headers["cache-control"] ?? "no-cache", "cache-control"),
    ...(encoding && { contentEncoding: headerText(encoding, "content-encoding") }),
    userMetadata: parseMetadata(headers["x-metadata"], "base64"),
  };
}
