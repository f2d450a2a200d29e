import type { Readable } from "node:stream";

/** First and last byte, inclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Stores the bytes. A file is named by its version and immutable, so a reader gets it whole, whatever happens to the
 * object meanwhile; a file whose version is in no row is unreachable.
 */
export type ObjectStore = {
  /** Moves a finished file into the store, durably; the file at `path` is gone afterwards. */
  adopt(path: string, version: string): Promise<void>;
  /** @throws MissingFileError */
  read(version: string, range?: ByteRange): Promise<Readable>;
  /**
   * Reads a file of this size, small enough for memory, without the overhead of a stream. Callers must not change the
   * bytes, which others may read, too.
   * @throws MissingFileError
   */
  readWhole(version: string, size: number): Promise<Uint8Array>;
  /** @throws MissingFileError */
  copy(from: string, to: string): Promise<void>;
  /** Missing files count as removed. */
  remove(versions: readonly string[]): Promise<void>;
  /** All files at least this many seconds old, in pages. */
  olderThan(seconds: number): AsyncIterable<string[]>;
  close(): Promise<void>;
};

/** The version has no file. */
export class MissingFileError extends Error {
  override name = "MissingFileError";
}
