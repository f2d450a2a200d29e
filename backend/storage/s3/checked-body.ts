import { createHash } from "node:crypto";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import { crc32 } from "node:zlib";
import { readBody } from "#backend/http/read-body.ts";
import { bodyOf } from "../requests/body-of.ts";
import { StorageError, tooLarge } from "../storage-error.ts";
import { ChunkedBody, differs, type Trailers } from "./chunked-body.ts";
import type { S3Call } from "./s3-call.ts";

type Check = {
  update(chunk: Buffer): unknown;
  value(): string;
  expected(): string | undefined;
  fault(): StorageError;
};

/**
 * The request's body, as it is without its transport, which fails at its end where it is not what the client signed or
 * counted. Whatever is made of it must not be shown before that.
 */
export function openBody({ request, signature, sign }: S3Call): Readable {
  const { headers } = request;
  const source = bodyOf(request);
  const { payload } = signature;
  if (!payload.startsWith("STREAMING-")) return follow(source, new CheckedBody(headers, null, payload));
  const known = /^STREAMING-(AWS4-HMAC-SHA256-PAYLOAD|UNSIGNED-PAYLOAD)(-TRAILER)?$/.exec(payload);
  if (!known) throw new StorageError(501, "NotImplemented", `A body signed as ${payload} is not understood`);
  const chunked = new ChunkedBody(known[1] === "UNSIGNED-PAYLOAD" ? null : { sign, signature });
  return follow(follow(source, chunked), new CheckedBody(headers, chunked.trailers, payload));
}

/** The bytes that the body comes to, where the client says it. */
export function toldLength({ request: { headers }, signature }: S3Call): number | null {
  const name = signature.payload.startsWith("STREAMING-") ? "x-amz-decoded-content-length" : "content-length";
  const text = headers[name];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** @throws StorageError 413 beyond `limit` */
export async function readWhole(call: S3Call, limit: number): Promise<string> {
  const body = await readBody(openBody(call), limit);
  if ("limit" in body) throw tooLarge();
  return new TextDecoder().decode(body);
}

/** What fails at one end fails at the other; a source that is not read to its end is left to the door. */
function follow<Next extends Transform>(source: Readable, next: Next): Next {
  const broken = (cause: Error) => next.destroy(cause);
  source.once("error", broken);
  source.once("close", () => source.readableEnded || broken(new Error("the client went away")));
  // Stopping to read half-way is a refusal, not a failure.
  next.on("error", () => source.unpipe(next));
  return source.pipe(next);
}

class CheckedBody extends Transform {
  readonly #checks: Check[];
  readonly #length: number | null;
  #size = 0;

  constructor(headers: Readonly<Record<string, string>>, trailers: Trailers | null, payload: string) {
    super();
    const told = trailers ? headers["x-amz-decoded-content-length"] : undefined;
    this.#length = told === undefined ? null : Number(told);
    this.#checks = [...payloadCheck(payload), ...md5Check(headers), ...checksums(headers, trailers)];
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#size += chunk.length;
    for (const check of this.#checks) check.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isShort = this.#length !== null && this.#size !== this.#length;
    const failed = this.#checks.find((check) => check.value() !== check.expected());
    done(isShort ? incomplete() : (failed?.fault() ?? null));
  }
}

function payloadCheck(payload: string): Check[] {
  if (!/^[\da-f]{64}$/.test(payload)) return [];
  return [hashCheck("sha256", "hex", () => payload, differs)];
}

function md5Check(headers: Readonly<Record<string, string>>): Check[] {
  const expected = headers["content-md5"];
  return expected === undefined ? [] : [hashCheck("md5", "base64", () => expected, badDigest)];
}

/** Of those that S3 knows, what this machine can reckon; the others are taken as they are. */
function checksums(headers: Readonly<Record<string, string>>, trailers: Trailers | null): Check[] {
  const names = ["crc32", "sha1", "sha256"] as const;
  const announced = (headers["x-amz-trailer"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return names.flatMap((name) => {
    const header = `x-amz-checksum-${name}`;
    if (headers[header] === undefined && !announced.includes(header)) return [];
    const expected = () => headers[header] ?? trailers?.get(header);
    return [name === "crc32" ? crcCheck(expected) : hashCheck(name, "base64", expected, badDigest)];
  });
}

function hashCheck(
  name: string,
  form: "hex" | "base64",
  expected: () => string | undefined,
  fault: () => StorageError,
): Check {
  const hash = createHash(name);
  return { update: (chunk) => hash.update(chunk), value: () => hash.digest(form), expected, fault };
}

function crcCheck(expected: () => string | undefined): Check {
  let sum = 0;
  const value = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sum);
    return bytes.toString("base64");
  };
  const update = (chunk: Buffer) => {
    sum = crc32(chunk, sum);
  };
  return { update, value, expected, fault: badDigest };
}

function badDigest(): StorageError {
  return new StorageError(400, "BadDigest", "The checksum you specified did not match what we received");
}

function incomplete(): StorageError {
  return new StorageError(400, "IncompleteBody", "The body is not as long as its header says");
}
