import { createReadStream } from "node:fs";
import { Readable } from "node:stream";

/** A stream that opens its file only once it is read: before that, nothing handles its errors or closes it. */
export function readLater(path: string): Readable {
  return Readable.from(contentOf(path), { objectMode: false });
}

async function* contentOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}
