import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const REQUEST_ID = "x-request-id";

const WELL_FORMED = /^[\w.:-]{8,64}$/;

const current = new AsyncLocalStorage<string>();

/** Start of a UUID's last group: 12 random hex digits suffice to tell requests apart in a log. */
const LAST_GROUP = 24;

/** The request id from a trusted proxy's header, else a new one. */
export function readRequestId(headers: IncomingHttpHeaders, trustedHeader: string | null): string {
  const named = trustedHeader && headers[trustedHeader.toLowerCase()];
  return typeof named === "string" && WELL_FORMED.test(named) ? named : randomUUID().slice(LAST_GROUP);
}

/** Runs work whose log lines carry this id. */
export function runAsRequest<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** Undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
