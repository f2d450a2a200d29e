import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { StartError } from "../configuration/start-error.ts";
import { writeFile } from "../data-dir/write-file.ts";
import type { Binaries } from "./binaries.ts";
import { canReach, type SystemUser } from "./database-user.ts";
import { INITIAL_SETTINGS, toOptions } from "./settings.ts";
import { spawnWatched } from "./spawn-watched.ts";

const NEW_PREFIX = "postgres.new-";
/** In the double quotes in which initdb passes its programs' path to a shell. */
const SPOILS_QUOTES = /["$`\\]/;
/** Writable by the group, or anything by others. */
const REFUSED_MODE = 0o027;

/** The folder's path for PostgreSQL, or `/proc/self/cwd` if its account cannot traverse that path. */
export function pathFor(folder: string, user: SystemUser | null): string {
  if (!user || process.platform !== "linux" || canReach(folder, user)) return folder;
  return "/proc/self/cwd";
}

/**
 * Creates the cluster in `folder` unless it exists. It is created under a temporary name and renamed when complete, so
 * that a kill leaves nothing half-made; what it leaves, its password too, the next attempt removes.
 */
export async function ensureCluster(options: {
  folder: string;
  parent: string;
  user: SystemUser | null;
  binaries: Binaries;
  password: string;
  ephemeral: boolean;
}): Promise<void> {
  const { folder, parent, user, binaries } = options;
  if (existsSync(join(folder, "PG_VERSION"))) {
    requireSameVersion(folder, binaries);
    return requireOwned(folder, user);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartError(
      `${folder} is not a complete database, it has no PG_VERSION: restore it from a backup, or move it away to begin with an empty one.`,
    );
  requirePlainPath(dirname(binaries.initdb));
  for (const left of readdirSync(parent).filter((name) => name.startsWith(NEW_PREFIX))) {
    rmSync(join(parent, left), { recursive: true, force: true });
  }
  const fresh = mkdtempSync(join(parent, NEW_PREFIX));
  const data = join(fresh, "data");
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(fresh, "password");
  writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user) for (const path of [fresh, data, passwordFile]) chownSync(path, user.uid, user.gid);
  await initialize(data, options);
  renameSync(data, folder);
  rmSync(fresh, { recursive: true });
}

function requireSameVersion(folder: string, binaries: Binaries): void {
  const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (found === binaries.majorVersion) return;
  throw new StartError(
    `The data in ${folder} was written by PostgreSQL ${found} and this release brings PostgreSQL ${binaries.majorVersion}: ` +
      'dump it with the release that wrote it and restore the dump here ("Upgrade" in docs/operations.md).',
  );
}

function requirePlainPath(programs: string): void {
  const [sign] = SPOILS_QUOTES.exec(programs) ?? [];
  if (!sign) return;
  throw new StartError(
    `PostgreSQL cannot make a database with its programs in ${programs}, whose path has a ${sign}: move this release's folder to a path without one.`,
  );
}

/** A copy often has another owner or other permissions, with which PostgreSQL does not start. */
function requireOwned(folder: string, user: SystemUser | null): void {
  const { uid, mode } = statSync(folder);
  if (user && uid !== user.uid)
    throw new StartError(
      `${folder} belongs to another user than the one that PostgreSQL runs as: chown --recursive ${user.uid}:${user.gid} '${folder}'`,
    );
  if (mode & REFUSED_MODE)
    throw new StartError(`${folder} is open to other users, which PostgreSQL refuses: chmod 700 '${folder}'`);
}

async function initialize(
  folder: string,
  options: { user: SystemUser | null; binaries: Binaries; ephemeral: boolean },
): Promise<void> {
  const { user, binaries } = options;
  try {
    const command = [binaries.initdb, ...initOptions(folder, options)];
    const child = spawnWatched(command, { cwd: folder, user, outputs: ["ignore", "pipe"], env: process.env });
    const [written, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "exit")]);
    if (code !== 0) throw new Error(reasonIn(written));
  } catch (error) {
    throw new StartError(
      `PostgreSQL could not make its data folder in ${folder}: ${(error as Error).message}`,
    );
  }
}

function initOptions(folder: string, options: { user: SystemUser | null; ephemeral: boolean }): string[] {
  const collation = [
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  // Beside the folder, in which it runs: its account may not be able to traverse the path to it.
  const access = ["--username=postgres", "--auth=scram-sha-256", "--pwfile=../password"];
  const durability = options.ephemeral ? ["--no-sync"] : [];
  return [
    "-D",
    pathFor(folder, options.user),
    ...collation,
    ...access,
    // Detects disks that return other data than was written.
    "--data-checksums",
    ...durability,
    ...toOptions(INITIAL_SETTINGS),
  ];
}

/** The cause of the failure, without the cleanup messages that follow it. */
function reasonIn(written: string): string {
  const lines = written.trim().split("\n");
  return lines.find((line) => /(FATAL|PANIC|error):/.test(line)) || lines.at(-1) || "it ended without a word";
}
