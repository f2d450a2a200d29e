import type { Log } from "#backend/log/log.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import type { ServerConfig } from "./configuration/config.ts";
import { openSharedResources } from "./open-shared-resources.ts";
import { type Site, serveSite } from "./serve-site.ts";

/** Starts everything in this process, in order of dependency. */
export async function startSite(config: ServerConfig, log: Log): Promise<Site> {
  const started = new AsyncDisposableStack();
  const stop = () => started.disposeAsync();
  try {
    const shared = started.adopt(await openSharedResources(config, log), ({ close }) => close());
    const site = await serveSite(config, { database: shared.database, processGroup: SINGLE_PROCESS }, log);
    started.defer(site.stop);
    started.defer(shared.servedAt(site.address));
    return { ...site, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
