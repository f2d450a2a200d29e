import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { findFreePorts } from "../http/listen-on.ts";
import { readVersion } from "../observation/read-version.ts";
import { startTracing } from "../observation/start-tracing.ts";
import { openSharedResources } from "../open-shared-resources.ts";
import type { Site } from "../serve-site.ts";
import { readRelease } from "./read-release.ts";
import { createWorkerStarter } from "./start-worker.ts";
import { superviseWorkers } from "./supervise-workers.ts";

/**
 * Starts the data folder's database and the background jobs in this process, and the site in several worker processes
 * on one port, over which the kernel spreads connections.
 * @param environment variables to add to the workers' environment
 * @param stopping whether to stop as soon as the database is prepared; rejects with its reason then
 */
export async function startWorkers(
  config: ServerConfig,
  environment: Record<string, string>,
  log: Log,
  stopping: AbortSignal,
): Promise<Site> {
  const release = readRelease();
  const started = new AsyncDisposableStack();
  const stop = () => started.disposeAsync();
  try {
    // Traces the background jobs' calls: webhooks, mails, backups.
    const tracing = await startTracing(config.tracing, readVersion());
    if (tracing) started.defer(tracing.close);
    const shared = await openSharedResources(config, log);
    started.defer(shared.close);
    stopping.throwIfAborted();
    // With port 0 (any free port), all workers still need the same one.
    const { port, operatorPort } = await findFreePorts(config);
    const { database } = shared;
    const count = config.workers;
    const start = createWorkerStarter({ count, port, operatorPort, database, environment });
    const workers = await superviseWorkers(start, count, log).catch((error) => {
      // A signal to the whole process group ends workers that are still loading.
      stopping.throwIfAborted();
      throw error;
    });
    started.defer(workers.stop);
    started.defer(shared.servedAt(workers.address));
    const renew = async () => {
      if (readRelease() === release) return workers.renew();
      log(
        logText`The installed files are not those that are running, so nothing was replaced. Stop and start the site to use them.`,
        "error",
      );
    };
    return { ...workers, stop, renew };
  } catch (error) {
    await stop();
    throw error;
  }
}
