import { createReadStream } from "node:fs";
import { Readable } from "node:stream";

/** A file as a stream that opens it once it is read: until then nobody would hear of a failure, or close the file. */
export function readLater(path: string): Readable {
  return Readable.from(contentOf(path), { objectMode: false });
}

async function* contentOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}
