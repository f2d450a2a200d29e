import type { ServiceName } from "./make-fuzz.ts";
import type { Outcome } from "./send-fuzz.ts";

/**
 * Errors that PostgREST documents as 500 regardless of cause: a statement timeout, and PostgreSQL's own limits, such as
 * arrays of seven dimensions.
 */
const DOCUMENTED_FAILURE = /^(?:57014|54\d{3})$/;

/** Why an answer is a server fault; null if it is not. */
export function judgeAnswer(service: ServiceName, outcome: Outcome): string | null {
  if ("failure" in outcome) return outcome.failure;
  const { status, headers, body } = outcome;
  if (status < 500) return null;
  // A database function may choose its status, and a limit says when to retry.
  if (service === "rest" && /^PT5\d\d$/.test(readCode(body))) return null;
  if (service === "rest" && DOCUMENTED_FAILURE.test(readCode(body))) return null;
  if (isLimit(status, headers)) return null;
  return `${status} ${body.slice(0, 300)}`;
}

/** All connections or workers were busy, or a page's turn did not come: documented, and answered with a retry time. */
export function isLimit(status: number, headers: Record<string, unknown>): boolean {
  return (status === 503 || status === 504) && headers["retry-after"] !== undefined;
}

function readCode(body: string): string {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code);
  } catch {
    return "";
  }
}
