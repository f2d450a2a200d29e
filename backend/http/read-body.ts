import type { Readable } from "node:stream";
import type { TooLongBody } from "./http-message.ts";

/** Concatenates all chunks; null if they exceed `limit` bytes, in which case reading stops. */
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

/** Reads the stream. If it exceeds the limit, reading stops and the rest stays in the stream. */
export async function readBody(
  stream: Readable,
  limit: number,
  told?: string,
): Promise<Uint8Array<ArrayBuffer> | TooLongBody> {
  if (Number(told) > limit) return { limit };
  return (await collect(stream.iterator({ destroyOnReturn: false }), limit)) ?? { limit };
}
