import type { RequestListener, ServerResponse } from "node:http";
import type { AnsweredRequest } from "#backend/log/log.ts";
import { fromOperator } from "#backend/log/log-text.ts";
import type { NameRoute, Service } from "./name-route.ts";

/** A request's facts once its response has ended. */
type ObservedRequest = AnsweredRequest & { service: Service };

export type RequestObserver = (observed: ObservedRequest) => void;

/** nginx's status for a client that disconnected before the response. */
const CLIENT_GONE = 499;

/** Reports each response to the observers when it ends; without observers, adds no overhead. */
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
