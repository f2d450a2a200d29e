import { createFunctions } from "#backend/functions/create-functions.ts";
import { withClientNetwork } from "#backend/http/client-network.ts";
import { type Origins, withCors } from "#backend/http/cors.ts";
import type { Upgrade } from "#backend/http/guarded-server.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { atRoot, routeByPath, servedAs } from "#backend/http/route-by-path.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { toFetch } from "#backend/http/to-fetch.ts";
import { SINGLE_PROCESS, shareOf } from "#backend/memory/process-group.ts";
import { connectDatabase, type Database, type PoolUse } from "#backend/postgres/database.ts";
import { followReplica, type Replica } from "#backend/postgres/replica/follow-replica.ts";
import { withReplica } from "#backend/postgres/replica/with-replica.ts";
import type { Change } from "#backend/realtime/feed/change-feed.ts";
import { createRest, type Rest } from "#backend/rest/create-rest.ts";
import { defaultRestConfig, type RestConfig } from "#backend/rest/rest-config.ts";
import { openRevocationFeed } from "#backend/tokens/revocation-feed.ts";
import type { TokenUse } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";
import { keepsOwnTables, openAuth } from "./open-auth.ts";
import { openRealtime } from "./open-realtime.ts";
import { openStorage } from "./open-storage.ts";
import { openTokens, type Tokens } from "./open-tokens.ts";

export type { Change } from "#backend/realtime/feed/change-feed.ts";
export type { BackendOptions } from "./backend-options.ts";

const DEFAULT_CONNECTIONS = 10;
/** Per process, however many there are. */
const LEAST_CONNECTIONS = 4;
/** Leaves connections for signed-in users when requests without an account flood the server. */
const GUEST_SHARE = 0.6;

/** The Supabase-compatible services over one PostgreSQL, behind one HTTP handler. Paths start at `/rest/v1/…`. */
export type Backend = HttpHandler & {
  /** The handler for web `Request`s; plain request objects avoid their overhead. */
  fetch(request: Request): Promise<Response>;
  /** Accepts HTTP upgrades to `/realtime/v1/websocket` and refuses all others. */
  upgrade: Upgrade;
  /** Closes all websockets and accepts no new ones. */
  closeSockets(): void;
  /** Subscribes to committed changes of published tables; returns the unsubscribe function. */
  onChange(listener: (change: Change) => void): () => void;
  /** Called when changes may have been missed: when the feed starts, and when it reconnects after an interruption. */
  onGap(listener: () => void): () => void;
  /** Why the change feed is unavailable; null if it works or was not requested. */
  feedFault: string | null;
  /** Sets the URL of the services once it is known: functions call them there. */
  servedAt(url: string): void;
  /** Whether the database answers and rest has loaded its schema cache. */
  isReady(): Promise<boolean>;
  /** rest/v1, for inspection; null if disabled. */
  rest: Rest | null;
  /** Applies new rest/v1 and token verification settings, and other origins. */
  reconfigureRest(options: BackendOptions): Promise<void>;
  /** Usage of the database connection pool. */
  poolUse(): PoolUse;
  /** Hit statistics of rest/v1's token cache. */
  tokenUse(): TokenUse;
  /** Realtime's metrics in the Prometheus text format. */
  realtimeFigures(): string;
  /** Number of this process's open sockets. */
  openSockets(): number;
  /** The replica that answers reads without a token; null if there is none. */
  replica: Replica | null;
  /** Whether the database's disk was found full or failing within the last minute; reads may still work. */
  diskFailed(): boolean;
  /** Whether revoked sessions are refused, which requires the database to record them. */
  revokesSessions(): boolean;
  close(): Promise<void>;
};

/** Composes the services. An unreachable database does not fail startup, since it may come back; requests report it. */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const opened = new AsyncDisposableStack();
  try {
    return await compose(options, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function compose(options: BackendOptions, opened: AsyncDisposableStack): Promise<Backend> {
  const keep = <T extends { close(): Promise<void> }>(it: T): T => opened.adopt(it, ({ close }) => close());
  const { jwtSecret, addressHeader = null, requireApiKey = true, processGroup = SINGLE_PROCESS } = options;
  const directUrl = options.directUrl ?? options.databaseUrl;
  const database = keep(openDatabase(options));
  const replica = openReplica(options, database);
  opened.defer(async () => replica?.close());
  // Creates the table of revocations, too, so it must run before the revocation feed opens.
  const keepsOwn = options.auth ? await keepsOwnTables(options.auth) : true;
  const revocations = keep(await openRevocationFeed(directUrl, options.pool?.prepared));
  const { signer, verifier, jwks } = await openTokens(options, restConfig(options).anonRole, revocations);
  let verifierOfRest = verifier;
  const shared = { processGroup, verifier, jwks, requireApiKey, answerTimeout: options.answerTimeout };
  const storage =
    options.storage && keep(await openStorage(options, options.storage, { ...shared, database }));
  const auth =
    options.auth &&
    keep(await openAuth({ addressHeader, ...options.auth }, jwtSecret, { ...shared, keepsOwn, signer }));
  const rest =
    options.rest === null
      ? null
      : keep(
          createRest({
            ...restConfig(options),
            verifier,
            database: withReplica(database, replica),
            log: options.log,
          }),
        );
  const realtime =
    options.realtime === null
      ? null
      : keep(
          await openRealtime(
            { ...options, databaseUrl: directUrl, verifier },
            { addressHeader, ...options.realtime },
          ),
        );
  let corsOrigins = options.corsOrigins ?? null;
  const origins = () => corsOrigins;
  const functions = options.functions && keep(openFunctions(options, options.functions, shared, origins));
  const restHandler = rest && options.rest?.basePath === "" ? atRoot(rest, "/rest/v1") : rest;
  const authHandler = auth && options.auth?.basePath === "" ? atRoot(auth, "/auth/v1") : auth;
  const services = routeByPath(
    {
      ...(restHandler && { "/rest/v1": restHandler }),
      ...(authHandler && { "/auth/v1": authHandler }),
      ...(authHandler && {
        [AUTH_METADATA]: servedAs(authHandler, "/auth/v1/.well-known/oauth-authorization-server"),
      }),
      ...(storage && { "/storage/v1": storage }),
      ...(realtime && { "/realtime/v1": realtime }),
    },
    whateverElse(options, restHandler, authHandler),
  );
  const withoutFunctions = withCors(services, origins);
  // Functions answer CORS preflights themselves.
  const handler = withNetwork(
    functions ? routeByPath({ "/functions/v1": functions }, withoutFunctions) : withoutFunctions,
    addressHeader,
  );
  return {
    ...handler,
    fetch: toFetch(handler),
    upgrade: realtime?.upgrade ?? ((_request, _socket, _head, refuse) => refuse(404)),
    closeSockets: () => realtime?.closeSockets(),
    onChange: (listener) => subscribe(realtime?.changes, listener),
    onGap: (listener) => subscribe(realtime?.gaps, listener),
    feedFault: realtime?.feedFault ?? null,
    servedAt: (url) => functions?.servedAt(url),
    isReady: () =>
      Promise.all([database.query("select 1"), rest?.schema.current()]).then(Boolean, () => false),
    rest,
    async reconfigureRest(next) {
      const config = restConfig(next);
      const tokens = await openTokens(next, config.anonRole, revocations);
      await rest?.replace(config, tokens.verifier);
      verifierOfRest = tokens.verifier;
      corsOrigins = next.corsOrigins ?? null;
    },
    poolUse: database.use,
    tokenUse: () => verifierOfRest.use(),
    replica,
    realtimeFigures: () => realtime?.figures() ?? "",
    openSockets: () => realtime?.openSockets() ?? 0,
    diskFailed: () => database.diskFailed() || (auth?.diskFailed() ?? false),
    revokesSessions: revocations.isKept,
    close: () => opened.disposeAsync(),
  };
}

/** Size of rest's connection pool, and how many of those connections requests without an account may use. */
function connectionsOf({
  processGroup = SINGLE_PROCESS,
  databaseConnections = DEFAULT_CONNECTIONS,
  guestShare,
}: BackendOptions) {
  const max = shareOf(databaseConnections, processGroup, LEAST_CONNECTIONS);
  return { max, guests: Math.max(1, Math.floor(max * (guestShare ?? GUEST_SHARE))) };
}

function openReplica(options: BackendOptions, primary: Database): Replica | null {
  if (!options.replica) return null;
  const { processGroup = SINGLE_PROCESS, log = () => {} } = options;
  // One process logs on behalf of all.
  const report = processGroup.isLeader ? log : () => {};
  return followReplica({ ...options.replica, ...connectionsOf(options), primary, report });
}

function openDatabase({ databaseUrl: url, acquireTimeout, pool, log: report, ...options }: BackendOptions) {
  return connectDatabase({
    url,
    listenUrl: options.directUrl,
    prepared: !options.directUrl,
    ...connectionsOf({ databaseUrl: url, ...options }),
    report,
    answerTimeout: options.answerTimeout,
    ...pool,
    ...(acquireTimeout && { acquireTimeout }),
  });
}

function openFunctions(
  options: BackendOptions,
  functions: NonNullable<BackendOptions["functions"]>,
  { verifier, jwks }: Omit<Tokens, "signer">,
  corsOrigins: Origins,
) {
  const { addressHeader = null, processGroup = SINGLE_PROCESS, log = () => {} } = options;
  const { publishableKey, secretKey } = options;
  const keys = { ...functions.keys, publishableKey, secretKey, jwks };
  return createFunctions({ addressHeader, corsOrigins, processGroup, log, ...functions, keys, verifier });
}

function restConfig({ rest, schemas, maxRows, requireApiKey = true }: BackendOptions): RestConfig {
  return {
    ...defaultRestConfig,
    ...(schemas && { schemas }),
    ...(maxRows !== undefined && { maxRows }),
    ...rest,
    requireApiKey,
  };
}

/** For all services: each may pass the headers on to the database, which takes the network for true. */
function withNetwork(handler: HttpHandler, addressHeader: string | null): HttpHandler {
  return {
    bodyAt: handler.bodyAt,
    handle: (request) => handler.handle(withClientNetwork(request, addressHeader)),
  };
}

/** The handler for paths of no service: the service mounted at the root, else a 404. */
function whateverElse(
  { rest, auth }: BackendOptions,
  restHandler: HttpHandler | null,
  authHandler: HttpHandler | undefined,
): HttpHandler {
  if (restHandler && rest?.basePath === "") return restHandler;
  return authHandler && auth?.basePath === "" ? authHandler : noSuchService;
}

/** Where RFC 8414 §3.1 puts the metadata of an issuer whose URL has a path. */
const AUTH_METADATA = "/.well-known/oauth-authorization-server/auth/v1";

function subscribe<T>(listeners: Set<T> | undefined, listener: T): () => void {
  listeners?.add(listener);
  return () => void listeners?.delete(listener);
}

const noSuchService: HttpHandler = {
  bodyAt: () => 0,
  handle: async ({ url }) =>
    jsonResponse(404, { code: "not_found", message: `no service at ${splitAddress(url).path}` }),
};
