import type { RequestListener, ServerResponse } from "node:http";
import type { AnsweredRequest } from "#backend/log/log.ts";
import { fromOperator } from "#backend/log/sentence.ts";
import type { NameRoute, Service } from "./name-route.ts";

/** What is known of a request when its answer has ended. */
type ObservedRequest = AnsweredRequest & { service: Service };

export type RequestObserver = (observed: ObservedRequest) => void;

/** Of who went away before there was an answer, as nginx has it. */
const CLIENT_GONE = 499;

/** Tells the observers of each answer at its end; without any, requests go their way as if this were not there. */
export function observeRequests(
  listener: RequestListener,
  name: NameRoute,
  observers: readonly RequestObserver[],
): RequestListener {
  if (observers.length === 0) return listener;
  return (request, response) => {
    const began = performance.now();
    const { method = "GET", url = "/" } = request;
    response.once("close", () => {
      const status = response.headersSent ? response.statusCode : CLIENT_GONE;
      const { service, route } = name(method, url, status);
      const { requestId } = response as ServerResponse & { requestId?: string };
      const ms = performance.now() - began;
      const observed = { request: requestId, method: fromOperator(method), service, route, status, ms };
      for (const observe of observers) observe(observed);
    });
    return listener(request, response);
  };
}
