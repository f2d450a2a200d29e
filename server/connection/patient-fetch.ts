import { inTime } from "#backend/memory/in-time.ts";

/** Time enough for a busy database, and a page that tells of a hanging one within five seconds. */
const PATIENCE_MS = 4_000;
/** After a backend that answered nothing at all for so long: the reads that wait behind need not find that out again. */
const HANGING_MS = 1_000;

/**
 * A `fetch` for what a visitor waits for: a read without an answer in time is given up. What it asked for may still
 * arrive, and is thrown away.
 */
export function createPatientFetch(ask: typeof fetch): typeof fetch {
  let answeredAt = Number.NEGATIVE_INFINITY;
  let hangsUntil = Number.NEGATIVE_INFINITY;

  return async (input, init) => {
    const askedAt = performance.now();
    if (askedAt < hangsUntil) throw new Error("The backend hangs");
    const answer = await inTime(ask(input, init), PATIENCE_MS, () => {
      // While others get answers it is this read that takes long.
      if (answeredAt < askedAt) hangsUntil = performance.now() + HANGING_MS;
      return Promise.reject(new Error("The backend did not answer in time"));
    });
    answeredAt = performance.now();
    return answer;
  };
}
