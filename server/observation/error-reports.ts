import { fileURLToPath } from "node:url";
import { createTransport, type Event } from "@sentry/core";
import { ServerRuntimeClient } from "@sentry/core/server";
import type { Sentence } from "#backend/log/sentence.ts";
import type { ErrorReportsSettings } from "../configuration/error-reports-settings.ts";

/** Where failures of our own are collected. */
export type ErrorReports = {
  /** @param request the id by which the log names the request, if it is about one */
  send(line: Sentence, request: string | undefined): void;
  /** Waits for what is under way, but not long. */
  close(): Promise<void>;
};

const PATIENCE_MS = 2_000;
/** It may be named after somebody. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Sends the log's lines of level error to a Sentry; what else its client would tell of a request, a machine or a person stays here. */
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

/** By which a Sentry asks for fewer. */
function limitsOf({ headers }: Response) {
  return {
    "x-sentry-rate-limits": headers.get("x-sentry-rate-limits"),
    "retry-after": headers.get("retry-after"),
  };
}
