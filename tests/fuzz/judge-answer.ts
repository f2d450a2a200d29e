import type { ServiceName } from "./make-fuzz.ts";
import type { Outcome } from "./send-fuzz.ts";

const STATEMENT_TIMEOUT = "57014";

/** Why an answer is a fault of the server; null where it is none. */
export function judgeAnswer(service: ServiceName, outcome: Outcome): string | null {
  if ("failure" in outcome) return outcome.failure;
  const { status, headers, body } = outcome;
  if (status < 500) return null;
  // A function of the database may choose its status, and a limit says when to come again.
  if (service === "rest" && /^PT5\d\d$/.test(readCode(body))) return null;
  // What takes longer than its role may is ended by PostgreSQL, and answered as PostgREST does.
  if (service === "rest" && readCode(body) === STATEMENT_TIMEOUT) return null;
  if (isLimit(status, headers)) return null;
  return `${status} ${body.slice(0, 300)}`;
}

/** All connections or workers were busy, or a page's turn did not come: documented, and told with the time to wait. */
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
