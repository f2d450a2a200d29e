import type { Readable } from "node:stream";

/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number };

/**
 * Where the bytes are. A file is named by its version and never changes, so whoever reads one reads it whole, whatever
 * happens to the object meanwhile; nothing shows a file whose version no row names.
 */
export type ObjectStore = {
  /** Takes a finished file over, durably; the file at `path` is gone afterwards. */
  adopt(path: string, version: string): Promise<void>;
  /** @throws MissingFileError */
  read(version: string, range?: ByteRange): Promise<Readable>;
  /** A part that is small enough to hold, without what a stream costs; stores far away have none. @throws MissingFileError */
  readPart?(version: string, range: ByteRange): Promise<Uint8Array>;
  /** @throws MissingFileError */
  copy(from: string, to: string): Promise<void>;
  /** What is not there counts as removed. */
  remove(versions: readonly string[]): Promise<void>;
  /** Every file that is at least so old, in seconds; in pages. */
  olderThan(seconds: number): AsyncIterable<string[]>;
  close(): Promise<void>;
};

/** The version has no file. */
export class MissingFileError extends Error {
  override name = "MissingFileError";
}
