import { openFactors } from "#backend/auth/factors/open-factors.ts";
import { readConfig } from "../configuration/config.ts";
import { loadKeys } from "../data-dir/load-keys.ts";
import { loadSealingKeys } from "../data-dir/sealing-keys.ts";
import { readDatabaseUrl, runCommand, warnOfNewFolder } from "./run-command.ts";

/**
 * `npm run factors -- DATABASE`: decrypts, with this site's keys, the authenticator secrets in a database that its rows
 * were copied to, so that another service can read them.
 */
async function main(args: string[]): Promise<void> {
  const url = readDatabaseUrl("factors", args);
  const config = readConfig();
  warnOfNewFolder(config);
  const { jwtSecret } = await loadKeys(config.dataDir, config.jwtSecret);
  const { opened, sealed } = await openFactors(url, [jwtSecret, ...loadSealingKeys(config, jwtSecret)]);
  console.log(`Secrets of authenticator apps that were opened: ${opened}.`);
  if (sealed > 0) console.log(`Sealed by keys that are not here: ${sealed}. Name them in SEALING_KEY.`);
}

runCommand(main);
