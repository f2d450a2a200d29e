import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../configuration/start-error.ts";

/** Tells which database the folder belongs to. Where a disk is not mounted, the folder in its place has none. */
const OWNER_FILE = "system-identifier";

/** A folder that is taken for one database's log. */
export type ArchiveFolder = {
  /** @throws StartError once it is not the folder any more that was taken, or has not this file */
  requireThere(file: string | null): Promise<void>;
};

type Claim = {
  systemId: string;
  /** Whether PostgreSQL knows of an archive that it goes on with. */
  isContinued: boolean;
};

/** Takes it, and makes it only where nothing was archived yet: in the place of a disk that is away there shall be none. */
export async function takeArchiveFolder(
  folder: string,
  { systemId, isContinued }: Claim,
): Promise<ArchiveFolder> {
  const marker = join(folder, OWNER_FILE);
  const found = await readFile(marker, "utf8").catch(() => null);
  if (found === null && isContinued)
    throw new StartError(
      `${folder} has not the log that was archived there. Mount its disk. If the archive is gone for good, start once without WAL_ARCHIVE_TO, then with an empty folder, and make a backup.`,
    );
  if (found === null) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
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

/** Whether a file is in an archive that is there, and not in a folder that lies in its place. */
export async function requireInArchive(folder: string, file = folder): Promise<void> {
  const device = await deviceOf(join(folder, OWNER_FILE));
  if (device === null || (await deviceOf(file)) !== device) throw isAway(folder);
}

const isAway = (folder: string) =>
  new StartError(
    `${folder} has not the log that was archived there: its disk is not mounted, or it was moved or emptied.`,
  );

/** Null where it is not there. */
async function deviceOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ dev }) => dev,
    () => null,
  );
}
