import { AsyncLocalStorage } from "node:async_hooks";

/** The status of a read of one row that does not exist. */
const NO_ROW = 406;

const renders = new AsyncLocalStorage<{ failed: boolean }>();

/**
 * Runs a render, and says whether one of its reads failed. It is the transport that tells, so that no loader can forget
 * to: many show something else instead of what they could not read.
 */
export async function noteFailedReads<Result>(
  render: () => Promise<Result>,
): Promise<{ result: Result; failed: boolean }> {
  const noted = { failed: false };
  return { result: await renders.run(noted, render), failed: noted.failed };
}

/** The same `fetch`, whose failures are noted for the render that they are part of. */
export function tellingFailures(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    let failed = true;
    try {
      const answer = await ask(input, init);
      failed = !answer.ok && answer.status !== NO_ROW;
      return answer;
    } finally {
      const render = renders.getStore();
      if (render && failed) render.failed = true;
    }
  };
}
