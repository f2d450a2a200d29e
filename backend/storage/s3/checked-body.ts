import { createHash } from "node:crypto";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import { readBody } from "#backend/http/read-body.ts";
import type { Checksum } from "../objects/object-row.ts";
import { bodyOf } from "../requests/body-of.ts";
import { StorageError, tooLarge } from "../storage-error.ts";
import { badDigest, headerOf, openSum, readChecksum } from "./checksums.ts";
import { ChunkedBody, differs, type Trailers } from "./chunked-body.ts";
import type { S3Call } from "./s3-call.ts";

type Check = {
  update(chunk: Buffer): unknown;
  value(): string;
  expected(): string | undefined;
  fault(): StorageError;
};

type DeclaredSum = ReturnType<typeof readChecksum>;

/**
 * The request's body without its transfer encoding. At its end, the stream fails if the length, checksum or signature
 * does not match, so nothing made of it may be published before that. `declared` is the body's checksum.
 */
export function openBody(
  { request, signature, sign }: S3Call,
  declared: DeclaredSum = readChecksum(request.headers),
): CheckedBody {
  const { headers } = request;
  const source = bodyOf(request);
  const { payload } = signature;
  if (!payload.startsWith("STREAMING-"))
    return follow(source, new CheckedBody(headers, { payload, declared, trailers: null }));
  const known = /^STREAMING-(AWS4-HMAC-SHA256-PAYLOAD|UNSIGNED-PAYLOAD)(-TRAILER)?$/.exec(payload);
  if (!known) throw new StorageError(501, "NotImplemented", `A body signed as ${payload} is not understood`);
  const chunked = new ChunkedBody(known[1] === "UNSIGNED-PAYLOAD" ? null : { sign, signature });
  const { trailers } = chunked;
  return follow(follow(source, chunked), new CheckedBody(headers, { payload, declared, trailers }));
}

/** The length of the decoded body, if the client declares it. */
export function declaredLength({ request: { headers }, signature }: S3Call): number | null {
  const name = signature.payload.startsWith("STREAMING-") ? "x-amz-decoded-content-length" : "content-length";
  const text = headers[name];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** @throws StorageError 413 beyond `limit` */
export async function readWhole(call: S3Call, limit: number, declared?: DeclaredSum): Promise<string> {
  const body = await readBody(openBody(call, declared), limit);
  if ("limit" in body) throw tooLarge();
  return new TextDecoder().decode(body);
}

/** Propagates errors in both directions; the server drains a source that is not read to its end. */
function follow<Next extends Transform>(source: Readable, next: Next): Next {
  const broken = (cause: Error) => next.destroy(cause);
  source.once("error", broken);
  source.once("close", () => source.readableEnded || broken(new Error("the client went away")));
  // Not reading a body to its end means that it was refused; it is not a failure.
  next.on("error", () => source.unpipe(next));
  return source.pipe(next);
}

type DeclaredBody = { payload: string; declared: DeclaredSum; trailers: Trailers | null };

export class CheckedBody extends Transform {
  /** The client's checksum, after the whole body has been verified against it. */
  checksum: Checksum | null = null;
  readonly #checks: Check[];
  readonly #body: DeclaredBody;
  readonly #length: number | null;
  #size = 0;

  constructor(headers: Readonly<Record<string, string>>, body: DeclaredBody) {
    super();
    const length = body.trailers ? headers["x-amz-decoded-content-length"] : undefined;
    this.#length = length === undefined ? null : Number(length);
    this.#body = body;
    this.#checks = [...payloadCheck(body.payload), ...md5Check(headers), ...sumCheck(body)];
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#size += chunk.length;
    for (const check of this.#checks) check.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isShort = this.#length !== null && this.#size !== this.#length;
    const failed = this.#checks.find((check) => check.value() !== check.expected());
    const { declared, trailers } = this.#body;
    const value = declared && expectedOf(declared, trailers);
    if (declared && value) this.checksum = { algorithm: declared.algorithm, value, type: "FULL_OBJECT" };
    done(isShort ? incomplete() : (failed?.fault() ?? null));
  }
}

function payloadCheck(payload: string): Check[] {
  if (!/^[\da-f]{64}$/.test(payload)) return [];
  return [hashCheck("sha256", "hex", () => payload, differs)];
}

function md5Check(headers: Readonly<Record<string, string>>): Check[] {
  const expected = headers["content-md5"];
  if (expected === undefined) return [];
  const fault = () => badDigest("Content-MD5");
  return [hashCheck("md5", "base64", () => expected, fault)];
}

function sumCheck({ declared, trailers }: DeclaredBody): Check[] {
  if (!declared) return [];
  const sum = openSum(declared.algorithm);
  return [
    {
      update: (chunk) => sum.update(chunk),
      value: () => sum.digest().toString("base64"),
      expected: () => expectedOf(declared, trailers),
      fault: () => badDigest(declared.algorithm.toUpperCase()),
    },
  ];
}

function expectedOf({ algorithm, value }: NonNullable<DeclaredSum>, trailers: Trailers | null) {
  return value ?? trailers?.get(headerOf(algorithm));
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

function incomplete(): StorageError {
  return new StorageError(400, "IncompleteBody", "The body is not as long as its header says");
}
