import { existsSync } from "node:fs";
import { restoreBackup } from "../backup/restore-backup.ts";
import { readConfig } from "../configuration/config.ts";
import { endWithFault, StartError } from "../configuration/start-error.ts";

/** `npm run restore -- FOLDER`: puts a backup into DATA_DIR, which must be empty. */
async function main([folder]: string[]): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  if (!folder) throw new StartError("Say what from: npm run restore -- FOLDER");
  const { dataDir, hosted, databaseUrl } = readConfig();
  if (hosted || databaseUrl)
    throw new StartError(
      `${hosted ? "SUPABASE_URL" : "DATABASE_URL"} is set: a backup is restored into DATA_DIR, which is not used then.`,
    );
  const { madeAt, files, missing } = await restoreBackup(folder, dataDir, (line) => console.log(line));
  console.log(`The backup of ${madeAt} is back in ${dataDir}: ${files} files, and the database starts.`);
  if (missing > 0) console.log(`${missing} uploaded files were lost before the backup was made.`);
}

main(process.argv.slice(2)).catch(endWithFault);
