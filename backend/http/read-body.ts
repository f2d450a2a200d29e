import type { Readable } from "node:stream";
import type { TooLongBody } from "./http-message.ts";

/** All chunks in one piece; null where they have more than `limit` bytes, and then their source is left. */
export async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) return null;
    collected.push(chunk);
  }
  return collected.length === 1 ? (collected[0] as Uint8Array<ArrayBuffer>) : Buffer.concat(collected);
}

/** The stream's bytes. It stops reading where they are too many, and leaves the rest in the stream. */
export async function readBody(
  stream: Readable,
  limit: number,
  told?: string,
): Promise<Uint8Array<ArrayBuffer> | TooLongBody> {
  if (Number(told) > limit) return { limit };
  return (await collect(stream.iterator({ destroyOnReturn: false }), limit)) ?? { limit };
}
