import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { Database } from "#backend/postgres/database.ts";
import { callFunction } from "./call-function.ts";
import { callHttp } from "./call-http.ts";
import { hookBroken, hookRefused } from "./hook-faults.ts";
import { HOOKS, type HookAddress, type HookInputs, type HookName, type HookOutput } from "./hook-table.ts";

export type HookAddresses = Partial<Record<HookName, HookAddress>>;

/**
 * Milliseconds: for a database function, for all attempts of an HTTP hook, and between attempts if it is unreachable.
 */
type HookTimes = { functionMs: number; httpMs: number; pauseMs: number };

/** Calls the operator's hooks. */
export type Hooks = {
  has(name: HookName): boolean;
  /**
   * Null if the operator has no such hook. `ipAddress` is the client's; `id` stays the same for retries.
   * @throws AuthError the hook's refusal; 422 or 500 if it is late, too long, broken or unreachable
   */
  run<Name extends HookName>(
    name: Name,
    input: HookInputs[Name],
    ipAddress?: string | null,
    id?: string,
  ): Promise<HookOutput<Name> | null>;
  /** Waits as long as the hook last took, if there is no account to run it for: timing must not reveal that. */
  pretend(name: HookName): Promise<void>;
};

type Surroundings = {
  addresses: HookAddresses;
  times: HookTimes;
  database: Pick<Database, "run">;
  log: Log;
};

export function createHooks({ addresses, times, database, log }: Surroundings): Hooks {
  const lasted = new Map<HookName, number>();

  function send(address: HookAddress, body: string, id: string): Promise<string> {
    if ("sqlName" in address) return callFunction(database, address.sqlName, body, times.functionMs);
    return callHttp(address, { id, body }, { ms: times.httpMs, pauseMs: times.pauseMs });
  }

  async function call(name: HookName, address: HookAddress, body: string, id: string): Promise<string> {
    const began = performance.now();
    try {
      return await send(address, body, id);
    } catch (cause) {
      log(logText`auth: the hook ${fromOperator(HOOKS[name].name)} failed: ${describeCause(cause)}`, "error");
      throw cause;
    } finally {
      lasted.set(name, performance.now() - began);
    }
  }

  return {
    has: (name) => addresses[name] !== undefined,
    async run(name, input, ipAddress = null, id = randomUUID()) {
      const address = addresses[name];
      if (!address) return null;
      const metadata = {
        uuid: id,
        time: new Date().toISOString(),
        name: HOOKS[name].name,
        ...(ipAddress && { ip_address: ipAddress }),
      };
      return readAnswer(name, await call(name, address, JSON.stringify({ metadata, ...input }), id));
    },
    pretend: async (name) => void (await sleep(lasted.get(name) ?? 0)),
  };
}

const Refusal = v.object({
  error: v.object({ http_code: v.optional(v.unknown()), message: v.pipe(v.string(), v.minLength(1)) }),
});

function readAnswer<Name extends HookName>(name: Name, text: string): HookOutput<Name> {
  const answer = parse(text);
  const refusal = v.safeParse(Refusal, answer);
  if (refusal.success) throw hookRefused(refusal.output.error.http_code, refusal.output.error.message);
  const read = v.safeParse(HOOKS[name].output, answer);
  if (read.success) return read.output as HookOutput<Name>;
  const isClaims =
    v.getDotPath(read.issues[0]) === "claims" && Object.hasOwn(answer as object, "claims") === false;
  throw hookBroken(isClaims ? "output claims field is missing" : "Error unmarshaling JSON output.");
}

/** An empty response counts as `{}`. */
function parse(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw hookBroken("Error unmarshaling JSON output.");
  }
}
