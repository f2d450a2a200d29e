import { XMLBuilder, XMLParser, XMLValidator } from "fast-xml-parser";
import type { Reply } from "../requests/call.ts";
import { StorageError } from "../storage-error.ts";
import { readWhole } from "./checked-body.ts";
import type { S3Call } from "./s3-call.ts";

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
const MOST_BYTES = 2 * 1024 * 1024;

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: "@" });
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  // Go clients encode quotes, and so every ETag, as numeric references, which are decoded only with this option.
  htmlEntities: true,
  isArray: (name) => name === "Object" || name === "Part",
});

export type XmlNode = { [name: string]: XmlValue };
type XmlValue = string | number | boolean | XmlNode | XmlNode[] | null | undefined;

/** A response with one root element; null members are omitted, arrays become repeated elements. */
export function xmlReply(name: string, content: XmlNode, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { "content-type": "application/xml", ...headers },
    bytes: toXml(name, content),
  };
}

export function toXml(name: string, content: XmlNode, namespace: string | null = NAMESPACE): Uint8Array {
  const element = { ...(namespace !== null && { "@xmlns": namespace }), ...withoutGaps(content) };
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [name]: element })}`);
}

function withoutGaps(content: XmlNode): XmlNode {
  return Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== undefined && value !== null),
  );
}

/**
 * The content of the body's root element; `declared` is its checksum.
 * @throws StorageError 400 for anything else, 413 beyond 2 MB
 */
export async function readXml(call: S3Call, name: string, declared?: null): Promise<unknown> {
  const text = await readWhole(call, MOST_BYTES, declared);
  if (text.trim() === "") return null;
  // Custom entities would allow a small body to expand.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true) throw malformedXml();
  const element: unknown = parser.parse(text)?.[name];
  if (element === undefined) throw malformedXml();
  return element;
}

export function malformedXml(): StorageError {
  return new StorageError(
    400,
    "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our published schema",
  );
}
