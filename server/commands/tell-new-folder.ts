import { existsSync } from "node:fs";
import type { ServerConfig } from "../configuration/config.ts";

/** A command makes the data folder where there is none, as the first start does; what it prints is of no other site then. */
export function tellNewFolder({ dataDir }: ServerConfig): void {
  if (existsSync(dataDir)) return;
  console.error(
    `There was no data folder ${dataDir}, so it is made. If your site has another, set DATA_DIR to that one.`,
  );
}
