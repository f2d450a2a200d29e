import type { Reply } from "../requests/call.ts";
import { StorageError } from "../storage-error.ts";
import { readWhole } from "./checked-body.ts";
import { parseXml, type XmlContent } from "./parse-xml.ts";
import type { S3Call } from "./s3-call.ts";

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
const MOST_BYTES = 2 * 1024 * 1024;

export type XmlNode = { [name: string]: XmlValue };
type XmlValue = string | number | boolean | XmlNode | XmlNode[] | null | undefined;

/** A response with one root element, of members or a text; null members are omitted, arrays become repeated elements. */
export function xmlReply(
  name: string,
  content: XmlNode | string,
  headers: Record<string, string> = {},
): Reply {
  return {
    status: 200,
    headers: { "content-type": "application/xml", ...headers },
    bytes: toXml(name, content),
  };
}

export function toXml(
  name: string,
  content: XmlNode | string,
  namespace: string | null = NAMESPACE,
): Uint8Array {
  const attribute = namespace === null ? "" : ` xmlns="${namespace}"`;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attribute}>${write(content)}</${name}>`,
  );
}

function write(value: XmlValue): string {
  if (value === null || typeof value !== "object") return escapeXml(String(value));
  return Object.entries(value)
    .flatMap(([name, each]) => [each].flat().map((one) => [name, one] as const))
    .filter(([, one]) => one !== undefined && one !== null)
    .map(([name, one]) => `<${name}>${write(one)}</${name}>`)
    .join("");
}

const ESCAPES: Record<string, string> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&apos;",
  // As it is, it would be read as a line feed.
  "\r": "&#13;",
};

/** Answers repeat what clients sent; XML forbids most control characters. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ufffd]/g, "\ufffd")
    .replace(/[<>&"'\r]/g, (mark) => ESCAPES[mark] as string);
}

/**
 * The content of the body's root element; `declared` is its checksum.
 * @throws StorageError 400 for anything else, 413 beyond 2 MB
 */
export async function readXml(call: S3Call, name: string, declared?: null): Promise<XmlContent | null> {
  const text = await readWhole(call, MOST_BYTES, declared);
  if (text.trim() === "") return null;
  const parsed = parseXml(text);
  if (parsed?.name !== name) throw malformedXml();
  return parsed.content;
}

export function malformedXml(): StorageError {
  return new StorageError(
    400,
    "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our published schema",
  );
}
