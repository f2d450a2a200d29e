import { readServiceSettings } from "./configuration/service-settings.ts";
import { ConfigurationError } from "./configuration/variables.ts";
import { watchReads } from "./configuration/watch-reads.ts";
import { createLog } from "./log/log.ts";
import { serveAlone } from "./serve-alone.ts";

/** `npm run backend`: the services alone, as PostgREST's and GoTrue's own variables describe them, until SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const { environment, describeUnread } = watchReads(process.env);
  const settings = readServiceSettings(environment);
  for (const sentence of [...settings.notes, ...describeUnread()]) console.log(sentence);
  // Whoever asks for more than failures wants a line for each answer.
  const isBounded = !["info", "debug"].includes(settings.logLevel);
  const backend = await serveAlone(settings, createLog({ format: settings.logFormat, isBounded }));
  const what = settings.rest ? settings.rest.schemas.join(", ") : "accounts";
  console.log(`Serving ${what} at ${backend.url}/ and ${backend.url}/${settings.rest ? "rest" : "auth"}/v1/`);
  if (backend.adminUrl) console.log(`Health at ${backend.adminUrl}/live and ${backend.adminUrl}/ready`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void backend.close());
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigurationError || (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  console.error(expected ? (error as Error).message : error);
  process.exitCode = 1;
});
