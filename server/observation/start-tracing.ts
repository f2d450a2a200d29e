import type { RequestListener } from "node:http";
import { traceBy } from "#backend/log/traced.ts";
import type { TracingSettings } from "../configuration/tracing-settings.ts";
import type { NameRoute } from "./name-route.ts";

/** Spans of this process, exported to the operator's collector. */
export type Tracing = {
  traceRequests(listener: RequestListener, name: NameRoute): RequestListener;
  /** Flushes pending spans. */
  close(): Promise<void>;
};

/** OpenTelemetry, configured by its standard variables; null, and not loaded, if no endpoint is set. */
export async function startTracing(
  settings: TracingSettings | undefined,
  version: string,
): Promise<Tracing | null> {
  if (!settings) return null;
  const { createSpans } = await import("./tracing/create-spans.ts");
  const { traceRequests } = await import("./tracing/trace-requests.ts");
  const { traceCalls } = await import("./tracing/trace-calls.ts");
  const spans = await createSpans(settings, version);
  traceBy(spans);
  const stopCalls = traceCalls(spans);
  return {
    traceRequests: (listener, name) => traceRequests(spans, listener, name),
    async close() {
      stopCalls();
      traceBy(null);
      await spans.close();
    },
  };
}
