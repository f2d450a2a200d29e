import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { SpanFacts } from "#backend/log/traced.ts";
import { knownMethod } from "../known-method.ts";
import { markFailed, type Spans } from "./create-spans.ts";

/** Node's diagnostics message for `fetch`. */
type Fetched = {
  request: { origin: string | URL; method: string; addHeader(name: string, value: string): void };
  response?: { statusCode: number };
  error?: unknown;
};
/** And for `http.request`, which the S3 client uses. */
type Called = { request: ClientRequest; response?: IncomingMessage; error?: unknown };

/** Makes a span of each outgoing call and propagates the trace; returns a function that stops it. */
export function traceCalls(spans: Pick<Spans, "beginCall">): () => void {
  const open = new WeakMap<object, Span>();

  function begin(request: object, facts: SpanFacts, pass: (traceParent: string) => void): void {
    const call = spans.beginCall(facts);
    if (!call) return;
    open.set(request, call.span);
    pass(call.traceParent);
  }

  function answered(request: object, status: number): void {
    const span = open.get(request);
    span?.setAttribute("http.response.status_code", status);
    if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
  }

  function end(request: object, error?: unknown): void {
    const span = open.get(request);
    if (span && error !== undefined) markFailed(span, error);
    span?.end();
    open.delete(request);
  }

  return listen({
    "undici:request:create": ({ request }: Fetched) =>
      begin(request, describe(request.method, new URL(request.origin).hostname), (traceParent) =>
        request.addHeader("traceparent", traceParent),
      ),
    "undici:request:headers": ({ request, response }: Fetched) =>
      answered(request, response?.statusCode ?? 0),
    "undici:request:trailers": ({ request }: Fetched) => end(request),
    "undici:request:error": ({ request, error }: Fetched) => end(request, error),
    "http.client.request.created": ({ request }: Called) =>
      begin(request, describe(request.method, request.host), (traceParent) => {
        if (!request.headersSent) request.setHeader("traceparent", traceParent);
      }),
    "http.client.response.finish": ({ request, response }: Called) => {
      answered(request, response?.statusCode ?? 0);
      end(request);
    },
    "http.client.request.error": ({ request, error }: Called) => end(request, error),
  });
}

/** By method and host only; the rest of a URL may contain a secret. */
function describe(method: string, host: string): SpanFacts {
  const [verb, server] = [fromOperator(knownMethod(method)), fromOperator(host)];
  return {
    name: logText`${verb} ${server}`,
    facts: { "http.request.method": verb, "server.address": server },
  };
}

function listen(channels: Record<string, (message: never) => void>): () => void {
  const listeners = Object.entries(channels).map(
    ([name, act]) => [name, (message: unknown) => act(message as never)] as const,
  );
  for (const [name, listener] of listeners) subscribe(name, listener);
  return () => {
    for (const [name, listener] of listeners) unsubscribe(name, listener);
  };
}
