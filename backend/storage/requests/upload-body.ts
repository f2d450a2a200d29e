import type { Readable } from "node:stream";
import { invalidRequest, malformedType } from "../storage-error.ts";

/** The client's metadata of a body. */
export type Described = {
  mimetype: string;
  cacheControl: string;
  contentEncoding?: string;
  /** What search engines may do with it. */
  robots?: string;
  userMetadata: Record<string, unknown> | null;
};

/** An uploaded body. `complete` returns its metadata again once it was read, if more of them follow it. */
export type UploadBody = Described & { content: Readable; complete?: () => Promise<Described> };

const LONGEST_HEADER = 255;

export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Validates a text that becomes a header of every response with this object. @throws StorageError 400 */
export function headerText(text: string, name: string): string {
  if (isHeaderText(text)) return text;
  throw invalidRequest(`Invalid character in response header "${name}"`);
}

const isHeaderText = (text: string) => isPrintable(text) && text.length <= LONGEST_HEADER;

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^",\\\\]*"))*$`);

export function isMediaType(text: string): boolean {
  return isPrintable(text) && MEDIA_TYPE.test(text);
}

/**
 * Requires a single media type (RFC 9110 §8.3.1): from what looks like a list, browsers take the last type, while the
 * first might have been validated.
 * @throws StorageError 415
 */
export function mediaType(text: string): string {
  const type = text.trim();
  if (isHeaderText(text) && MEDIA_TYPE.test(type)) return type;
  throw malformedType();
}

const LARGEST_METADATA = 1_000_000;

/** The caller's custom metadata: a JSON object. @throws StorageError 400 */
export function parseMetadata(
  text: string | undefined,
  encoding: "base64" | "utf8",
): Described["userMetadata"] {
  if (!text) return null;
  const parsed = metadataOf(Buffer.from(text, encoding).toString("utf8"));
  if (parsed) return parsed;
  throw invalidRequest("Invalid metadata: a JSON object is expected");
}

/** Custom metadata; null for text that is no JSON object. */
export function metadataOf(json: string): Described["userMetadata"] {
  try {
    const parsed: unknown = JSON.parse(json);
    const isObject = parsed !== null && typeof parsed === "object" && !Array.isArray(parsed);
    // Throws if it is nested too deeply to be serialized again.
    if (isObject && JSON.stringify(parsed).length <= LARGEST_METADATA) return parsed as never;
  } catch {}
  return null;
}
