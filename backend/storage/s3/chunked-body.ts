import { createHash, type Hash, hash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { StorageError } from "../storage-error.ts";
import type { Signature, Signer } from "./signature.ts";

/** Trailing headers of a body. */
export type Trailers = Map<string, string>;

const LONGEST_LINE = 4096;
const MOST_TRAILERS = 10;
/** S3 takes none below 8 KiB but the last; clients that stream send some. Each costs as much as a large one. */
const SMALL_CHUNK = 1024;
const MOST_SMALL_CHUNKS = 10_000;
const EMPTY = hash("sha256", "");
const NEWLINE = 10;

/**
 * Decodes `aws-chunked`: chunks with their sizes and, if signed, their chained signatures. The output is verified only
 * once the stream has ended.
 */
export class ChunkedBody extends Transform {
  readonly trailers: Trailers = new Map();
  readonly #seal: { sign: Signer; signature: Signature } | null;
  #previous: string;
  #line = Buffer.alloc(0);
  #expects: "size" | "data" | "mark" | "trailer" | "end" = "size";
  #left = 0;
  #claimed = "";
  #hash: Hash = createHash("sha256");
  #trailerText = "";
  /** Not the size of `trailers`: a name that is repeated takes more memory each time. */
  #trailerLines = 0;
  #smallChunks = 0;

  /** `seal` if the chunks are signed. */
  constructor(seal: { sign: Signer; signature: Signature } | null) {
    super();
    this.#seal = seal;
    this.#previous = seal?.signature.signature ?? "";
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    try {
      for (let rest = chunk; rest.length > 0; )
        rest = this.#expects === "data" ? this.#takeData(rest) : this.#takeLine(rest);
      done();
    } catch (cause) {
      done(cause as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    done(this.#expects === "end" ? null : malformed("The body ends before its last chunk"));
  }

  #takeData(chunk: Buffer): Buffer {
    const data = chunk.subarray(0, this.#left);
    this.#left -= data.length;
    if (this.#seal) this.#hash.update(data);
    this.push(data);
    if (this.#left === 0) {
      this.#checkPiece();
      this.#expects = "mark";
    }
    return chunk.subarray(data.length);
  }

  #takeLine(chunk: Buffer): Buffer {
    if (this.#expects === "end") return nothingBehind(chunk);
    const end = chunk.indexOf(NEWLINE);
    const part = end < 0 ? chunk : chunk.subarray(0, end + 1);
    this.#line = Buffer.concat([this.#line, part]);
    if (this.#line.length > LONGEST_LINE) throw malformed("A chunk's header is too long");
    if (end >= 0) {
      const line = this.#line.toString("latin1").replace(/\r?\n$/, "");
      this.#line = Buffer.alloc(0);
      this.#readLine(line);
    }
    return chunk.subarray(part.length);
  }

  #readLine(line: string): void {
    if (this.#expects === "mark") {
      if (line !== "") throw malformed("A chunk is longer than it says");
      this.#expects = "size";
    } else if (this.#expects === "size") this.#startPiece(line);
    else this.#readTrailer(line);
  }

  #startPiece(line: string): void {
    const [, size, signature = ""] = /^([\da-f]{1,10})(?:;chunk-signature=([\da-f]{64}))?$/i.exec(line) ?? [];
    if (size === undefined || (this.#seal && signature === "")) throw malformed("A chunk has no header");
    this.#left = Number.parseInt(size, 16);
    if (this.#left < SMALL_CHUNK) this.#smallChunks++;
    if (this.#smallChunks > MOST_SMALL_CHUNKS) throw tooSmall();
    this.#claimed = signature;
    this.#hash = createHash("sha256");
    this.#expects = this.#left > 0 ? "data" : "trailer";
    if (this.#left === 0) this.#checkPiece();
  }

  #checkPiece(): void {
    this.#check("AWS4-HMAC-SHA256-PAYLOAD", [EMPTY, this.#hash.digest("hex")], this.#claimed);
  }

  #check(kind: string, hashes: string[], claimed: string): void {
    if (!this.#seal) return;
    const { sign, signature } = this.#seal;
    const text = [kind, signature.time, signature.scope, this.#previous, ...hashes].join("\n");
    if (sign(text) !== claimed) throw differs();
    this.#previous = claimed;
  }

  #readTrailer(line: string): void {
    if (line === "") {
      if (this.#seal && this.trailers.size > 0) throw differs();
      this.#expects = "end";
      return;
    }
    const [name = "", ...value] = line.split(":");
    if (name.toLowerCase() === "x-amz-trailer-signature") {
      this.#check("AWS4-HMAC-SHA256-TRAILER", [hash("sha256", this.#trailerText)], value.join(":").trim());
      this.#expects = "end";
      return;
    }
    this.#trailerLines++;
    if (this.#trailerLines > MOST_TRAILERS) throw malformed("There are too many trailers");
    this.trailers.set(name.toLowerCase(), value.join(":").trim());
    this.#trailerText += `${name.toLowerCase()}:${value.join(":").trim()}\n`;
  }
}

function nothingBehind(chunk: Buffer): Buffer {
  if (chunk.toString("latin1").trim() !== "") throw malformed("There is something behind the last chunk");
  return chunk.subarray(chunk.length);
}

function malformed(message: string): StorageError {
  return new StorageError(400, "IncompleteBody", message);
}

function tooSmall(): StorageError {
  return new StorageError(403, "InvalidChunkSizeError", "There are too many small chunks");
}

export function differs(): StorageError {
  const message =
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.";
  return new StorageError(403, "SignatureDoesNotMatch", message);
}
