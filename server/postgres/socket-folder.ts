import { hash } from "node:crypto";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../configuration/start-error.ts";
import { writeFile } from "../data-dir/write-file.ts";
import type { SystemUser } from "./database-user.ts";

/** In bytes: the kernel's limit. */
const LONGEST_SOCKET_PATH = 107;

/**
 * Makes the folder of the database's socket, and removes that of the last start. A socket's path is limited in length,
 * so it is not in the data folder; a file there records where it is. In a copy of a data folder, that is the
 * folder of the original, whose database may be running: names tell whose they are.
 * @param parent the data folder's absolute path
 */
export function makeSocketFolder(parent: string, user: SystemUser | null): string {
  const owner = hash("sha256", parent).slice(0, 6);
  const ours = join(tmpdir(), `fruit-values-${owner}-`);
  if (Buffer.byteLength(`${ours}XXXXXX/.s.PGSQL.5432`) > LONGEST_SOCKET_PATH)
    throw new StartError(
      `TMPDIR is ${tmpdir()}, which is too long for the path of the database's socket: set it to a shorter one, such as /tmp.`,
    );
  const note = join(parent, "socket-folder");
  const previous = readIfThere(note);
  if (previous.startsWith(ours)) rmSync(previous, { recursive: true, force: true });
  const folder = mkdtempSync(ours);
  if (user) chownSync(folder, user.uid, user.gid);
  writeFile(note, folder, { mode: 0o600 });
  return folder;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
