import { basename, dirname } from "node:path";
import { openBackupPlace } from "../backup/backup-place.ts";
import { requireFree } from "../backup/require-room.ts";
import { type RestoredBackup, restoreBackup } from "../backup/restore-backup.ts";
import { parseS3Address } from "../configuration/backup-settings.ts";
import { readConfig, type ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { readPlace, runCommand } from "./run-command.ts";

/** `npm run restore -- FOLDER`, or s3://BUCKET/PLACE/NAME: restores a backup into DATA_DIR, which must be empty. */
async function main(args: string[]): Promise<void> {
  const folder = readPlace("restore", args);
  const config = readConfig();
  const { dataDir, hosted, databaseUrl } = config;
  if (hosted || databaseUrl)
    throw new StartError(
      `${hosted ? "SUPABASE_URL" : "DATABASE_URL"} is set: a backup is restored into DATA_DIR, which is not used then.`,
    );
  const { madeAt, files, missing, until } = await restoreFrom(folder, config);
  console.log(`The backup of ${madeAt} was restored to ${dataDir}: ${files} files, and the database starts.`);
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
  if (!/^s3:/i.test(from)) return restoreBackup(from, dataDir, report, options);
  const target = parseS3Address(dirname(from), backupS3);
  if (!target) throw new StartError("A backup in S3 is named as s3://bucket/place/NAME.");
  const place = await openBackupPlace(target);
  // The download and what is restored from it.
  const check = (bytes: number) => requireFree(dataDir, 2 * bytes, "The restore needs");
  const download = (folder: string) => place.fetch(basename(from), folder, check);
  try {
    return await restoreBackup(from, dataDir, report, { ...options, download });
  } finally {
    place.close();
  }
}

runCommand(main);
