import { countOf } from "#domain/text/counts.ts";

/** Why an action failed, worded for the user. */
export type Failure = {
  sentence: string;
  /**
   * `refused`: the text itself must change. `later`: a retry may succeed soon. `barred`: the user may not write, until
   * `retryAt` or permanently.
   */
  kind: "refused" | "later" | "barred";
  /** Whether it is retried automatically. */
  waits?: true;
  /** When a bar ends, in milliseconds since 1970. */
  retryAt?: number;
  /** When a retry is not too soon, by the monotonic clock: the device's other one may be set meanwhile. */
  readyAt?: number;
  /** What the user must provide first: the age group, or a parent's permission. */
  asksAge?: true;
};

/** The error of a call of the official client, whether returned or thrown. */
export type CallError = {
  message: string;
  code?: string;
  hint?: string | null;
  details?: string | null;
  name?: string;
};

const UNREACHABLE: Failure = {
  sentence: "The chat can't be reached right now. Nothing is lost; try again in a moment.",
  kind: "later",
};
const SESSION_ENDED: Failure = { sentence: "Your session has ended. Please log in again.", kind: "later" };

/** The text breaks a rule, or the message is gone. */
const REFUSALS = new Set(["23514", "22023"]);
export const TOO_FAST = "PT429";
/** The service's own refusals with a sentence for users, such as a silence. */
const FORBIDDEN = "PT403";
/** A missing, invalid or expired token, and row-level security's answer to visitors. */
const NOT_SIGNED_IN = new Set(["PGRST300", "PGRST301", "PGRST302", "PGRST303", "42501"]);

/** What it refers to was deleted: a message reacted to, an account muted. */
const GONE: Failure = { sentence: "It’s already gone.", kind: "refused" };
const REFERS_TO_NOTHING = "23503";

/** Whether the service does not recognize the user. */
export const isSignedOut = ({ code = "" }: CallError) => NOT_SIGNED_IN.has(code);

/** The service's reason as a sentence (8.error.24); `now` is the time of the answer, by the monotonic clock. */
export function describeFailure({ code = "", message, hint, details }: CallError, now: number): Failure {
  if (REFUSALS.has(code)) return { sentence: asSentence(message), kind: "refused" };
  if (code === REFERS_TO_NOTHING) return GONE;
  if (code === FORBIDDEN && (details === "unasked" || details === "child"))
    return { sentence: asSentence(message), kind: details === "child" ? "barred" : "later", asksAge: true };
  if (code === FORBIDDEN) return describeBar(message, Date.parse(details ?? ""));
  if (code === TOO_FAST) return describeWait(message, Number(hint), now);
  return isSignedOut({ code, message }) ? SESSION_ENDED : UNREACHABLE;
}

/** The detail is the time when it ends; it does not parse if it is permanent. */
function describeBar(message: string, end: number): Failure {
  return { sentence: asSentence(message), kind: "barred", ...(end > 0 && { retryAt: end }) };
}

/** The hint is the number of seconds to wait. */
function describeWait(message: string, seconds: number, now: number): Failure {
  const sentence = asSentence(message);
  if (!(seconds > 0)) return { sentence, kind: "later" };
  return {
    sentence: `${sentence} Wait ${countOf(seconds, "second")}, then try again.`,
    kind: "later",
    readyAt: now + seconds * 1000,
  };
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The official client returns an error, or throws if something between it and the service fails. */
export async function callSafely<T extends { data: unknown; error: CallError | null; status: number }>(
  call: () => PromiseLike<T>,
): Promise<T | { data: null; error: CallError; status: 0 }> {
  try {
    return await call();
  } catch (error) {
    return { data: null, error: error as CallError, status: 0 };
  }
}
