import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGuardedServer, GUARDS, takeUpgrades } from "#backend/http/guarded-server.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import { toNode } from "#backend/http/to-node.ts";
import type { Log } from "#backend/log/log.ts";
import { type Backend, createBackend } from "./backend.ts";
import type { ServiceSettings } from "./configuration/service-settings.ts";
import { loneOptions } from "./lone-options.ts";

/** The services without the site, listening. */
export type LoneBackend = {
  url: string;
  /** Where `/live` and `/ready` answer; null without an admin port. */
  adminUrl: string | null;
  /** Ends after the requests under way. */
  close(): Promise<void>;
};

/**
 * Serves any PostgreSQL database as PostgREST would: rest at `/`, and at `/rest/v1` for clients that bring that path; or
 * accounts alone as GoTrue would, at `/` and at `/auth/v1`. Beside rest, `GOTRUE_DB_DATABASE_URL` gives auth too, at
 * `/auth/v1`, `STORAGE_BACKEND` storage, at `/storage/v1`, `REALTIME_ENABLED` realtime, at `/realtime/v1` (its private
 * channels need the backend's schema), and `FUNCTIONS_FOLDER` functions, at `/functions/v1`. Creates nothing in the
 * database. Rejects when a port is taken.
 */
export async function serveAlone(settings: ServiceSettings, log: Log): Promise<LoneBackend> {
  const backend = await createBackend(await loneOptions(settings, log));
  if (settings.auth && !backend.revokesSessions())
    log(
      "The database has no table backend.revocations: tokens hold until their time is up, whatever becomes of their sessions.",
      "warn",
    );
  if (backend.feedFault) log(`realtime: tells no changes: ${backend.feedFault}`, "warn");
  const door = logged(backend, settings.logLevel, log);
  const requestIdHeader = settings.requestIdHeader;
  const main = createGuardedServer(toNode(door), GUARDS, { requestIdHeader });
  if (settings.realtime) takeUpgrades(main, backend.upgrade, GUARDS, requestIdHeader);
  const admin = settings.adminPort === null ? null : createGuardedServer(health(main, backend));
  const close = async () => {
    backend.closeSockets();
    await Promise.all([main, admin].map((server) => server && closeServer(server)));
    await backend.close();
  };
  try {
    const url = await listen(main, settings.port, settings.host);
    backend.servedAt(url);
    return {
      url,
      adminUrl: admin && (await listen(admin, settings.adminPort as number, settings.adminHost)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const loudestStatus = { crit: 600, error: 500, warn: 400, info: 0, debug: 0 };

/** One line for each answer that the level wants to know of. Queries are left out: they may hold what is private. */
function logged(handler: HttpHandler, level: ServiceSettings["logLevel"], log: Log): HttpHandler {
  return {
    bodyAt: handler.bodyAt,
    async handle(request) {
      const response = await handler.handle(request);
      if (response.status >= loudestStatus[level]) {
        const severity = response.status >= 500 ? "error" : response.status >= 400 ? "warn" : "info";
        log(`${request.method} ${request.url.split("?", 1)[0]} ${response.status}`, severity);
      }
      return response;
    },
  };
}

/** `/live`: the main server listens. `/ready`: the database answers too. */
function health(main: Server, backend: Backend): RequestListener {
  const probes: Record<string, () => Promise<boolean>> = {
    "/live": async () => main.listening,
    "/ready": async () => main.listening && (await backend.isReady()),
  };
  return async (request, response) => {
    const probe = probes[request.url?.split("?", 1)[0] ?? ""];
    const status = probe ? ((await probe()) ? 200 : 503) : 404;
    response.writeHead(status).end();
  };
}

async function listen(server: Server, port: number, host: string | undefined): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  const { address, port: taken, family } = server.address() as AddressInfo;
  const anywhere = address === "0.0.0.0" || address === "::";
  const shown = family === "IPv6" ? `[${address}]` : address;
  return `http://${anywhere ? "localhost" : shown}:${taken}`;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  await closed;
}
