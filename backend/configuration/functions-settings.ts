import type { FunctionLimits } from "#backend/functions/functions-config.ts";
import { type Environment, Variables } from "./variables.ts";

const MIB = 1024 * 1024;
const bytes = { min: 1, max: 1024 * MIB };
const seconds = { min: 1, max: 86_400 };

/**
 * Reads the limits of functions; unset ones are left to the service's defaults. Throws a one-sentence
 * `ConfigurationError`.
 */
export function readFunctionsSettings(environment: Environment): { limits: Partial<FunctionLimits> } {
  const variables = new Variables(environment);
  const memory = variables.integer("FUNCTIONS_MEMORY_LIMIT_MB", { min: 16, max: 65_536 });
  const limits = {
    workers: variables.integer("FUNCTIONS_MAX_WORKERS", { min: 1, max: 1000 }),
    memory: memory && memory * MIB,
    cpuTime: variables.integer("FUNCTIONS_CPU_LIMIT_SECONDS", seconds),
    wallTime: variables.integer("FUNCTIONS_TIMEOUT_SECONDS", seconds),
    requestBody: variables.integer("FUNCTIONS_REQUEST_LIMIT", bytes),
    responseBody: variables.integer("FUNCTIONS_RESPONSE_LIMIT", bytes),
  };
  return { limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null)) };
}
