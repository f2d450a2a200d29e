import { AuthError } from "../auth-error.ts";

/** Maximum size of a hook's response in bytes. */
export const MAX_ANSWER_BYTES = 200 * 1024;
const MAX_MESSAGE = 1_000;

/** The hosted service's message, with the six decimals of Go. */
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

/** Whether the hook responded with a refusal below status 500. */
export function isHookRefusal(cause: unknown): boolean {
  return cause instanceof AuthError && cause.code === REFUSED && cause.status < 500;
}

/** The hook's refusal, with the message and status it asked for. */
export function hookRefused(status: unknown, message: string): AuthError {
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
  const known = isStatus ? Number(status) : 500;
  const code = known === 500 ? "unexpected_failure" : REFUSED;
  return new AuthError(known, code, message.slice(0, MAX_MESSAGE).toWellFormed());
}
