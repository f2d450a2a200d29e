import { existsSync, mkdirSync } from "node:fs";
import { readConfig } from "./config.ts";
import { loadKeys } from "./data-dir/load-keys.ts";
import { StartError } from "./start-error.ts";

/** Prints what a client of the bundled backend needs; makes the keys first when there are none. */
async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig();
  if (config.hosted) throw new StartError("SUPABASE_URL is set: the keys are those of that project.");
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const keys = await loadKeys(config.dataDir, config.jwtSecret);
  console.log(
    `Backend URL       ${config.siteUrlIsPlaceholder ? `http://localhost:${config.port}` : config.site.siteUrl}`,
  );
  console.log(`Anonymous key     ${keys.anonKey}`);
  console.log(`Publishable key   ${keys.publishableKey}`);
  console.log("These two pass every policy and belong in no browser:");
  console.log(`Service role key  ${keys.serviceRoleKey}`);
  console.log(`Secret key        ${keys.secretKey}`);
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
