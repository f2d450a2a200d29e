import type { Readable } from "node:stream";
import { invalidRequest } from "../storage-error.ts";

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
    if (isObject && text.length <= LARGEST_METADATA && !text.includes("\\u0000")) return parsed as never;
  } catch {}
  throw invalidRequest("Invalid metadata: a JSON object is expected");
}
