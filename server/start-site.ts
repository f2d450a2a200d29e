import type { ServerConfig } from "./config.ts";
import { connectHosted } from "./connect-hosted.ts";
import { lockDataDir } from "./data-dir/lock-data-dir.ts";
import { createDevelopmentFront, createFront } from "./front.ts";
import { createHttpServer } from "./http-server.ts";
import { startBundled } from "./start-bundled.ts";

/** The running site. */
export type Site = {
  /** Where it is served, such as `http://localhost:3000`. */
  address: string;
  /** Finishes the requests under way, then ends everything that was started. */
  stop(): Promise<void>;
};

/** Starts everything, in the order in which each part needs the one before; what was started ends again on failure. */
export async function startSite(config: ServerConfig, report: (line: string) => void): Promise<Site> {
  const started: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const server = createHttpServer();
    const lock = config.hosted ? null : lockDataDir(config.dataDir);
    if (lock) started.push(lock.release);
    const backend = config.hosted ? connectHosted(config.hosted) : await startBundled(config, report);
    started.push(backend.close);
    const front = await (config.development
      ? createDevelopmentFront(config, backend, server)
      : createFront(config, backend));
    started.push(front.close);
    if (backend.sockets) server.acceptUpgrades(backend.sockets, front.takesUpgrade);
    const address = await server.listen(front.listener, config);
    started.push(server.close, front.hangUp);
    lock?.describe(address);
    return { address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
