import type { ServiceSettings } from "#backend/configuration/service-settings.ts";

const loudestStatus = { crit: 600, error: 500, warn: 400, info: 0, debug: 0 };

/** Whether a response with this status is logged at this level. */
export function isLogged(status: number, level: ServiceSettings["logLevel"]): boolean {
  return status >= loudestStatus[level];
}
