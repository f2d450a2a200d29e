import { env } from "node:process";

type Handle = (request: Request, info: unknown) => Response | Promise<Response>;
type OnError = (cause: unknown) => Response | Promise<Response>;

export type Handler = { handle: Handle; onError?: OnError };

type ServeOptions = { handler?: Handle; onError?: OnError };

/** The emulated `Deno` global; `served` returns the handler passed to `Deno.serve`. */
export type Deno = { served(): Handler | null };

/**
 * Defines the globals that functions written for Supabase expect: `Deno.serve`, `Deno.env`, `EdgeRuntime.waitUntil`,
 * `addEventListener`.
 * @param onBackground told when the first such work begins, and when the last one ends
 */
export function createDeno(onBackground: (isBusy: boolean) => void): Deno {
  let served: Handler | null = null;
  let running = 0;

  async function waitUntil(work: unknown): Promise<void> {
    if (++running === 1) onBackground(true);
    try {
      await work;
    } catch (cause) {
      console.error(cause);
    }
    if (--running === 0) onBackground(false);
  }

  function serve(first: Handle | ServeOptions, second?: Handle): object {
    const options = typeof first === "function" ? { handler: first } : first;
    const handle = second ?? options.handler;
    if (typeof handle !== "function") throw new TypeError("Deno.serve needs a handler");
    served = { handle, onError: options.onError };
    const nothing = () => {};
    return { finished: new Promise(nothing), shutdown: async () => {}, ref: nothing, unref: nothing };
  }

  // Functions register for `beforeunload` as they load; it is not sent.
  const events = new EventTarget();
  Object.assign(globalThis, {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    Deno: {
      serve,
      env: {
        get: (name: string) => env[name],
        has: (name: string) => name in env,
        set: (name: string, value: string) => void Object.assign(env, { [name]: value }),
        delete: (name: string) => void delete env[name],
        toObject: () => ({ ...env }),
      },
    },
    EdgeRuntime: { waitUntil: (work: unknown) => void waitUntil(work) },
  });
  return { served: () => served };
}

type FunctionModule = { default?: { fetch?: Handle } };

/** The function's handler: the default export's `fetch`, or the one passed to `Deno.serve`. */
export function requireHandler(deno: Deno, { default: standard }: FunctionModule): Handler {
  if (typeof standard?.fetch === "function") return { handle: standard.fetch.bind(standard) };
  const served = deno.served();
  if (served) return served;
  throw new SyntaxError("index.ts neither exports a default with `fetch` nor calls Deno.serve.");
}
