import type { Log } from "#backend/log/log.ts";
import { isOverHttps, type ServerConfig } from "./configuration/config.ts";
import { connectHosted } from "./connection/connect-hosted.ts";
import { startBundled } from "./connection/start-bundled.ts";
import { lockDataDir } from "./data-dir/lock-data-dir.ts";
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

/** Starts everything, in the order in which each part needs the one before; what was started ends again on failure. */
export async function startSite(config: ServerConfig, log: Log): Promise<Site> {
  const started: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const server = createHttpServer(everyAnswersHeaders(isOverHttps(config)), config.requestIdHeader);
    const lock = config.hosted ? null : lockDataDir(config.dataDir);
    if (lock) started.push(lock.release);
    const observation = await prepareObservation(config);
    const backend = config.hosted ? connectHosted(config.hosted) : await startBundled(config, log);
    started.push(backend.close);
    const front = await (config.development
      ? createDevelopmentFront(config, backend, server, log)
      : createFront(config, backend, log, observation.observers));
    started.push(front.close);
    if (backend.sockets) server.acceptUpgrades(backend.sockets, front.takesUpgrade);
    started.push(observation.close);
    const operatorAddress = await observation.open(backend, front);
    const address = await server.listen(front.listener, config);
    started.push(server.close, front.hangUp);
    backend.servedAt(address);
    lock?.describe(address);
    return { address, operatorAddress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
