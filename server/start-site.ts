import type { Log } from "#backend/log/log.ts";
import { ALONE } from "#backend/memory/crew.ts";
import type { ServerConfig } from "./configuration/config.ts";
import { openGround } from "./open-ground.ts";
import { type Site, serveSite } from "./serve-site.ts";

/** Starts everything in this process, in the order in which each part needs the one before. */
export async function startSite(config: ServerConfig, log: Log): Promise<Site> {
  const ground = await openGround(config, log);
  try {
    const { address, operatorAddress, stop } = await serveSite(
      config,
      { database: ground.database, crew: ALONE },
      log,
    );
    const endJobs = ground.servedAt(address);
    return {
      address,
      operatorAddress,
      async stop() {
        await endJobs();
        await stop();
        await ground.close();
      },
    };
  } catch (error) {
    await ground.close();
    throw error;
  }
}
