import { collect } from "./read-body.ts";

/** The other side sends more than was agreed. */
export class AnswerTooLongError extends Error {
  override name = "AnswerTooLongError";
}

export type BoundedAnswer = { status: number; headers: Headers; text: string };

type Bounds = {
  /** Of the body, after decompression. */
  maxBytes: number;
  /** Ends the request and the reading of its answer. */
  signal: AbortSignal;
};

/**
 * Asks a server that may hang or never stop sending. Redirects are not followed: they would lead a signed request elsewhere.
 * Rejects with `AnswerTooLongError`, with the signal's reason, or with `fetch`'s own error.
 */
export async function fetchBounded(
  url: string,
  { maxBytes, signal, ...init }: RequestInit & Bounds,
): Promise<BoundedAnswer> {
  const response = await fetch(url, { redirect: "error", ...init, signal });
  // Who reads no further cancels the body, and with it the connection.
  const bytes = await collect(response.body ?? [], maxBytes);
  if (!bytes) throw new AnswerTooLongError(`the answer has more than ${maxBytes} bytes`);
  return { status: response.status, headers: response.headers, text: Buffer.from(bytes).toString("utf8") };
}
