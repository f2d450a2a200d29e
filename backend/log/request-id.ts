import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const REQUEST_ID = "x-request-id";

const WELL_FORMED = /^[\w.:-]{8,64}$/;

const current = new AsyncLocalStorage<string>();

/** Where the last group of a UUID begins, random as the others: twelve digits tell one request from another in a log. */
const LAST_GROUP = 24;

/** The id by which a proxy that is trusted names the request, else a new one. */
export function readRequestId(headers: IncomingHttpHeaders, trustedHeader: string | null): string {
  const named = trustedHeader && headers[trustedHeader.toLowerCase()];
  return typeof named === "string" && WELL_FORMED.test(named) ? named : randomUUID().slice(LAST_GROUP);
}

/** Runs work whose lines in the log carry this id. */
export function runAsRequest<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** Undefined outside of any request. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
