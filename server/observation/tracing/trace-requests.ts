import type { RequestListener, ServerResponse } from "node:http";
import { SpanStatusCode } from "@opentelemetry/api";
import { splitAddress } from "#backend/http/split-address.ts";
import { LIVE_PATH } from "../../http/own-paths.ts";
import { knownMethod } from "../known-method.ts";
import type { NameRoute } from "../name-route.ts";
import type { Spans } from "./create-spans.ts";

/** Makes a span of each request, named after its route; change streams are excluded, since they stay open too long. */
export function traceRequests(
  spans: Pick<Spans, "beginRequest">,
  listener: RequestListener,
  name: NameRoute,
): RequestListener {
  return (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    if (splitAddress(url).path === LIVE_PATH) return listener(request, response);
    const { span, within } = spans.beginRequest(headers.traceparent);
    response.once("close", () => {
      if (!span.isRecording()) return;
      const { service, route } = name(method, url, response.statusCode);
      const verb = knownMethod(method);
      span.updateName(`${verb} ${route}`);
      span.setAttributes({
        "http.request.method": verb,
        "http.route": route,
        "site.service": service,
        "site.request_id": (response as ServerResponse & { requestId?: string }).requestId ?? "",
      });
      if (response.headersSent) span.setAttribute("http.response.status_code", response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return within(() => listener(request, response));
  };
}
