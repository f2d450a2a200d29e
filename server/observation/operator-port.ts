import type { RequestListener } from "node:http";
import { createGuardedServer } from "#backend/http/guarded-server.ts";
import { listenOn, ofOperator, type Place } from "../http/listen-on.ts";
import { HEALTH_PATHS } from "../http/own-paths.ts";

/** A separate port for operators and their tools, not reachable by visitors. */
export type OperatorPort = { address: string; close(): Promise<void> };

/** Opens the port: `/metrics` in Prometheus format, and health checks. @throws StartError if the port is unavailable */
export async function openOperatorPort(
  place: Place,
  readMetrics: () => Promise<string>,
  health: RequestListener,
): Promise<OperatorPort> {
  const server = createGuardedServer(async (request, response) => {
    if (HEALTH_PATHS.includes(request.url ?? "")) return health(request, response);
    if (request.url !== "/metrics") return void response.writeHead(404, { "content-length": "0" }).end();
    const text = await readMetrics().catch(() => null);
    if (text === null) return void response.writeHead(500, { "content-length": "0" }).end();
    response.writeHead(200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-store",
    });
    response.end(text);
  });
  return {
    address: await listenOn(server, ofOperator(place)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
