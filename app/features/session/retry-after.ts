/** When the service may be asked again for what it refused for now, by a clock that nobody can set. */
let mayAskAt = 0;

/** As long as the service waits between two mails when it does not say how long, in seconds. */
const DEFAULT_WAIT = 60;

/** `fetch` that remembers how long a refused sender has to wait: the official client's error does not tell. */
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

/** For how many seconds the service takes no more of this; null where that is not what it says. */
export function secondsToWait({ status, message }: Failure): number | null {
  if (status !== 429) return null;
  const said = Number(/after (\d+) seconds?/.exec(message)?.[1] ?? 0);
  const told = Math.ceil((mayAskAt - performance.now()) / 1_000);
  return said > 0 ? said : told > 0 ? told : DEFAULT_WAIT;
}
