import { createHmac } from "node:crypto";
import type { JWK } from "jose";
import { type AuthOptions, createAuth } from "#backend/auth/create-auth.ts";
import { withClientNetwork } from "#backend/http/client-network.ts";
import { withCors } from "#backend/http/cors.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { toFetch } from "#backend/http/to-fetch.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import type { Change } from "#backend/realtime/change-feed.ts";
import type { RealtimeConfig } from "#backend/realtime/realtime-config.ts";
import type { Upgrade } from "#backend/realtime/socket-door.ts";
import { createRest } from "#backend/rest/create-rest.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import { createStorage, type StorageOptions } from "#backend/storage/create-storage.ts";
import { createTokenSigner } from "#backend/tokens/token-signer.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { followPublication, openRealtime } from "./open-realtime.ts";

export type { Change } from "#backend/realtime/change-feed.ts";

export type BackendOptions = {
  /** A login that may take the roles `anon`, `authenticated` and `service_role`: the authenticator. */
  databaseUrl: string;
  /** Connections to the database at most. */
  databaseConnections?: number;
  jwtSecret: string;
  anonKey: string;
  serviceRoleKey: string;
  publishableKey?: string;
  secretKey?: string;
  /** Requests without any key are refused, as the hosted gateway has it; true unless said otherwise. */
  requireApiKey?: boolean;
  schemas?: readonly string[];
  maxRows?: number | null;
  /** Origins that browsers may call from; null, the default, for all. */
  corsOrigins?: readonly string[] | null;
  /** The header in which a proxy names the client's address. */
  addressHeader?: string | null;
  /** Anything else of rest/v1. */
  rest?: Partial<RestConfig>;
  /** Keys for access tokens, private parts included: the one whose `key_ops` has `sign` signs. Without one, `jwtSecret` does. */
  signingKeys?: readonly JWK[];
  /** auth/v1, on a login as `supabase_auth_admin`; without it there is none. */
  auth?: Omit<AuthOptions, "database" | "signer" | "verifier" | "requireApiKey" | "secret"> & {
    databaseUrl: string;
  };
  /** storage/v1; without it there is none. */
  storage?: Omit<StorageOptions, "database" | "verifier" | "requireApiKey" | "secret">;
  /** A login that may replicate, for the feed of committed changes; without it `onChange` stays silent. */
  changeFeedUrl?: string;
  /** The publication whose tables are followed. */
  publication?: string;
  /** Gets a line about what fails in the database and no caller can mend. */
  log?: (line: string) => void;
  /** Limits of realtime/v1, and where it tells of what fails. */
  realtime?: Partial<RealtimeConfig> & { log?: (line: string) => void };
};

const DEFAULT_CONNECTIONS = 10;
/** Of the connections: whoever is signed in goes on while visitors without an account ask for all that they can. */
const GUEST_SHARE = 0.6;

/** The Supabase-compatible services over one PostgreSQL, behind one door. Paths start at `/rest/v1/…`. */
export type Backend = {
  fetch(request: Request): Promise<Response>;
  /** The same for plain objects, without the cost of web requests. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Takes an HTTP upgrade to `/realtime/v1/websocket`, and refuses any other. */
  upgrade: Upgrade;
  /** Says good-bye to everyone on a websocket, and lets nobody in any more. */
  closeSockets(): void;
  /** Tells of each committed change to a published table; returns how to stop listening. */
  onChange(listener: (change: Change) => void): () => void;
  /** Tells that changes may have been missed: at the feed's start, and when it comes back after an interruption. */
  onGap(listener: () => void): () => void;
  /** Whether the database's disk was found full or broken within the last minute: reads may go on all the same. */
  diskFailed(): boolean;
  close(): Promise<void>;
};

/**
 * A database that is down shows in the answers only: it may come back.
 * @throws ChangeFeedUnavailableError where changes are asked for and can never be had
 */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const max = options.databaseConnections ?? DEFAULT_CONNECTIONS;
  const guests = Math.max(1, Math.floor(max * GUEST_SHARE));
  const database = connectDatabase({ url: options.databaseUrl, report: options.log, max, guests });
  const { jwtSecret: secret, publishableKey, secretKey } = options;
  const signer = await createTokenSigner(options.signingKeys ?? [], secret);
  const jwks = signer.publicKeys;
  const verifier = createTokenVerifier({ secret, jwks, anonRole: "anon", publishableKey, secretKey });
  const requireApiKey = options.requireApiKey ?? true;
  const rest = createRest({
    database,
    verifier,
    requireApiKey,
    ...(options.schemas === undefined ? {} : { schemas: options.schemas }),
    ...(options.maxRows === undefined ? {} : { maxRows: options.maxRows }),
    ...options.rest,
  });
  const changes = new Set<(change: Change) => void>();
  const gaps = new Set<() => void>();
  const publication = options.publication ?? "supabase_realtime";
  const feed = options.changeFeedUrl
    ? await followPublication(options.changeFeedUrl, publication, {
        onChange: (change) => changes.forEach((listener) => void listener(change)),
        onGap: () => gaps.forEach((listener) => void listener()),
      })
    : null;
  const realtime = openRealtime({
    databaseUrl: options.databaseUrl,
    verifier,
    publication: feed && publication,
    settings: options.realtime ?? {},
  });
  changes.add(realtime.onChange);
  gaps.add(realtime.onGap);
  const auth = options.auth
    ? await openAuth(options.auth, { signer, verifier, requireApiKey, secret })
    : null;
  const storage = options.storage
    ? await createStorage({
        ...options.storage,
        database,
        verifier,
        requireApiKey,
        secret: keyFor("storage/v1", secret),
      })
    : null;
  const services = routeTo({
    "/rest/v1": (request) => rest.handle(withClientNetwork(request, options.addressHeader ?? null)),
    ...(auth && { "/auth/v1": auth.handle }),
    ...(storage && { "/storage/v1": storage.handle }),
    "/realtime/v1": realtime.handle,
  });
  services.takesStream = (url) => url.startsWith("/storage/v1/");
  const handle = withCors(services, { origins: options.corsOrigins ?? null });

  return {
    handle,
    fetch: toFetch(handle),
    upgrade: realtime.upgrade,
    closeSockets: realtime.closeSockets,
    onChange: (listener) => listenIn(changes, listener),
    onGap: (listener) => listenIn(gaps, listener),
    diskFailed: () => database.diskFailed() || (auth?.diskFailed() ?? false),
    async close() {
      await feed?.close();
      await realtime.close();
      await rest.close();
      await auth?.close();
      await storage?.close();
      await database.close();
    },
  };
}

async function openAuth(
  { databaseUrl, ...options }: NonNullable<BackendOptions["auth"]>,
  shared: Pick<AuthOptions, "signer" | "verifier" | "requireApiKey" | "secret">,
) {
  const database = connectDatabase({ url: databaseUrl, applicationName: "auth", report: options.log });
  const auth = await createAuth({
    ...options,
    ...shared,
    secret: keyFor("auth/v1", shared.secret),
    database,
  });
  return {
    handle: auth.handle,
    diskFailed: database.diskFailed,
    async close() {
      await auth.close();
      await database.close();
    },
  };
}

/** A key of a service's own: what it signs can never pass for a token, nor a token for it. */
function keyFor(service: string, secret: string): string {
  return createHmac("sha256", secret).update(service).digest("base64url");
}

function listenIn<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function routeTo(services: Record<string, HttpHandler>): HttpHandler {
  const routes = Object.entries(services);
  return async (request) => {
    for (const [prefix, handler] of routes) if (request.url.startsWith(prefix)) return handler(request);
    return noSuchService(request.url);
  };
}

function noSuchService(url: string): HttpResponse {
  const path = url.split("?", 1)[0];
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ code: "not_found", message: `no service at ${path}` }),
  };
}
