import { withClientNetwork } from "#backend/http/client-network.ts";
import { withCors } from "#backend/http/cors.ts";
import type { Upgrade } from "#backend/http/guarded-server.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { atRoot, routeByPath, servedAs } from "#backend/http/route-by-path.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { toFetch } from "#backend/http/to-fetch.ts";
import { ALONE, shareOf } from "#backend/memory/crew.ts";
import { connectDatabase, type Database, type PoolUse } from "#backend/postgres/database.ts";
import { followReplica, type Replica } from "#backend/postgres/replica/follow-replica.ts";
import { withReplica } from "#backend/postgres/replica/with-replica.ts";
import type { Change } from "#backend/realtime/feed/change-feed.ts";
import type { Rest } from "#backend/rest/create-rest.ts";
import { defaultRestConfig, type RestConfig } from "#backend/rest/rest-config.ts";
import { openRevocationFeed } from "#backend/tokens/revocation-feed.ts";
import type { TokenUse } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";
import { keepsOwnTables, openAuth } from "./open-auth.ts";
import { openFunctions } from "./open-functions.ts";
import { openRealtime } from "./open-realtime.ts";
import { openRest } from "./open-rest.ts";
import { openStorage } from "./open-storage.ts";
import { openTokens } from "./open-tokens.ts";

export type { Change } from "#backend/realtime/feed/change-feed.ts";
export type { BackendOptions } from "./backend-options.ts";

const DEFAULT_CONNECTIONS = 10;
/** Of one process, however many there are. */
const LEAST_CONNECTIONS = 4;
/** Whoever is signed in goes on while visitors without an account send all that they can. */
const GUEST_SHARE = 0.6;

/** The Supabase-compatible services over one PostgreSQL, behind one door. Paths start at `/rest/v1/…`. */
export type Backend = HttpHandler & {
  /** The handler for web requests; plain objects go without their cost. */
  fetch(request: Request): Promise<Response>;
  /** Takes an HTTP upgrade to `/realtime/v1/websocket`, and refuses any other. */
  upgrade: Upgrade;
  /** Closes every websocket, and accepts none any more. */
  closeSockets(): void;
  /** Calls back with each committed change to a published table; returns how to stop listening. */
  onChange(listener: (change: Change) => void): () => void;
  /** Calls back when changes may have been missed: at the feed's start, and when it comes back after an interruption. */
  onGap(listener: () => void): () => void;
  /** Why the database provides no changes; null where it does, or was not asked. */
  feedFault: string | null;
  /** Where the services are reached, once that is known: functions call them there. */
  servedAt(url: string): void;
  /** Whether the database answers, and rest knows what is in it. */
  isReady(): Promise<boolean>;
  /** rest/v1 itself, to look into; null where there is none. */
  rest: Rest | null;
  /** Goes on with rest/v1 as these options have it, and with tokens checked as they say. */
  reconfigureRest(options: BackendOptions): Promise<void>;
  /** How the connections to the database are used. */
  poolUse(): PoolUse;
  /** How often a token was known already, where rest/v1 stands. */
  tokenUse(): TokenUse;
  /** How realtime goes, in the form that Prometheus reads. */
  realtimeFigures(): string;
  /** Open sockets of this process. */
  openSockets(): number;
  /** What answers reads without a token; null where the database itself does. */
  replica: Replica | null;
  /** Whether the database's disk was found full or broken within the last minute: reads may go on all the same. */
  diskFailed(): boolean;
  /** Whether revoked sessions are refused: the database keeps them. */
  revokesSessions(): boolean;
  close(): Promise<void>;
};

/** Composes the services. A database that is down shows in the answers only: it may come back. */
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
  const { jwtSecret, addressHeader = null, requireApiKey = true, crew = ALONE } = options;
  const directUrl = options.directUrl ?? options.databaseUrl;
  const database = keep(openDatabase(options));
  const replica = openReplica(options, database);
  opened.defer(async () => replica?.close());
  // The revocations are among them.
  const keepsOwn = options.auth ? await keepsOwnTables(options.auth) : true;
  const revocations = keep(await openRevocationFeed(directUrl, options.pool?.prepared));
  const { signer, verifier } = await openTokens(options, restConfig(options).anonRole, revocations);
  let verifierOfRest = verifier;
  const shared = { crew, verifier, requireApiKey };
  const storage =
    options.storage && keep(await openStorage(options, options.storage, { ...shared, database }));
  const auth =
    options.auth &&
    keep(await openAuth({ addressHeader, ...options.auth }, jwtSecret, { ...shared, keepsOwn, signer }));
  const rest =
    options.rest === null
      ? null
      : keep(
          openRest(restConfig(options), {
            verifier,
            requireApiKey,
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
  const functions = options.functions && keep(openFunctions(options, options.functions, verifier));
  const restDoor =
    rest && withNetwork(options.rest?.basePath === "" ? atRoot(rest, "/rest/v1") : rest, options);
  const authDoor = auth && options.auth?.basePath === "" ? atRoot(auth, "/auth/v1") : auth;
  const services = routeByPath(
    {
      ...(restDoor && { "/rest/v1": restDoor }),
      ...(authDoor && { "/auth/v1": authDoor }),
      ...(authDoor && {
        [AUTH_METADATA]: servedAs(authDoor, "/auth/v1/.well-known/oauth-authorization-server"),
      }),
      ...(storage && { "/storage/v1": storage }),
      ...(realtime && { "/realtime/v1": realtime }),
    },
    whateverElse(options, restDoor, authDoor),
  );
  const withoutFunctions = withCors(services, { origins: options.corsOrigins ?? null });
  // Functions answer preflights themselves.
  const door = functions ? routeByPath({ "/functions/v1": functions }, withoutFunctions) : withoutFunctions;
  return {
    ...door,
    fetch: toFetch(door),
    upgrade: realtime?.upgrade ?? ((_request, _socket, _head, refuse) => refuse(404)),
    closeSockets: () => realtime?.closeSockets(),
    onChange: (listener) => subscribe(realtime?.changes, listener),
    onGap: (listener) => subscribe(realtime?.gaps, listener),
    feedFault: realtime?.feedFault ?? null,
    servedAt: (url) => functions?.servedAt(url),
    isReady: () => Promise.all([database.query("select 1"), rest?.schema()]).then(Boolean, () => false),
    rest,
    async reconfigureRest(next) {
      const config = restConfig(next);
      const tokens = await openTokens(next, config.anonRole, revocations);
      await rest?.replace(config, tokens.verifier);
      verifierOfRest = tokens.verifier;
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

/** What rest may use of the connections, and visitors without an account of those. */
function connectionsOf({
  crew = ALONE,
  databaseConnections = DEFAULT_CONNECTIONS,
  guestShare,
}: BackendOptions) {
  const max = shareOf(databaseConnections, crew, LEAST_CONNECTIONS);
  return { max, guests: Math.max(1, Math.floor(max * (guestShare ?? GUEST_SHARE))) };
}

function openReplica(options: BackendOptions, primary: Database): Replica | null {
  if (!options.replica) return null;
  const { crew = ALONE, log = () => {} } = options;
  // The house is kept by one, who says it for all.
  const report = crew.keepsHouse ? log : () => {};
  return followReplica({ ...options.replica, ...connectionsOf(options), primary, report });
}

function openDatabase({ databaseUrl: url, acquireTimeout, pool, log: report, ...options }: BackendOptions) {
  return connectDatabase({
    url,
    listenUrl: options.directUrl,
    prepared: !options.directUrl,
    ...connectionsOf({ databaseUrl: url, ...options }),
    report,
    ...pool,
    ...(acquireTimeout && { acquireTimeout }),
  });
}

function restConfig({ rest, schemas, maxRows }: BackendOptions): RestConfig {
  return {
    ...defaultRestConfig,
    ...(schemas && { schemas }),
    ...(maxRows !== undefined && { maxRows }),
    ...rest,
  };
}

function withNetwork(handler: HttpHandler, { addressHeader = null }: BackendOptions): HttpHandler {
  return {
    bodyAt: handler.bodyAt,
    handle: (request) => handler.handle(withClientNetwork(request, addressHeader)),
  };
}

/** What answers a path that is no service's: the service at the root. */
function whateverElse(
  { rest, auth }: BackendOptions,
  restDoor: HttpHandler | null,
  authDoor: HttpHandler | undefined,
): HttpHandler {
  if (restDoor && rest?.basePath === "") return restDoor;
  return authDoor && auth?.basePath === "" ? authDoor : noSuchService;
}

/** Where RFC 8414 §3.1 has the metadata of a server whose address has a path. */
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
