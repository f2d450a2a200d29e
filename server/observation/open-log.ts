import { createLog, type Log } from "#backend/log/log.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { readVersion } from "./read-version.ts";

export type OpenLog = { log: Log; close(): Promise<void> };

/** This process's log. Errors also go to the operator's Sentry; its client is loaded only if one is configured. */
export async function openLog({
  logFormat: format,
  errorReports: settings,
}: Pick<ServerConfig, "logFormat" | "errorReports">): Promise<OpenLog> {
  if (!settings) return { log: createLog({ format }), close: async () => {} };
  const { createErrorReports } = await import("./error-reports.ts");
  const reports = createErrorReports(settings, readVersion());
  return { log: createLog({ format, onError: reports.send }), close: reports.close };
}
