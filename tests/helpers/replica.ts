import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeBaseBackup } from "#server/backup/base-backup.ts";
import { findBinaries } from "#server/postgres/binaries.ts";
import { findDatabaseUser } from "#server/postgres/database-user.ts";
import { type Postmaster, runPostmaster } from "#server/postgres/postmaster.ts";
import { startSettings } from "#server/postgres/settings.ts";

/** A streaming replica of a PostgreSQL cluster. */
export type TestReplica = {
  /** As superuser, database `postgres`. */
  url: string;
  /** Restarts it after `stop` or a kill. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The pid of its postmaster. */
  pid(): number;
  remove(): Promise<void>;
};

/** Takes a base backup of the running cluster and starts it as a standby that follows it. */
export async function startReplica(
  primaryUrl: string,
  settings: Record<string, string> = {},
): Promise<TestReplica> {
  const place = mkdtempSync(join(tmpdir(), "fruit-values-replica-"));
  const user = findDatabaseUser(join(place, "none"));
  const folder = join(place, "data");
  const sockets = join(place, "sockets");
  for (const path of [folder, sockets]) mkdirSync(path, { mode: 0o700 });
  const archive = join(place, "base.tar");
  await takeBaseBackup(primaryUrl, {
    archive: createWriteStream(archive),
    manifest: createWriteStream(join(place, "manifest")),
  });
  await run("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  const { hostname, username, password, searchParams } = new URL(primaryUrl);
  const host = searchParams.get("host") ?? hostname;
  writeFileSync(join(folder, "standby.signal"), "");
  const primary = `host=${host} user=${username} password=${decodeURIComponent(password)}`;
  appendFileSync(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
  if (user) await run("chown", ["-R", `${user.uid}:${user.gid}`, place]);
  let running: Postmaster;
  const start = async () => {
    running = await runPostmaster({
      program: findBinaries(user, () => {}).postgres,
      folder,
      logFile: join(place, "log"),
      user,
      settings: { ...startSettings(sockets, { ephemeral: true }), ...settings },
    });
  };
  await start();
  return {
    url: `postgres://${username}:${password}@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    start,
    stop: () => running.stop(),
    pid: () => running.pid,
    async remove() {
      await running.stop();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
