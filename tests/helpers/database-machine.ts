import { startPostgres } from "#server/postgres/start-postgres.ts";
import { keepArchive } from "#server/wal-archive/keep-archive.ts";
import { ARCHIVE_NAME } from "#server/wal-archive/receive-wal.ts";

/**
 * `node database-machine.ts`: only the database in DATA_DIR, archived to WAL_ARCHIVE_TO as the site would, without the
 * rest of the site, which would take most of the time.
 */
const { DATA_DIR: dataDir = "", WAL_ARCHIVE_TO: folder = "" } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);
const postgres = await startPostgres({ dataDir, commitsWaitFor: ARCHIVE_NAME, report: say });
const endArchive = await keepArchive({ folder, commitsWait: true }, postgres.url, (line, level = "info") =>
  say(`${level} ${line}`),
).catch(async ({ message }: Error) => {
  await postgres.stop();
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
process.once("SIGTERM", async () => {
  await postgres.stop();
  await endArchive();
  process.exit();
});
// The line that startServer waits for.
say("The database is open at http://localhost");
