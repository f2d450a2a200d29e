import { logText } from "#backend/log/log-text.ts";
import { dumpConfig } from "./configuration/dump-config.ts";
import { ConfigurationError } from "./configuration/variables.ts";
import { createLog } from "./log/log.ts";
import { loadSettings } from "./standalone/load-settings.ts";
import { serveStandalone } from "./standalone/serve-standalone.ts";

const USAGE = `npm run backend -- [--dump-config] [FILE]
  FILE           a configuration file in PostgREST's form; the environment counts over it
  --dump-config  prints the configuration as it is in force, and ends
`;

/**
 * `npm run backend`: runs the services without the site until SIGINT or SIGTERM, configured with PostgREST's and
 * GoTrue's own variables.
 * SIGUSR1 reloads the schema cache, SIGUSR2 the configuration.
 */
async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes("--help") || words.includes("-h")) return void process.stdout.write(USAGE);
  const file = words.find((word) => !word.startsWith("-")) ?? null;
  const load = () => loadSettings(process.env, file);
  const { settings, variables, notes } = await load();
  if (words.includes("--dump-config"))
    return void process.stdout.write(dumpConfig(settings, variables, { secrets: true }));
  for (const sentence of notes) console.log(sentence);
  // At `info` and `debug`, operators want a line per response, so repeated lines are not suppressed.
  const isBounded = !["info", "debug"].includes(settings.logLevel);
  const log = createLog({ format: settings.logFormat, isBounded });
  const end = () => {
    log(logText`The database is lost, and PGRST_DB_POOL_AUTOMATIC_RECOVERY is off.`, "error");
    process.exit(1);
  };
  const backend = await serveStandalone(settings, log, { load, variables, onLost: end });
  const what = settings.rest ? settings.rest.schemas.join(", ") : "accounts";
  console.log(`Serving ${what} at ${backend.url}/ and ${backend.url}/${settings.rest ? "rest" : "auth"}/v1/`);
  if (backend.adminUrl) console.log(`Health at ${backend.adminUrl}/live and ${backend.adminUrl}/ready`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void backend.close());
  process.on("SIGUSR1", () => void backend.reloadSchema().catch(() => {}));
  process.on("SIGUSR2", () => void backend.reloadConfig());
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigurationError || (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  console.error(expected ? (error as Error).message : error);
  process.exitCode = 1;
});
