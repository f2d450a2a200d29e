import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDatabaseUser } from "#server/postgres/database-user.ts";
import { runPostmaster } from "#server/postgres/postmaster.ts";
import { startSettings } from "#server/postgres/settings.ts";

const DEBIAN = "/usr/lib/postgresql";

/** A PostgreSQL other than the embedded one: its major version and the folder of its programs. */
export type OtherPostgres = { version: string; programs: string };

/**
 * The PostgreSQLs of Debian's packages on this machine and those in `POSTGRES_PROGRAMS` (folders separated by `:`, each
 * named after its version).
 */
export function findOtherPostgres(): OtherPostgres[] {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((name) => join(DEBIAN, name, "bin")) : [];
  const named = process.env.POSTGRES_PROGRAMS?.split(":") ?? [];
  return [...debian, ...named]
    .filter((programs) => existsSync(join(programs, "initdb")))
    .map((programs) => ({ version: majorOf(programs), programs }));
}

function majorOf(programs: string): string {
  return /\d+/.exec(execFileSync(join(programs, "postgres"), ["--version"], { encoding: "utf8" }))?.[0] ?? "";
}

/** Starts a throwaway cluster of it. */
export async function startOtherPostgres({ programs }: Pick<OtherPostgres, "programs">) {
  const place = mkdtempSync(join(tmpdir(), "fruit-values-other-"));
  const user = findDatabaseUser(join(place, "none"));
  const [folder, sockets] = [join(place, "data"), join(place, "sockets")];
  const passwordFile = join(place, "password");
  for (const path of [folder, sockets]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(passwordFile, "postgres");
  if (user) for (const path of [place, folder, sockets, passwordFile]) chownSync(path, user.uid, user.gid);
  chmodSync(place, 0o755);
  const access = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync"];
  execFileSync(join(programs, "initdb"), ["-D", folder, "--encoding=UTF8", "--locale=C.UTF-8", ...access], {
    cwd: place,
    stdio: ["ignore", "ignore", "inherit"],
    ...user,
  });
  const running = await runPostmaster({
    program: join(programs, "postgres"),
    folder,
    logFile: join(place, "log"),
    user,
    settings: startSettings(sockets, { ephemeral: true }),
  });
  return {
    /** As superuser, database `postgres`. */
    url: `postgres://postgres:postgres@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    async stop() {
      await running.stop();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
