/** When a refused request may be retried, by the monotonic clock. */
let mayAskAt = 0;

/** How long the service waits between two emails if it does not say, in seconds. */
const DEFAULT_WAIT = 60;

/** A `fetch` that remembers how long to wait after a refusal, which the official client's error does not tell. */
export function withRetryAfter(send: typeof fetch): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    if (response.status === 429) {
      mayAskAt = performance.now() + Number(response.headers.get("retry-after")) * 1_000;
    }
    return response;
  };
}

type Failure = { status?: number | undefined; message: string };

/** For how many seconds the service refuses further requests; null if the failure is a different one. */
export function secondsToWait({ status, message }: Failure): number | null {
  if (status !== 429) return null;
  const said = Number(/after (\d+) seconds?/.exec(message)?.[1] ?? 0);
  const remaining = Math.ceil((mayAskAt - performance.now()) / 1_000);
  return said > 0 ? said : remaining > 0 ? remaining : DEFAULT_WAIT;
}
