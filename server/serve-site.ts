import type { Log } from "#backend/log/log.ts";
import type { Crew } from "#backend/memory/crew.ts";
import { isOverHttps, type ServerConfig } from "./configuration/config.ts";
import type { BackendConnection } from "./connection/backend-connection.ts";
import { connectBundled } from "./connection/connect-bundled.ts";
import { connectHosted } from "./connection/connect-hosted.ts";
import type { DatabaseLogins } from "./database/open-database.ts";
import { createHttpServer } from "./http/http-server.ts";
import { prepareObservation } from "./observation/open-observation.ts";
import { createDevelopmentFront, createFront } from "./site/front.ts";
import { everyAnswersHeaders } from "./site/security-headers.ts";

/** The running site. */
export type Site = {
  /** Where it is served, such as `http://localhost:3000`. */
  address: string;
  /** Where the operator looks; null where nobody wants that. */
  operatorAddress: string | null;
  /** Finishes the requests under way, then ends everything that was started. */
  stop(): Promise<void>;
};

export type ServeOptions = {
  /** Null where the backend is on another host. */
  database: DatabaseLogins | null;
  crew: Crew;
};

/** Serves pages and the backend from this process; what was started ends again on failure. */
export async function serveSite(
  config: ServerConfig,
  { database, crew }: ServeOptions,
  log: Log,
): Promise<Site> {
  const started: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const server = createHttpServer(everyAnswersHeaders(isOverHttps(config)), config.requestIdHeader);
    const observation = await prepareObservation(config, crew);
    const backend = await connect(config, database, crew, log);
    started.push(backend.close);
    const front = await (config.development
      ? createDevelopmentFront(config, backend, server, log, observation)
      : createFront(config, backend, log, observation));
    started.push(front.close);
    if (backend.sockets) server.acceptUpgrades(backend.sockets, front.takesUpgrade);
    started.push(observation.close);
    const operatorAddress = await observation.open(backend, front);
    const address = await server.listen(front.listener, { ...config, isShared: crew.size > 1 });
    started.push(server.close, front.hangUp);
    backend.servedAt(address);
    return { address, operatorAddress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(
  config: ServerConfig,
  database: DatabaseLogins | null,
  crew: Crew,
  log: Log,
): Promise<BackendConnection> {
  if (config.hosted) return connectHosted(config.hosted);
  if (!database) throw new TypeError("the bundled backend needs a database");
  return connectBundled(config, database, crew, log);
}
