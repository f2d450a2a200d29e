import { isDeepStrictEqual } from "node:util";
import type { Backend } from "#backend/backend.ts";
import type { BackendOptions } from "#backend/backend-options.ts";
import { dumpConfig } from "#backend/configuration/dump-config.ts";
import type { ServiceSettings } from "#backend/configuration/service-settings.ts";
import { ConfigurationError, type Environment } from "#backend/configuration/variables.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { standaloneRest } from "./standalone-options.ts";

/** The settings in effect, and the variables they were read from. */
type InForce = { settings: ServiceSettings; variables: Environment };

export type Reloads = {
  /** Handles a notification to reload the configuration. */
  onNotified: NonNullable<RestConfig["onReloadConfig"]>;
  take(backend: Backend, options: BackendOptions): void;
  reload(): Promise<void>;
  /** The configuration in effect, without its secrets. */
  config(): string;
};

/** Reloads the configuration: settings of rest/v1, its tokens and origins are applied without interrupting requests. */
export function createReloads(
  first: InForce,
  log: Log,
  load: (() => Promise<LoadedSettings>) | undefined,
): Reloads {
  let inForce = first;
  let target: { backend: Backend; options: BackendOptions } | null = null;
  let isAsked = false;
  /** Whether a reload was requested before the backend existed. */
  let isOwed = false;
  const runs = coalesceRuns(reload);

  async function reload(): Promise<void> {
    if (!load) return;
    if (!target) {
      isOwed = true;
      return;
    }
    const wasAsked = isAsked;
    isAsked = false;
    try {
      const { settings, variables, notes } = await load();
      if (!wasAsked && isDeepStrictEqual(variables, inForce.variables)) return;
      for (const note of notes) log(fromOperator(note), "warn");
      const { secret, ...tokens } = settings.tokens;
      const rest = standaloneRest(settings, log, onNotified);
      const changed = { jwtSecret: secret, tokens, corsOrigins: settings.corsOrigins, rest };
      await target.backend.reconfigureRest({ ...target.options, ...changed });
      inForce = { settings, variables };
      log(logText`The configuration was reloaded.`);
    } catch (error) {
      const why = error instanceof ConfigurationError ? fromOperator(error.message) : describeCause(error);
      log(logText`The configuration was not reloaded: ${why}`, "error");
    }
  }

  function readSoon(asked: boolean): Promise<void> {
    isAsked ||= asked;
    return runs.next();
  }

  const onNotified = (asked: boolean) => void readSoon(asked);

  return {
    onNotified,
    take: (backend, options) => {
      target = { backend, options };
      if (isOwed) void runs.next();
    },
    reload: () => readSoon(true),
    config: () => dumpConfig(inForce.settings, inForce.variables, { secrets: false }),
  };
}
