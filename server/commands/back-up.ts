import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { requireRoom } from "../backup/require-room.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { readConfig, type ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { readPlace, runCommand } from "./run-command.ts";

/** `npm run backup -- FOLDER`: backs up all data that must survive into a new folder, whether or not the site runs. */
async function main(args: string[]): Promise<void> {
  const folder = readPlace("backup", args);
  if (/^(?:s3:|\w+:\/\/)/i.test(folder))
    throw new StartError("npm run backup writes to a folder; BACKUP_TO is what may be an address in S3.");
  const config = readConfig();
  requireOwnDatabase(config);
  const { dataDir } = config;
  if (!existsSync(join(dataDir, "postgres")))
    throw new StartError(`There is no database in ${dataDir}: set DATA_DIR to the site's data folder.`);
  const database = await reachDatabase(config, () => startPostgres({ dataDir }));
  try {
    const filesInS3 = config.storage.s3 !== null;
    const source = { dataDir, databaseUrl: database.url, filesInS3 };
    await requireRoom(source, resolve(folder), { isProven: false });
    const written = await writeBackup(source, folder);
    const size = `${written.files} files, ${(written.bytes / 1e6).toFixed(1)} MB`;
    console.log(`The backup is complete, and every file matches its checksum: ${written.folder} (${size})`);
    if (filesInS3)
      console.log(
        "Uploaded files are in the S3 bucket and not in the backup: enable versioning on that bucket.",
      );
  } finally {
    await database.stop();
  }
}

function requireOwnDatabase({ hosted, databaseUrl }: ServerConfig): void {
  if (hosted)
    throw new StartError("SUPABASE_URL is set: all data is in that project, which has backups of its own.");
  if (databaseUrl)
    throw new StartError(
      "DATABASE_URL is set: back that PostgreSQL up with its own tools, and copy jwt-secret, sealing-keys, signing-keys.json and storage/files of DATA_DIR after it.",
    );
}

runCommand(main);
