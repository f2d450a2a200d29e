import type { Readable } from "node:stream";
import type { TooLongBody } from "./http-message.ts";

/** The stream's bytes. It stops reading where they are too many, and leaves the rest in the stream. */
export async function readBody(
  stream: Readable,
  limit: number,
  told?: string,
): Promise<Uint8Array | TooLongBody> {
  if (Number(told) > limit) return { limit };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return { limit };
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
