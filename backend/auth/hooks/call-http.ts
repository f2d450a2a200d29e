import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerTooLongError, type BoundedAnswer, fetchBounded } from "#backend/http/fetch-bounded.ts";
import { essenceOf } from "#backend/http/media-type.ts";
import { AuthError } from "../auth-error.ts";
import { hookBroken, hookTimedOut, hookTooLong, MAX_ANSWER_BYTES } from "./hook-faults.ts";
import type { HookAddress } from "./hook-table.ts";

export type HttpAddress = Extract<HookAddress, { url: string }>;

/** Milliseconds for all attempts together, and between two attempts if the server was unreachable. */
export type HttpTimes = { ms: number; pauseMs: number };

/** The JSON body, and the message id, which stays the same for retries. */
type Post = { id: string; body: string };

const TRIES = 3;

/**
 * Posts JSON, signed with every key according to Standard Webhooks, so that the receiver can rotate its key. Retries if
 * the server is unreachable, or busy (429, 503) with a `Retry-After`.
 */
export async function callHttp(
  address: HttpAddress,
  content: Post,
  { ms, pauseMs }: HttpTimes,
): Promise<string> {
  const signal = AbortSignal.timeout(ms);
  try {
    for (let left = TRIES - 1; ; left--) {
      const answer = await post(address, content, signal).catch((cause) => {
        if (signal.aborted || cause instanceof AnswerTooLongError || left === 0) throw cause;
        return null;
      });
      const pause = answer === null ? pauseMs : pauseOf(answer);
      if (answer && (pause === null || left === 0)) return read(answer);
      await sleep(pause ?? 0, undefined, { signal });
    }
  } catch (cause) {
    if (cause instanceof AuthError) throw cause;
    if (signal.aborted) throw hookTimedOut(ms);
    if (cause instanceof AnswerTooLongError) throw hookTooLong();
    throw new AuthError(422, "hook_timeout_after_retry", "Failed to reach hook after maximum retries");
  }
}

function post({ url, keys }: HttpAddress, { id, body }: Post, signal: AbortSignal): Promise<BoundedAnswer> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = (key: string) =>
    createHmac("sha256", Buffer.from(key, "base64")).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "accept-encoding": "identity",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => `v1,${sign(key)}`).join(" "),
  };
  return fetchBounded(url, { method: "POST", headers, body, signal, maxBytes: MAX_ANSWER_BYTES });
}

/** Milliseconds until a busy server may be asked again; null if it did not say. */
function pauseOf({ status, headers }: BoundedAnswer): number | null {
  const after = headers.get("retry-after");
  if ((status !== 429 && status !== 503) || after === null) return null;
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  // Within a timer's range; the overall time limit ends it first.
  return Math.min(Math.max(ms || 0, 0), 60_000);
}

function read({ status, headers, text }: BoundedAnswer): string {
  if (status === 429 || status === 503) throw hookBroken("Service currently unavailable due to hook");
  if (status === 400) throw hookBroken("Invalid payload sent to hook");
  if (status === 401) throw hookBroken("Hook requires authorization token");
  if (status !== 200 && status !== 202 && status !== 204) {
    throw hookBroken(`Unexpected status code returned from hook: ${status}`);
  }
  const type = headers.get("content-type");
  if (type === null && text === "") return "";
  if (type === null) throw notJson("Invalid Content-Type: Missing Content-Type header");
  if (essenceOf(type) !== "application/json") {
    throw notJson(`Invalid JSON response. Received content-type: ${type.slice(0, 100)}`);
  }
  return text;
}

function notJson(message: string): AuthError {
  return new AuthError(400, "hook_payload_invalid_content_type", message);
}
