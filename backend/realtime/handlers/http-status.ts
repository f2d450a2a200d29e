import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { identifyRequest } from "../access/identify.ts";
import { RefusedError } from "../refused-error.ts";
import type { Context } from "./context.ts";
import { describeFigures } from "./figures.ts";

const BASE = "/realtime/v1";
const HEALTH = /^\/realtime\/v1\/api\/tenants\/[^/]+\/health$/;
const METRICS = /^\/realtime\/v1\/(?:api\/)?metrics(?:\/[^/]+)?$/;

/**
 * Monitoring: a public ping, plus health and metrics for the secret key. Null for any other request. There is a single
 * tenant, whatever its name in the path. @throws RefusedError
 */
export async function answerStatus(request: HttpRequest, context: Context): Promise<HttpResponse | null> {
  const { path } = splitAddress(request.url);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead) return null;
  if (path === `${BASE}/api/ping`) return jsonResponse(200, { message: "Success" });
  if (!HEALTH.test(path) && !METRICS.test(path)) return null;
  const { role } = await identifyRequest(context.verifier, request);
  if (role !== "service_role") throw new RefusedError("Only the service role may ask for it", 403);
  return HEALTH.test(path) ? jsonResponse(200, { data: await describeHealth(context) }) : figures(context);
}

async function describeHealth(context: Context) {
  const isUp = await context.database.query("select 1").then(Boolean, () => false);
  const isFollowing = context.isFollowing();
  return {
    healthy: isUp && isFollowing,
    db_connected: isUp,
    replication_connected: isFollowing,
    connected_cluster: context.countSockets(),
  };
}

const figures = (context: Context): HttpResponse => ({
  status: 200,
  headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  body: describeFigures(context),
});
