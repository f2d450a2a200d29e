import type { LogFormat } from "#backend/log/log.ts";
import { ConfigurationError, type Environment } from "./variables.ts";

/** How lines of the log are written: for people unless said otherwise. */
export function readLogFormat({ LOG_FORMAT: format }: Environment): LogFormat {
  if (format === undefined || format === "" || format === "human") return "human";
  if (format === "json") return "json";
  throw new ConfigurationError("LOG_FORMAT must be human or json.");
}
