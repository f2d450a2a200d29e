import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Algorithm, Checksum } from "../objects/object-row.ts";
import { invalidRequest, StorageError } from "../storage-error.ts";
import { type CrcTable, makeCrcTable, stepCrc } from "./crc-table.ts";

/** An incremental checksum. */
export type Sum = { update(chunk: Uint8Array): void; digest(): Buffer };

/** Supported S3 checksums, with their length in bytes. */
const SUMS = {
  crc32: { bytes: 4, open: openCrc32 },
  // The Castagnoli and NVMe polynomials, bit-reversed; node:zlib supports neither.
  crc32c: { bytes: 4, open: () => openCrc(makeCrcTable(0, 0x82f63b78), 4) },
  crc64nvme: { bytes: 8, open: () => openCrc(makeCrcTable(0x9a6c9329, 0xac4bc9b5), 8) },
  md5: { bytes: 16, open: () => openHash("md5") },
  sha1: { bytes: 20, open: () => openHash("sha1") },
  sha256: { bytes: 32, open: () => openHash("sha256") },
  sha512: { bytes: 64, open: () => openHash("sha512") },
} satisfies Record<Algorithm, { bytes: number; open: () => Sum }>;

const PREFIX = "x-amz-checksum-";
/** Suffixes of headers with this prefix that are no checksums. */
const ABOUT_SUMS = ["algorithm", "mode", "type"];

export function openSum(algorithm: Algorithm): Sum {
  return SUMS[algorithm].open();
}

export const ALGORITHMS = Object.keys(SUMS) as Algorithm[];

/** @throws StorageError 400 for an unsupported one */
export function requireAlgorithm(name: string): Algorithm {
  const found = name.toLowerCase();
  if (Object.hasOwn(SUMS, found)) return found as Algorithm;
  const names = ALGORITHMS.join(", ").toUpperCase();
  throw invalidRequest(`Checksum algorithm provided is unsupported. Please try again with any of: ${names}`);
}

export function headerOf(algorithm: Algorithm): string {
  return PREFIX + algorithm;
}

export function isChecksum(header: string): boolean {
  return header.startsWith(PREFIX) && !ABOUT_SUMS.includes(header.slice(PREFIX.length));
}

/** The checksum in the headers, or the one announced as a trailer; null if there is none. @throws StorageError 400 */
export function readChecksum(
  headers: Readonly<Record<string, string>>,
): { algorithm: Algorithm; value: string | null } | null {
  const announced = (headers["x-amz-trailer"] ?? "").toLowerCase().split(",");
  const names = [...Object.keys(headers), ...announced.map((name) => name.trim())]
    .filter(isChecksum)
    .map((name) => name.slice(PREFIX.length));
  const [name, ...more] = new Set(names);
  if (name === undefined) return null;
  if (more.length > 0)
    throw invalidRequest(
      "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.",
    );
  const algorithm = requireAlgorithm(name);
  const value = headers[headerOf(algorithm)];
  return { algorithm, value: value === undefined ? null : requireValue(algorithm, value) };
}

/** @throws StorageError 400 if it cannot be a checksum of this algorithm */
export function requireValue(algorithm: Algorithm, value: string): string {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length === SUMS[algorithm].bytes && bytes.toString("base64") === value) return value;
  throw invalidRequest(`Value for ${headerOf(algorithm)} header is invalid.`);
}

/** The checksum as response headers. */
export function checksumHeaders(checksum: Checksum | null | undefined): Record<string, string> {
  if (!checksum) return {};
  return { [headerOf(checksum.algorithm)]: checksum.value, "x-amz-checksum-type": checksum.type };
}

/** The checksum as elements of an XML response. */
export function checksumElements(checksum: Checksum | null | undefined): Record<string, string> {
  if (!checksum) return {};
  return { [elementOf(checksum.algorithm)]: checksum.value, ChecksumType: checksum.type };
}

export function elementOf(algorithm: Algorithm): string {
  return `Checksum${algorithm.toUpperCase()}`;
}

export function badDigest(name: string): StorageError {
  const message = `The ${name} you specified did not match the calculated checksum.`;
  return new StorageError(400, "BadDigest", message);
}

function openHash(name: string): Sum {
  const hash = createHash(name);
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest() };
}

function openCrc32(): Sum {
  let sum = 0;
  const update = (chunk: Uint8Array) => {
    sum = crc32(chunk, sum);
  };
  const digest = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sum);
    return bytes;
  };
  return { update, digest };
}

function openCrc(table: CrcTable, bytes: number): Sum {
  const state = new Uint32Array([bytes === 8 ? 0xffffffff : 0, 0xffffffff]);
  const digest = () => {
    const all = Buffer.alloc(8);
    for (const [index, half] of state.entries()) all.writeUInt32BE(~half >>> 0, index * 4);
    return all.subarray(8 - bytes);
  };
  return { update: (chunk) => stepCrc(table, state, chunk), digest };
}
