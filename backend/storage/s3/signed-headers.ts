import type { HttpRequest } from "#backend/http/http-message.ts";
import { accessDenied, invalidArgument } from "../storage-error.ts";
import { isChecksum } from "./checksums.ts";

type Headers = HttpRequest["headers"];

const PREFIX = "x-amz-";
/** Parameters of the signature itself. */
const OF_SIGNATURE = [
  "algorithm",
  "credential",
  "date",
  "expires",
  "security-token",
  "signature",
  "signedheaders",
].map((name) => PREFIX + name);
/** Amazon's older JavaScript client also moves these, and no others. */
const ALSO_MOVED = ["content-type", "content-md5", "cache-control"];
/** CloudFront adds this to whatever it forwards; it says nothing about the request. */
const OF_PROXIES = ["x-amz-cf-id"];

/**
 * The headers that clients move to the query of a presigned URL. Checksums are ignored: whoever signs does not know the
 * body yet, and Amazon's JavaScript client signs the checksum of an empty one.
 * @throws StorageError 400 for what cannot be in a header
 */
export function headersInQuery(query: URLSearchParams): Headers {
  const moved = [...query]
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => isMoved(name) && name !== "x-amz-trailer" && !isChecksum(name));
  return toHeaders(moved);
}

/**
 * Headers that were sent as something else, by lowercase names; the signature's own are left out.
 * @throws StorageError 400 for what cannot be in a header
 */
export function toHeaders(sent: [name: string, value: string][]): Headers {
  const headers = sent.filter(([name]) => !OF_SIGNATURE.includes(name));
  const broken = headers.find(([, value]) => /\p{Cc}/u.test(value));
  if (broken) throw invalidArgument(`${broken[0]} contains characters that no header can`);
  return Object.fromEntries(headers);
}

/** Whether a parameter of this name, in lowercase, may be a header that was moved to the query. */
export const isMoved = (name: string) => name.startsWith(PREFIX) || ALSO_MOVED.includes(name);

/**
 * Each header that tells S3 what to do must be signed: else whoever gets a URL to write one object could add that it is
 * to be a copy of another.
 * @throws StorageError 403
 */
export function requireSigned(headers: Headers, signedNames: string[]): void {
  const signed = new Set([...signedNames, ...OF_PROXIES]);
  const bare = Object.keys(headers).find((name) => name.startsWith(PREFIX) && !signed.has(name));
  if (bare !== undefined)
    throw accessDenied(`There were headers present in the request which were not signed: ${bare}`);
}
