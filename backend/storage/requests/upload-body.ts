import type { Readable } from "node:stream";
import { invalidRequest, wrongType } from "../storage-error.ts";

/** What is uploaded, and what the client says of it. */
export type UploadBody = {
  content: Readable;
  mimetype: string;
  cacheControl: string;
  contentEncoding?: string;
  userMetadata: Record<string, unknown> | null;
};

const LONGEST_HEADER = 255;

/** What will be a header of every answer with this object. @throws StorageError 400 */
export function headerText(text: string, name: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && text.length <= LONGEST_HEADER) return text;
  throw invalidRequest(`Invalid character in response header "${name}"`);
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^",\\\\]*"))*$`);

/**
 * One media type (RFC 9110 §8.3.1): of what looks like a list a browser takes the last, whatever the first was judged by.
 * @throws StorageError 415, 400 for what is no header at all
 */
export function mediaType(text: string): string {
  const type = headerText(text, "content-type").trim();
  if (MEDIA_TYPE.test(type)) return type;
  throw wrongType(text);
}

const LARGEST_METADATA = 1_000_000;

/** The caller's own words about the object: a JSON object. @throws StorageError 400 */
export function parseMetadata(
  text: string | undefined,
  encoding: "base64" | "utf8",
): UploadBody["userMetadata"] {
  if (!text) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, encoding).toString("utf8"));
    const isObject = parsed !== null && typeof parsed === "object" && !Array.isArray(parsed);
    // What is nested too deeply to be written again throws here.
    if (isObject && JSON.stringify(parsed).length <= LARGEST_METADATA) return parsed as never;
  } catch {}
  throw invalidRequest("Invalid metadata: a JSON object is expected");
}
