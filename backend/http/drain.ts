import type { Readable } from "node:stream";

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_MS = 10_000;

/** Throws away what still arrives; false where that would be too much or take too long, and for a stream that failed. */
export function drain(stream: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const stop = (ended: boolean) => {
      clearTimeout(timer);
      stream.off("data", count);
      if (!ended) stream.pause();
      resolve(ended);
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) stop(false);
    };
    const timer = setTimeout(() => stop(false), LONGEST_MS);
    // What read it so far must not hold it back.
    stream.unpipe();
    stream.once("end", () => stop(true)).once("close", () => stop(stream.readableEnded));
    if (stream.destroyed || stream.readableEnded) stop(stream.readableEnded);
    else stream.on("data", count).resume();
  });
}
