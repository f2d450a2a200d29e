import { withTimeout } from "#backend/memory/with-timeout.ts";

/** Long enough for a busy database, and short enough for an error page within five seconds if it hangs. */
const PATIENCE_MS = 4_000;
/** How long requests fail fast after the backend answered nothing at all for `PATIENCE_MS`. */
const HANGING_MS = 1_000;

/** A `fetch` with a timeout, for reads that a visitor waits for. A response that arrives later is discarded. */
export function createTimeoutFetch(ask: typeof fetch): typeof fetch {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let hangsUntil = Number.NEGATIVE_INFINITY;

  return async (input, init) => {
    const askedAt = performance.now();
    if (askedAt < hangsUntil) throw new Error("The backend hangs");
    const answer = await withTimeout(ask(input, init), PATIENCE_MS, () => {
      // If others got answers meanwhile, it is only this read that is slow.
      if (answeredAt < askedAt) hangsUntil = performance.now() + HANGING_MS;
      return Promise.reject(new Error("The backend did not answer in time"));
    });
    answeredAt = performance.now();
    return answer;
  };
}
