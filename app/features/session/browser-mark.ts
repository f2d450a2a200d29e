import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import { withTimeout } from "./with-timeout.ts";

const HEADER = "x-browser-mark";

/**
 * A `fetch` that sends the site's own auth service a random mark of this browser, by which it notices sign-ins from a
 * new one. Created at the first sign-in; a browser without storage has none. Not sent to a hosted backend.
 */
export function fetchWithMark(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const isAsked = String(input).startsWith(`${window.location.origin}/auth/v1/`) && init?.method === "POST";
  const mark = isAsked ? findMark() : null;
  const send = withTimeout(fetch);
  if (mark === null) return send(input, init);
  const headers = new Headers(init?.headers);
  headers.set(HEADER, mark);
  return send(input, { ...init, headers });
}

function findMark(): string | null {
  if (readKept("browserMark") === null) writeKept("browserMark", crypto.randomUUID());
  return readKept("browserMark");
}
