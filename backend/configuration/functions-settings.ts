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
  const variables = new Variables(environment, "FUNCTIONS");
  const memory = variables.integer("memory-limit-mb", { min: 16, max: 65_536 });
  const limits = {
    workers: variables.integer("max-workers", { min: 1, max: 1000 }),
    memory: memory && memory * MIB,
    cpuTime: variables.integer("cpu-limit-seconds", seconds),
    wallTime: variables.integer("timeout-seconds", seconds),
    requestBody: variables.integer("request-limit", bytes),
    responseBody: variables.integer("response-limit", bytes),
  };
  return { limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null)) };
}
