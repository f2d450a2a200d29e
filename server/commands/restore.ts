import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openBackupPlace } from "../backup/backup-place.ts";
import { FETCHED, type RestoredBackup, requireEmpty, restoreBackup } from "../backup/restore-backup.ts";
import { readConfig, type ServerConfig } from "../configuration/config.ts";
import { readTarget } from "../configuration/read-backups.ts";
import { StartError } from "../configuration/start-error.ts";
import { runCommand } from "./run-command.ts";

/** `npm run restore -- FOLDER`, or s3://BUCKET/PLACE/NAME: restores a backup into DATA_DIR, which must be empty. */
async function main([folder, ...more]: string[]): Promise<void> {
  if (!folder) throw new StartError("Say what from: npm run restore -- FOLDER");
  if (more.length > 0)
    throw new StartError("Say one folder, in quotes if its name has spaces: npm run restore -- FOLDER");
  const config = readConfig();
  const { dataDir, hosted, databaseUrl } = config;
  if (hosted || databaseUrl)
    throw new StartError(
      `${hosted ? "SUPABASE_URL" : "DATABASE_URL"} is set: a backup is restored into DATA_DIR, which is not used then.`,
    );
  const { madeAt, files, missing, until } = await restoreFrom(folder, config);
  console.log(`The backup of ${madeAt} is back in ${dataDir}: ${files} files, and the database starts.`);
  if (config.walArchive)
    console.log(
      `The archived log was read to its end${until ? `: the last change in it is of ${until.toISOString()}` : ""}.`,
    );
  if (missing > 0)
    console.log(`${missing} uploaded files are missing: they are neither in the backup nor in an archive.`);
}

/** A backup in S3 is first downloaded into the data folder. */
async function restoreFrom(
  from: string,
  { dataDir, backupS3, walArchive }: ServerConfig,
): Promise<RestoredBackup> {
  const options = { walArchive: walArchive?.folder };
  const report = (line: string) => console.log(line);
  if (!from.startsWith("s3:")) return restoreBackup(from, dataDir, report, options);
  requireEmpty(dataDir);
  const target = readTarget(dirname(from), backupS3);
  const place = await openBackupPlace(target);
  const fetched = join(dataDir, FETCHED);
  rmSync(fetched, { recursive: true, force: true });
  try {
    await place.fetch(basename(from), fetched);
    return await restoreBackup(fetched, dataDir, report, options);
  } finally {
    place.close();
    rmSync(fetched, { recursive: true, force: true });
  }
}

runCommand(main);
