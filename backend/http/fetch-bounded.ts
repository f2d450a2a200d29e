import { collect } from "./read-body.ts";

/** The response exceeds the allowed size. */
export class AnswerTooLongError extends Error {
  override name = "AnswerTooLongError";
}

export type BoundedAnswer = { status: number; headers: Headers; text: string };

type Bounds = {
  /** Maximum size of the body after decompression. */
  maxBytes: number;
  /** Aborts the request and the reading of its response. */
  signal: AbortSignal;
};

/**
 * Fetches from a server that may hang or never stop sending. Redirects are refused: they could send a signed request
 * elsewhere. Rejects with `AnswerTooLongError`, the signal's reason, or `fetch`'s own error.
 */
export async function fetchBounded(
  url: string,
  { maxBytes, signal, ...init }: RequestInit & Bounds,
): Promise<BoundedAnswer> {
  const response = await fetch(url, { redirect: "error", ...init, signal });
  // Leaving the loop early cancels the body and closes the connection.
  const bytes = await collect(response.body ?? [], maxBytes);
  if (!bytes) throw new AnswerTooLongError(`the answer has more than ${maxBytes} bytes`);
  return { status: response.status, headers: response.headers, text: Buffer.from(bytes).toString("utf8") };
}
