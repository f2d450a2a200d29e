import type { Algorithm, Checksum } from "../objects/object-row.ts";
import type { SumKind } from "../objects/part-rows.ts";
import { invalidRequest, StorageError } from "../storage-error.ts";
import {
  ALGORITHMS,
  badDigest,
  elementOf,
  headerOf,
  openSum,
  requireAlgorithm,
  requireValue,
  type Sum,
} from "./checksums.ts";

/** The checksum types an algorithm supports; the first is the default. */
function typesOf(algorithm: Algorithm): Checksum["type"][] {
  if (algorithm === "crc64nvme") return ["FULL_OBJECT"];
  return algorithm.startsWith("crc") ? ["COMPOSITE", "FULL_OBJECT"] : ["COMPOSITE"];
}

/** Reads the checksum type requested for a new upload. @throws StorageError 400 */
export function readPartSums(headers: Readonly<Record<string, string>>): SumKind | null {
  const name = headers["x-amz-checksum-algorithm"];
  const asked = headers["x-amz-checksum-type"]?.toUpperCase();
  if (name === undefined) {
    if (asked === undefined) return null;
    throw invalidRequest(
      "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.",
    );
  }
  const algorithm = requireAlgorithm(name);
  const types = typesOf(algorithm);
  const type = asked === undefined ? types[0] : types.find((known) => known === asked);
  if (type) return { algorithm, type };
  throw invalidRequest(`The ${asked} checksum type cannot be used with the ${algorithm} checksum algorithm.`);
}

/** A part's checksum must use the upload's algorithm, if it has one. @throws StorageError 400 */
export function requireSame(kind: SumKind | null, declared: { algorithm: Algorithm } | null): void {
  if (!kind || !declared || kind.algorithm === declared.algorithm) return;
  throw invalidRequest(
    `Checksum Type mismatch occurred, expected checksum Type: ${kind.algorithm}, actual checksum Type: ${declared.algorithm}`,
  );
}

export type NamedSum = { algorithm: Algorithm; value: string };

/** The checksum of a part in the completion request. */
export function sumOfPart(part: Record<string, string>): NamedSum | null {
  const algorithm = ALGORITHMS.find((name) => part[elementOf(name)] !== undefined);
  return algorithm ? { algorithm, value: part[elementOf(algorithm)] as string } : null;
}

type Whole = { parts: { number: number; sum?: NamedSum | null }[]; size: number };

/** The checksums to compute while the parts are joined; null if none was requested. @throws StorageError 400 */
export function openPartSums(
  begun: SumKind | null,
  headers: Readonly<Record<string, string>>,
  { parts, size }: Whole,
): PartSums | null {
  const declaredSize = headers["x-amz-mp-object-size"];
  if (declaredSize !== undefined && Number(declaredSize) !== size)
    throw invalidRequest(
      `The provided 'x-amz-mp-object-size' header value ${declaredSize} does not match what was computed: ${size}`,
    );
  const named = parts.find(({ sum }) => sum)?.sum?.algorithm;
  const kind = begun ?? (named && readPartSums({ "x-amz-checksum-algorithm": named }));
  if (!kind) return null;
  const other = parts.find(({ sum }) => sum && sum.algorithm !== kind.algorithm);
  if (other) throw invalidPart(other.number);
  const declared = headers[headerOf(kind.algorithm)] ?? null;
  return new PartSums(kind, declared, parts.length);
}

/** Computes the checksums of the parts and of the whole while they are read. */
export class PartSums {
  /** Set once everything has been read. */
  checksum: Checksum | null = null;
  readonly #kind: SumKind;
  readonly #declared: string | null;
  readonly #count: number;
  readonly #whole: Sum;

  constructor(kind: SumKind, declared: string | null, count: number) {
    this.#kind = kind;
    this.#declared = declared && requireValue(kind.algorithm, declared.replace(/-\d{1,5}$/, ""));
    this.#count = count;
    this.#whole = openSum(kind.algorithm);
  }

  /** @throws StorageError 400 if the part does not match its checksum */
  async *follow(
    content: AsyncIterable<Buffer>,
    { number, sum }: { number: number; sum: NamedSum | null },
  ): AsyncGenerator<Buffer> {
    const { algorithm, type } = this.#kind;
    const part = openSum(algorithm);
    for await (const chunk of content) {
      part.update(chunk);
      if (type === "FULL_OBJECT") this.#whole.update(chunk);
      yield chunk;
    }
    const value = part.digest();
    if (sum && sum.value !== value.toString("base64")) throw invalidPart(number);
    if (type === "COMPOSITE") this.#whole.update(value);
  }

  /** @throws StorageError 400 if the whole does not match the client's checksum */
  end(): void {
    const { algorithm, type } = this.#kind;
    const value = this.#whole.digest().toString("base64");
    if (this.#declared !== null && this.#declared !== value) throw badDigest(algorithm.toUpperCase());
    this.checksum = { algorithm, type, value: type === "COMPOSITE" ? `${value}-${this.#count}` : value };
  }
}

export function invalidPart(number: number): StorageError {
  const message = `One or more of the specified parts could not be found: ${number}`;
  return new StorageError(400, "InvalidPart", message);
}
