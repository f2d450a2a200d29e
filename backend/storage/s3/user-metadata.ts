import { HEADER_NAME } from "#backend/http/header-text.ts";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { isPrintable } from "../requests/upload-body.ts";
import { StorageError } from "../storage-error.ts";

const PREFIX = "x-amz-meta-";
/** S3's limit for all names and values, which its clients rely on to read a response's headers. */
const MOST_BYTES = 2048;

type Words = Record<string, unknown> | null;

/** Custom metadata in the request's headers. @throws StorageError 400 if it is too large */
export function readWords(headers: HttpRequest["headers"]): Words {
  const words = Object.entries(headers)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, text]): [string, string] => [name.slice(PREFIX.length), text]);
  if (words.length === 0) return null;
  if (words.reduce((sum, word) => sum + sizeOf(word), 0) > MOST_BYTES) {
    const message = "Your metadata headers exceed the maximum allowed metadata size";
    throw new StorageError(400, "MetadataTooLarge", message);
  }
  return Object.fromEntries(words);
}

/** Custom metadata as headers; what they cannot contain, because another API stored it, is counted. */
export function wordHeaders(words: Words): Record<string, string> {
  const headers: Record<string, string> = {};
  let room = MOST_BYTES;
  let missing = 0;
  for (const [name, text] of Object.entries(words ?? {})) {
    if (isHeader(name, text) && sizeOf([name, text]) <= room) {
      headers[PREFIX + name.toLowerCase()] = text;
      room -= sizeOf([name, text]);
    } else missing++;
  }
  return { ...headers, ...(missing > 0 && { "x-amz-missing-meta": String(missing) }) };
}

function isHeader(name: string, text: unknown): text is string {
  return HEADER_NAME.test(name) && typeof text === "string" && isPrintable(text);
}

const sizeOf = (word: [string, string]) => Buffer.byteLength(word.join(""));
