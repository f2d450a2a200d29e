import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { accessDenied, StorageError } from "../storage-error.ts";
import { headersInQuery, requireSigned } from "./signed-headers.ts";

/** A request's signature (AWS Signature Version 4), from the header or the query. */
export type Signature = {
  accessKey: string;
  /** Date, region and service that the signing key is derived for. */
  scope: string;
  /** ISO 8601 basic format: 20261122T141500Z. */
  time: string;
  signedHeaders: string[];
  signature: string;
  sessionToken: string | null;
  /** The body's SHA-256, or a keyword for how it is signed. */
  payload: string;
};

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";
/** Maximum clock skew. */
const SKEW_MS = 15 * 60_000;
const LONGEST_SECONDS = 7 * 24 * 3600;

type Headers = HttpRequest["headers"];

/**
 * The signature, and the request as it was signed: commands must be given only that.
 * @throws StorageError 403 for an unsigned request or header, or one signed too long ago or in the future; 400 for an
 * incomplete signature
 */
export function readSignature(
  request: HttpRequest,
  query: URLSearchParams,
): { signature: Signature; signed: HttpRequest } {
  const { authorization = "" } = request.headers;
  const isInHeader = authorization.startsWith(`${ALGORITHM} `);
  if (!isInHeader && !query.has("X-Amz-Signature")) throw accessDenied("Missing signature");
  const moved = isInHeader ? {} : headersInQuery(query);
  const headers = { ...request.headers, ...moved };
  const signature = isInHeader ? fromHeader(headers, authorization) : fromQuery(query, headers);
  requireSigned(headers, [...signature.signedHeaders, ...Object.keys(moved)]);
  return { signature, signed: { ...request, headers } };
}

function fromHeader(headers: Headers, authorization: string): Signature {
  const parts = new Map(
    authorization
      .slice(ALGORITHM.length + 1)
      .split(",")
      .map((part): [string, string] => {
        const [name = "", ...value] = part.trim().split("=");
        return [name, value.join("=")];
      }),
  );
  const time = headers["x-amz-date"] ?? "";
  const signature = assemble({
    credential: parts.get("Credential") ?? "",
    signedHeaders: parts.get("SignedHeaders") ?? "",
    signature: parts.get("Signature") ?? "",
    time,
    sessionToken: headers["x-amz-security-token"] ?? null,
    payload: payloadOf(headers),
  });
  if (Math.abs(Date.now() - parseTime(time)) > SKEW_MS) throw skewed();
  return signature;
}

function fromQuery(query: URLSearchParams, headers: Headers): Signature {
  const time = query.get("X-Amz-Date") ?? "";
  const signature = assemble({
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: query.get("X-Amz-SignedHeaders") ?? "",
    signature: query.get("X-Amz-Signature") ?? "",
    time,
    sessionToken: query.get("X-Amz-Security-Token"),
    payload: payloadOf(headers),
  });
  const seconds = Number(query.get("X-Amz-Expires") ?? Number.NaN);
  if (query.get("X-Amz-Algorithm") !== ALGORITHM || !(seconds >= 0 && seconds <= LONGEST_SECONDS))
    throw incomplete();
  const age = Date.now() - parseTime(time);
  if (age < -SKEW_MS) throw skewed();
  if (age > seconds * 1000) throw accessDenied("Request has expired");
  return signature;
}

/** The signature of a form, of its field `policy`. @throws StorageError 400 for an incomplete signature */
export function signatureOfForm(fields: ReadonlyMap<string, string>): Signature {
  if (fields.get("x-amz-algorithm") !== ALGORITHM) throw incomplete();
  return assemble({
    credential: fields.get("x-amz-credential") ?? "",
    signedHeaders: "host",
    signature: fields.get("x-amz-signature") ?? "",
    time: fields.get("x-amz-date") ?? "",
    sessionToken: fields.get("x-amz-security-token") ?? null,
    payload: UNSIGNED,
  });
}

function payloadOf(headers: Headers): string {
  return headers["x-amz-content-sha256"] ?? UNSIGNED;
}

type Sent = Omit<Signature, "accessKey" | "scope" | "signedHeaders"> & {
  credential: string;
  signedHeaders: string;
};

function assemble({ credential, signedHeaders: names, ...sent }: Sent): Signature {
  const [, accessKey, scope, day] = /^(.+)\/((\d{8})\/[^/]+\/s3\/aws4_request)$/.exec(credential) ?? [];
  const signedHeaders = names.split(";");
  const isWhole =
    /^[\da-f]{64}$/.test(sent.signature) && sent.time.slice(0, 8) === day && signedHeaders.includes("host");
  if (accessKey === undefined || scope === undefined || !isWhole) throw incomplete();
  return { ...sent, accessKey, scope, signedHeaders };
}

function parseTime(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if (parts.length === 0) throw incomplete();
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number]));
}

function incomplete(): StorageError {
  return new StorageError(400, "InvalidSignature", "Invalid signature format");
}

function skewed(): StorageError {
  const message = "The difference between the request time and the server's time is too large.";
  return new StorageError(403, "RequestTimeTooSkewed", message);
}

/** Signs with the request's key: used for the chunks of its body. */
export type Signer = (text: string) => string;

/** The signer if the request was signed with `secret`, else null. */
export function verifySignature(
  request: HttpRequest,
  query: URLSearchParams,
  signature: Signature,
  secret: string,
): Signer | null {
  const texts = canonicalForms(request, query, signature).map((form) =>
    [ALGORITHM, signature.time, signature.scope, hash("sha256", form)].join("\n"),
  );
  return verifyTexts(texts, signature, secret);
}

/** The signer if one of the texts was signed with `secret`, else null. */
export function verifyTexts(texts: string[], { scope, signature }: Signature, secret: string): Signer | null {
  const sign = createSigner(scope, secret);
  const isSame = (text: string) => timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature));
  return texts.some(isSame) ? sign : null;
}

/** The signing key is derived from date, region and service. */
export function createSigner(scope: string, secret: string): Signer {
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of scope.split("/")) key = createHmac("sha256", key).update(part).digest();
  return (text) => createHmac("sha256", key).update(text).digest("hex");
}

/**
 * The canonical requests that a client may have signed: the path as sent or as AWS encodes it, with the host of this
 * server or, behind a proxy, the forwarded one.
 */
function canonicalForms(
  { method, url, headers }: HttpRequest,
  query: URLSearchParams,
  { signedHeaders, payload }: Signature,
): string[] {
  const { path } = splitAddress(url);
  const hosts = [headers.host ?? "", headers["x-forwarded-host"]].filter((host) => host !== undefined);
  // By name, then by value: as whole texts, "a-b=" would precede "a=".
  const parameters = [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([name, value], [other, otherValue]) => inOrder(name, other) || inOrder(value, otherValue))
    .map((pair) => pair.join("="));
  const names = signedHeaders.toSorted();
  return [...new Set([path, encodePath(path)])].flatMap((sentPath) =>
    hosts.map((host) => {
      const lines = names.map((name) => {
        const value = name === "host" ? host : (headers[name] ?? "");
        return `${name}:${value.trim().replace(/ +/g, " ")}\n`;
      });
      return [method, sentPath, parameters.join("&"), lines.join(""), names.join(";"), payload].join("\n");
    }),
  );
}

const inOrder = (a: string, b: string) => Number(a > b) - Number(a < b);

/** Percent-encodes as RFC 3986 requires, which leaves fewer characters unencoded than JavaScript does. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function encodePath(path: string): string {
  try {
    return path
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/");
  } catch {
    return path;
  }
}
