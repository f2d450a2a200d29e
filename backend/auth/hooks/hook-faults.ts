import { AuthError } from "../auth-error.ts";

/** Bytes that a hook may answer. */
export const MAX_ANSWER_BYTES = 200 * 1024;
const MAX_MESSAGE = 1_000;

/** In the hosted service's words, and with Go's six decimals. */
export function hookTimedOut(ms: number): AuthError {
  const seconds = (ms / 1000).toFixed(6);
  return new AuthError(422, "hook_timeout", `Failed to reach hook within maximum time of ${seconds} seconds`);
}

export function hookTooLong(bytes = MAX_ANSWER_BYTES): AuthError {
  const message = `Payload size exceeded size limit of ${bytes} bytes`;
  return new AuthError(422, "hook_payload_over_size_limit", message);
}

export function hookBroken(message: string): AuthError {
  return new AuthError(500, "unexpected_failure", message);
}

const REFUSED = "unknown";

/** Whether a hook was reached and said no, as to a bad request. */
export function isHookRefusal(cause: unknown): boolean {
  return cause instanceof AuthError && cause.code === REFUSED && cause.status < 500;
}

/** What a hook says no with: its own sentence, and the status that it wants. */
export function hookRefused(status: unknown, message: string): AuthError {
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  const known = isStatus ? Number(status) : 500;
  const code = known === 500 ? "unexpected_failure" : REFUSED;
  return new AuthError(known, code, message.slice(0, MAX_MESSAGE).toWellFormed());
}
