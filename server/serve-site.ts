import type { Log } from "#backend/log/log.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { isOverHttps, type ServerConfig } from "./configuration/config.ts";
import type { BackendConnection } from "./connection/backend-connection.ts";
import { connectBundled } from "./connection/connect-bundled.ts";
import { connectHosted } from "./connection/connect-hosted.ts";
import type { DatabaseLogins } from "./database/open-database.ts";
import { createHttpServer } from "./http/http-server.ts";
import type { Listening } from "./http/listen-on.ts";
import { prepareObservation } from "./observation/open-observation.ts";
import { createDevelopmentFront, createFront } from "./site/front.ts";
import { commonHeaders } from "./site/security-headers.ts";

/** The running site. */
export type Site = {
  /** Its address, such as `http://localhost:3000`. */
  address: string;
  /** Address of the operator's port; null if it is turned off. */
  operatorAddress: string | null;
  /** Finishes the requests in progress, then stops everything that was started. */
  stop(): Promise<void>;
  /** Replaces the worker processes without failing a request; missing if there is a single process. */
  renew?(): Promise<void>;
};

/** The part of the site that one process serves, and that a successor process can take over. */
export type ServedSite = Site & {
  /** The listening socket, to hand to the successor. */
  listening(): Listening | null;
  /** Like `stop`, but drains connections gently, so that clients move on to the successor without an error. */
  retire(): Promise<void>;
};

export type ServeOptions = {
  /** Null if the backend is on another host. */
  database: DatabaseLogins | null;
  processGroup: ProcessGroup;
  /** Called when ready to listen; gives the predecessor's socket, or null to open a new one. */
  takeOver?: () => Promise<Listening | null>;
};

/** Serves pages and the backend from this process; on failure, stops what it had started. */
export async function serveSite(
  config: ServerConfig,
  { database, processGroup, takeOver = async () => null }: ServeOptions,
  log: Log,
): Promise<ServedSite> {
  const started = new AsyncDisposableStack();
  const stop = () => started.disposeAsync();
  try {
    const server = createHttpServer(commonHeaders(isOverHttps(config)), config.requestIdHeader);
    const observation = await prepareObservation(config, processGroup);
    const backend = await connect(config, database, processGroup, log);
    started.defer(backend.close);
    const front = await (config.development
      ? createDevelopmentFront(config, backend, server, log, observation)
      : createFront(config, backend, log, observation));
    started.defer(front.close);
    if (backend.sockets) server.acceptUpgrades(backend.sockets, front.takesUpgrade);
    started.defer(observation.close);
    const operatorAddress = await observation.open(backend, front);
    const where = { ...config, isShared: processGroup.size > 1 };
    const address = await server.listen(front.listener, where, await takeOver());
    let letGo = server.close;
    started.defer(() => letGo());
    started.defer(front.hangUp);
    backend.servedAt(address);
    const retire = () => {
      letGo = server.drain;
      return stop();
    };
    return { address, operatorAddress, stop, listening: server.listening, retire };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(
  config: ServerConfig,
  database: DatabaseLogins | null,
  processGroup: ProcessGroup,
  log: Log,
): Promise<BackendConnection> {
  if (config.hosted) return connectHosted(config.hosted);
  if (!database) throw new TypeError("the bundled backend needs a database");
  return connectBundled(config, database, processGroup, log);
}
