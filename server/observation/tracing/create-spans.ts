import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { isTracingSuppressed, parseTraceParent } from "@opentelemetry/core";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { SpanFacts, Trace } from "#backend/log/traced.ts";
import type { TracingSettings } from "../../configuration/tracing-settings.ts";

/** Spans of this process. They contain only fixed words and numbers, and of errors only the kind. */
export type Spans = Trace & {
  /** Starts a request's span, as a child of the caller's trace if its header names one. */
  beginRequest(traceParent: unknown): { span: Span; within<T>(work: () => T): T };
  /** Starts the span of an outgoing call; null if the call is not to be traced. */
  beginCall(facts: SpanFacts): { span: Span; traceParent: string } | null;
  close(): Promise<void>;
};

/** Flushing at exit waits no longer than this for a collector that hangs. */
const PATIENCE_MS = 2_000;

export async function createSpans(settings: TracingSettings, version: string): Promise<Spans> {
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      "service.name": "fruit-values",
      "service.version": version,
      "service.instance.id": String(process.pid),
    })
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(settings.serviceName ? { "service.name": settings.serviceName } : {})),
    spanProcessors: [new BatchSpanProcessor({ exporter: await createExporter(settings) })],
  });
  const tracer = provider.getTracer("fruit-values", version);
  return {
    isWithin: () => trace.getSpan(context.active())?.isRecording() ?? false,
    run({ name, facts }, work) {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts });
      return context.with(trace.setSpan(context.active(), span), async () => {
        try {
          return await work();
        } catch (error) {
          markFailed(span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    beginRequest(traceParent) {
      const from = contextOf(traceParent);
      const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, from);
      return { span, within: (work) => context.with(trace.setSpan(from, span), work) };
    },
    beginCall({ name, facts }) {
      // Skips the exporter's own calls, among others.
      if (isTracingSuppressed(context.active())) return null;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts });
      const { traceId, spanId, traceFlags } = span.spanContext();
      return { span, traceParent: `00-${traceId}-${spanId}-0${traceFlags & 1}` };
    },
    async close() {
      await provider.shutdown().catch(() => {});
      contexts.disable();
    },
  };
}

async function createExporter({ protocol }: TracingSettings) {
  const { OTLPTraceExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-trace-otlp-http")
    : import("@opentelemetry/exporter-trace-otlp-proto"));
  return new OTLPTraceExporter({ timeoutMillis: PATIENCE_MS });
}

/** Ignores all other tracing headers, which callers can fill with anything. */
function contextOf(traceParent: unknown): Context {
  const parent = typeof traceParent === "string" ? parseTraceParent(traceParent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Omits the error's message, which may quote user input. */
export function markFailed(span: Span, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown };
  const kind = typeof code === "string" && /^[A-Z\d_]{3,40}$/.test(code) ? code : nameOf(error);
  span.setAttribute("error.type", kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : "Error";
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root = sampler.endsWith("always_on")
    ? new AlwaysOnSampler()
    : sampler.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith("parentbased") ? new ParentBasedSampler({ root }) : root;
}
