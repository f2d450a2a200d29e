/** For a response to begin, in milliseconds: more than twice what the database may take for a request (8 s). */
const TIMEOUT = 20_000;
/** What the slowest connections send, in bytes per millisecond. */
const SLOWEST = 4;

/** Like a lost connection. The database client tries aborted requests again unless they have this code. */
class Unanswered extends TypeError {
  code = "ABORT_ERR";
}

/**
 * A `fetch` that gives up on a service that does not respond, as over a dead connection, which browsers notice only
 * after minutes. Large bodies have longer; responses that have begun are left to the browser.
 */
export function withTimeout(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const timeout = new AbortController();
    const limit = TIMEOUT + sizeOf(init?.body) / SLOWEST;
    const timer = setTimeout(() => timeout.abort(new Unanswered("No answer")), limit);
    const { signal } = init ?? {};
    const giveUp = () => timeout.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp);
    try {
      return await send(input, { ...init, signal: timeout.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}

function sizeOf(body: BodyInit | null | undefined): number {
  if (typeof body === "string") return body.length;
  if (body instanceof Blob) return body.size;
  if (!(body instanceof FormData)) return 0;
  return [...body.values()].reduce((sum, value) => sum + sizeOf(value), 0);
}
