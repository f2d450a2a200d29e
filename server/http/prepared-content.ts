import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { headersOf304 } from "#backend/http/guarded-server.ts";
import { chooseEncoding, type Encoding } from "./content-encoding.ts";

/** A body in one encoding, with its headers as a flat list, which Node writes without further checks. */
type Variant = { headers: string[]; notModified: string[]; body: Buffer };

/** Content that is sent often: its bytes and headers are prepared once. */
export type PreparedContent = {
  readonly identity: Buffer;
  /** Bytes of all encodings made so far. */
  size(): number;
  variant(encoding: Encoding): Variant;
  /** Replaces an encoding's bytes with better compressed ones. */
  replace(encoding: Encoding, body: Buffer): void;
  /** The hash that all of its entity tags start with. */
  readonly hash: string;
};

/** How to prepare content; `encode` gives null if compression does not pay off. */
export type ContentSource = {
  identity: Buffer;
  /**
   * In lower case; entity tag, length, encoding and `vary` are added. Immutable content gets no tag, since it is never
   * revalidated.
   */
  headers: Record<string, string>;
  encode: (body: Buffer, encoding: "br" | "gzip") => Buffer | null;
  /** A text that is equal wherever the same content is made, if the bytes are not. */
  sameness?: string;
};

export function prepareContent({ identity, headers, encode, sameness }: ContentSource): PreparedContent {
  const hash = createHash("sha256")
    .update(sameness ?? identity)
    .digest("base64url")
    .slice(0, 22);
  // A strong tag would promise identical bytes.
  const open = sameness === undefined ? '"' : 'W/"';
  const variants: Partial<Record<Encoding, Variant>> = {};
  const make = (encoding: Encoding): Variant => {
    const body = encoding === "identity" ? identity : encode(identity, encoding);
    if (!body) return content.variant("identity");
    return toVariant(body, encoding, `${open}${hash}-${encoding}"`, headers);
  };
  const content: PreparedContent = {
    identity,
    hash,
    size: () => [...new Set(Object.values(variants))].reduce((sum, variant) => sum + variant.body.length, 0),
    variant: (encoding) => (variants[encoding] ??= make(encoding)),
    replace(encoding, body) {
      variants[encoding] = toVariant(body, encoding, `${open}${hash}-${encoding}-${body.length}"`, headers);
    },
  };
  variants.identity = make("identity");
  return content;
}

function toVariant(body: Buffer, encoding: Encoding, etag: string, headers: Record<string, string>): Variant {
  const isAskedAgain = !headers["cache-control"]?.includes("immutable");
  const shared: Record<string, string> = {
    ...headers,
    ...(isAskedAgain && { etag }),
    vary: "accept-encoding",
  };
  const coded = encoding === "identity" ? {} : { "content-encoding": encoding };
  return {
    body,
    headers: Object.entries({ ...shared, ...coded, "content-length": String(body.length) }).flat(),
    notModified: Object.entries(headersOf304(shared)).flat(),
  };
}

/** Answers a GET or HEAD; 304 if the client has the content. */
export function sendPrepared(
  request: IncomingMessage,
  response: ServerResponse,
  content: PreparedContent,
): void {
  // Redundant in HTTP/1.1, and fifty bytes for each of a page's thirty files.
  if (request.httpVersion === "1.1" && response.shouldKeepAlive) response.removeHeader("connection");
  const variant = content.variant(chooseEncoding(request.headers["accept-encoding"] as string | undefined));
  const tags = request.headers["if-none-match"];
  if (tags !== undefined && hasTag(tags, content.hash)) {
    response.writeHead(304, variant.notModified);
    response.end();
    return;
  }
  response.writeHead(200, variant.headers);
  response.end(request.method === "HEAD" ? undefined : variant.body);
}

/** The hash alone decides: the content is the same in whichever encoding the client has it. */
function hasTag(tags: string, hash: string): boolean {
  return tags === "*" || tags.includes(`"${hash}-`);
}
