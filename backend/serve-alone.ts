import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withCors } from "#backend/http/cors.ts";
import type { HttpHandler, HttpRequest } from "#backend/http/http-message.ts";
import { toNode } from "#backend/http/to-node.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createRest } from "#backend/rest/create-rest.ts";
import { createStorage, type Storage, type StorageOptions } from "#backend/storage/create-storage.ts";
import { openStore } from "#backend/storage/files/open-store.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { ServiceSettings } from "./configuration/service-settings.ts";
import { ConfigurationError } from "./configuration/variables.ts";
import { openLoneAuth } from "./open-lone-auth.ts";
import { openRealtimeAlone } from "./open-realtime.ts";

/** The services without the site, listening. */
export type LoneBackend = {
  url: string;
  /** Where `/live` and `/ready` answer; null without an admin port. */
  adminUrl: string | null;
  /** Ends after the requests under way. */
  close(): Promise<void>;
};

/**
 * Serves any PostgreSQL database as PostgREST would: rest at `/`, and at `/rest/v1` for clients that bring that path.
 * With `GOTRUE_DB_DATABASE_URL` auth too, at `/auth/v1`, with `STORAGE_BACKEND` storage, at `/storage/v1`, and with
 * `REALTIME_ENABLED` realtime, at `/realtime/v1` (its private channels need the backend's schema). Creates nothing in the
 * database. Rejects when a port is taken.
 */
export async function serveAlone(
  settings: ServiceSettings,
  log: (line: string) => void,
): Promise<LoneBackend> {
  const { databaseUrl: url, poolSize: max, acquireTimeout, rest: restSettings, tokens } = settings;
  const database = connectDatabase({ url, max, acquireTimeout, report: log });
  const verifier = createTokenVerifier({ ...tokens, anonRole: restSettings.anonRole ?? undefined });
  const rest = createRest({ ...restSettings, basePath: "", requireApiKey: false, database, verifier });
  const auth = settings.auth && (await openLoneAuth(settings.auth, { tokens, verifier, log }));
  const storage = await openStorage(settings, { database, verifier, log });
  const realtime =
    settings.realtime && (await openRealtimeAlone(url, verifier, { ...settings.realtime, log }));
  const services: HttpHandler = (request) => {
    if (auth && request.url.startsWith("/auth/v1/")) return auth.handle(request);
    if (storage && isForStorage(request.url)) return storage.handle(request);
    if (realtime && request.url.startsWith("/realtime/v1/")) return realtime.handle(request);
    return rest.handle(atRoot(request));
  };
  const door = logged(withCors(services, { origins: settings.corsOrigins }), settings.logLevel, log);
  if (storage) door.takesStream = isForStorage;
  const main = createServer(toNode(door));
  if (realtime) main.on("upgrade", realtime.upgrade);
  const admin = settings.adminPort === null ? null : createServer(health(main, database));
  const close = async () => {
    realtime?.closeSockets();
    await Promise.all([main, admin].map((server) => server && closeServer(server)));
    await rest.close();
    await auth?.close();
    await realtime?.close();
    await storage?.close();
    await database.close();
  };
  try {
    return {
      url: await listen(main, settings.port, settings.host),
      adminUrl: admin && (await listen(admin, settings.adminPort as number, settings.adminHost)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const clientPath = /^\/rest\/v1(?=[/?]|$)/;

function atRoot(request: HttpRequest): HttpRequest {
  return { ...request, url: request.url.replace(clientPath, "").replace(/^(?!\/)/, "/") };
}

const isForStorage = (url: string) => url.startsWith("/storage/v1/");

async function openStorage(
  { storage, tokens }: ServiceSettings,
  shared: Pick<StorageOptions, "database" | "verifier" | "log">,
): Promise<Storage | null> {
  if (storage === null) return null;
  const { folder, s3, fileSizeLimit } = storage;
  // What is signed here must not depend on a restart, so it needs a secret that stays.
  if (!tokens.secret)
    throw new ConfigurationError("STORAGE_BACKEND needs a shared secret in PGRST_JWT_SECRET.");
  return createStorage({
    ...shared,
    requireApiKey: false,
    workFolder: folder,
    store: await openStore(join(folder, "files"), s3),
    secret: createHmac("sha256", tokens.secret).update("storage/v1").digest("base64url"),
    ...(fileSizeLimit !== null && { fileSizeLimit }),
  });
}

const loudestStatus = { crit: 600, error: 500, warn: 400, info: 0, debug: 0 };

/** One line for each answer that the level wants to know of. Queries are left out: they may hold what is private. */
function logged(
  handler: HttpHandler,
  level: ServiceSettings["logLevel"],
  log: (line: string) => void,
): HttpHandler {
  return async (request) => {
    const response = await handler(request);
    if (response.status >= loudestStatus[level]) {
      log(`${new Date().toISOString()} ${request.method} ${request.url.split("?", 1)[0]} ${response.status}`);
    }
    return response;
  };
}

/** `/live`: the main server listens. `/ready`: the database answers too. */
function health(main: Server, database: Database): RequestListener {
  const probes: Record<string, () => Promise<boolean>> = {
    "/live": async () => main.listening,
    "/ready": async () => main.listening && (await answers(database)),
  };
  return async (request, response) => {
    const probe = probes[request.url?.split("?", 1)[0] ?? ""];
    const status = probe ? ((await probe()) ? 200 : 503) : 404;
    response.writeHead(status).end();
  };
}

function answers(database: Database): Promise<boolean> {
  return database.query("select 1").then(
    () => true,
    () => false,
  );
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
