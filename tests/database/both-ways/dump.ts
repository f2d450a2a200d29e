import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

const DEBIAN = "/usr/lib/postgresql";

/** The folder of a pg_dump and a psql that support the server's version; null if there are none. */
export function findDumpPrograms(serverMajor: number): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((name) => join(DEBIAN, name, "bin")) : [];
  const named = [process.env.TEST_POSTGRES, ...(process.env.POSTGRES_PROGRAMS?.split(":") ?? [])];
  const onPath = (process.env.PATH ?? "").split(":");
  const folders = [...named, ...onPath, ...debian].filter((folder) => folder !== undefined);
  return folders.find((folder) => isThere(folder) && majorOf(folder) >= serverMajor) ?? null;
}

const isThere = (folder: string) => ["pg_dump", "psql"].every((program) => existsSync(join(folder, program)));

function majorOf(folder: string): number {
  const told = execFileSync(join(folder, "pg_dump"), ["--version"], { encoding: "utf8" });
  return Number(/(\d+)\.\d+/.exec(told)?.[1]);
}

/** Runs `pg_dump … | psql`, in which no statement may fail. */
export async function dumpAndRestore(
  programs: string,
  [from, to]: [string, string],
  options: string[],
): Promise<void> {
  const dump = spawn(join(programs, "pg_dump"), [...options, `--dbname=${from}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const strict = [
    "--no-psqlrc",
    "--quiet",
    "--set=ON_ERROR_STOP=1",
    "--single-transaction",
    `--dbname=${to}`,
  ];
  const restoring = promisify(execFile)(join(programs, "psql"), strict, { maxBuffer: 1e8 });
  if (!restoring.child.stdin) throw new Error("psql takes no input");
  const ended = once(dump, "exit");
  await Promise.all([pipeline(dump.stdout, restoring.child.stdin), restoring]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`pg_dump ended with ${code}`);
}
