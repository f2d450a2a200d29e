import { resolve } from "node:path";
import {
  type BackupSettings,
  type BackupTarget,
  parseS3Address,
  type S3Place,
  type WalArchiveSettings,
} from "./backup-settings.ts";
import type { Values } from "./environment.ts";
import { StartError } from "./start-error.ts";

/**
 * Reads `BACKUP_EVERY`, `BACKUP_KEEP` and `BACKUP_TO`. @throws StartError if one is missing, or this server has nothing
 * to back up
 */
export function readBackups(values: Values): { backups?: BackupSettings } {
  const { BACKUP_EVERY: everyMs, BACKUP_KEEP: keep, BACKUP_TO: to, DATABASE_URL, SUPABASE_URL } = values;
  if (everyMs === undefined && to === undefined) return {};
  if (everyMs === undefined) throw new StartError("BACKUP_TO is set, so BACKUP_EVERY must be set as well.");
  if (to === undefined) throw new StartError("BACKUP_EVERY is set, so BACKUP_TO must be set as well.");
  if (DATABASE_URL || SUPABASE_URL)
    throw new StartError(
      `BACKUP_EVERY and ${DATABASE_URL ? "DATABASE_URL" : "SUPABASE_URL"} are both set: that database is backed up by its own tools.`,
    );
  return { backups: { everyMs, keep, to: readTarget(to, readBackupS3(values)) } };
}

/** Reads `WAL_ARCHIVE_TO` and `WAL_ARCHIVE_WAIT`. @throws StartError if the database is not the embedded one */
export function readWalArchive(values: Values): { walArchive?: WalArchiveSettings } {
  const { WAL_ARCHIVE_TO: folder, WAL_ARCHIVE_WAIT: wait, DATABASE_URL, SUPABASE_URL } = values;
  if (folder === undefined) return {};
  if (DATABASE_URL || SUPABASE_URL)
    throw new StartError(
      `WAL_ARCHIVE_TO and ${DATABASE_URL ? "DATABASE_URL" : "SUPABASE_URL"} are both set: that database's log is archived by its own tools.`,
    );
  if (/^\w+:\/\//.test(folder))
    throw new StartError(
      "WAL_ARCHIVE_TO must be a folder, such as one of another machine that is mounted here.",
    );
  return { walArchive: { folder: resolve(folder), commitsWait: wait === "on" } };
}

export function readBackupS3({ BACKUP_S3_REGION: region, BACKUP_S3_ENDPOINT: endpoint }: Values) {
  return { region: region ?? "us-east-1", endpoint };
}

/** A folder, or `s3://bucket/place`. */
function readTarget(to: string, s3: Pick<S3Place, "region" | "endpoint">): BackupTarget {
  if (!/^(?:s3:|\w+:\/\/)/i.test(to)) return { folder: resolve(to) };
  const place = parseS3Address(to, s3);
  if (!place) throw new StartError("BACKUP_TO must be a folder, or an address such as s3://bucket/place.");
  return place;
}
