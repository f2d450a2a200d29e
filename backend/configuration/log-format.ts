import type { LogFormat } from "#backend/log/log.ts";
import { ConfigurationError, type Environment } from "./variables.ts";

/** Format of the log lines; human-readable by default. */
export function readLogFormat({ LOG_FORMAT: format }: Environment): LogFormat {
  if (format === undefined || format === "" || format === "human") return "human";
  if (format === "json") return "json";
  throw new ConfigurationError("LOG_FORMAT must be human or json.");
}
