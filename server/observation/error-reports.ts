import { fileURLToPath } from "node:url";
import { createTransport, type Event } from "@sentry/core";
import { ServerRuntimeClient } from "@sentry/core/server";
import type { LogText } from "#backend/log/log-text.ts";
import type { ErrorReportsSettings } from "../configuration/error-reports-settings.ts";

/** Where our own errors are reported. */
export type ErrorReports = {
  /** @param request the request's id in the log, if the error is about one */
  send(line: LogText, request: string | undefined): void;
  /** Waits briefly for reports in flight. */
  close(): Promise<void>;
};

const PATIENCE_MS = 2_000;
/** The install path, which may contain a person's name. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Sends log lines of level error to Sentry, without the client's usual data about the request, machine or user. */
export function createErrorReports(
  { dsn, environment }: ErrorReportsSettings,
  version: string,
): ErrorReports {
  const client = new ServerRuntimeClient({
    dsn,
    environment,
    release: `fruit-values@${version}`,
    integrations: [],
    stackParser: () => [],
    sendClientReports: false,
    beforeSend: (event) => onlyOurs(event) as typeof event,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const answer = await fetch(options.url, {
          method: "POST",
          headers: options.headers ?? {},
          body: body as BodyInit,
          redirect: "error",
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        await answer.body?.cancel();
        return { statusCode: answer.status, headers: limitsOf(answer) };
      }),
  });
  client.init();
  return {
    send(line, request) {
      const message = line.replaceAll(ROOT, "");
      client.captureEvent({ message, level: "error", ...(request && { tags: { request } }) });
    },
    close: async () => void (await client.close(PATIENCE_MS)),
  };
}

function onlyOurs({ event_id, timestamp, level, message, tags, release, environment, type }: Event): Event {
  return {
    ...(event_id && { event_id }),
    ...(timestamp && { timestamp }),
    ...(level && { level }),
    ...(message && { message }),
    ...(tags && { tags }),
    ...(release && { release }),
    ...(environment && { environment }),
    platform: "node",
    type,
  };
}

/** The headers by which Sentry limits the rate. */
function limitsOf({ headers }: Response) {
  return {
    "x-sentry-rate-limits": headers.get("x-sentry-rate-limits"),
    "retry-after": headers.get("retry-after"),
  };
}
