import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../configuration/start-error.ts";
import { makeFolder } from "../data-dir/make-folder.ts";

/**
 * Records which database the folder belongs to. If a disk is not mounted, the folder at its mount point lacks this
 * file.
 */
const OWNER_FILE = "system-identifier";

/** A WAL archive folder claimed for one database. */
export type ArchiveFolder = {
  /** @throws StartError if the folder is no longer the one that was claimed, or lacks this file */
  requireThere(file: string | null): Promise<void>;
};

type Claim = {
  systemId: string;
  /** Whether PostgreSQL already has an archive that it continues. */
  isContinued: boolean;
};

/** Claims the folder, and creates it only if nothing was archived yet: never at the mount point of a missing disk. */
export async function takeArchiveFolder(
  folder: string,
  { systemId, isContinued }: Claim,
): Promise<ArchiveFolder> {
  const marker = join(folder, OWNER_FILE);
  const found = await readFile(marker, "utf8").catch(() => null);
  if (found === null && isContinued)
    throw new StartError(
      `${folder} does not contain the log that was archived there. Mount its disk. If the archive is lost, start once without WAL_ARCHIVE_TO, then with an empty folder, and make a backup.`,
    );
  if (found === null) {
    makeFolder(folder);
    await writeFile(marker, `${systemId}\n`, { mode: 0o600, flush: true });
  } else if (found.trim() !== systemId)
    throw new StartError(`${folder} is another database's archive: name a folder of its own.`);
  const { dev } = await stat(marker);
  return {
    async requireThere(file) {
      const names = file === null ? [marker] : [marker, file];
      const devices = await Promise.all(names.map((name) => deviceOf(name)));
      if (devices.some((each) => each !== dev)) throw isAway(folder);
    },
  };
}

/** Verifies that a file is in a mounted archive, not in a folder at its mount point. */
export async function requireInArchive(folder: string, file = folder): Promise<void> {
  const device = await deviceOf(join(folder, OWNER_FILE));
  if (device === null || (await deviceOf(file)) !== device) throw isAway(folder);
}

const isAway = (folder: string) =>
  new StartError(
    `${folder} does not contain the log that was archived there: its disk is not mounted, or it was moved or emptied.`,
  );

/** Null if it does not exist. */
async function deviceOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ dev }) => dev,
    () => null,
  );
}
