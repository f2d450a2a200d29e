import type { Readable } from "node:stream";

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_MS = 10_000;

/** Discards the rest of a stream; false if it is too large, takes too long or fails. */
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
    // Otherwise a paused destination would block it.
    stream.unpipe();
    stream.once("end", () => stop(true)).once("close", () => stop(stream.readableEnded));
    if (stream.destroyed || stream.readableEnded) stop(stream.readableEnded);
    else stream.on("data", count).resume();
  });
}
