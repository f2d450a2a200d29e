import type { Log } from "#backend/log/log.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import type { ServerConfig } from "./configuration/config.ts";
import { openSharedResources } from "./open-shared-resources.ts";
import { type Site, serveSite } from "./serve-site.ts";

/**
 * Starts everything in this process, in order of dependency.
 * @param stopping whether to stop as soon as the database is prepared; rejects with its reason then
 */
export async function startSite(config: ServerConfig, log: Log, stopping: AbortSignal): Promise<Site> {
  const started = new AsyncDisposableStack();
  const stop = () => started.disposeAsync();
  try {
    const shared = started.adopt(await openSharedResources(config, log), ({ close }) => close());
    stopping.throwIfAborted();
    const site = await serveSite(config, { database: shared.database, processGroup: SINGLE_PROCESS }, log);
    started.defer(site.stop);
    started.defer(shared.servedAt(site.address));
    return { ...site, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
