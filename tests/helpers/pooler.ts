import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Whether Debian's pgbouncer is installed. */
export const hasPooler = (() => {
  try {
    execFileSync(PROGRAM, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

export type Pooler = {
  port: number;
  stop(): Promise<void>;
  /** Restarts it on the same port after `stop`. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** PostgreSQL's host and port in the form PgBouncer expects. */
export function placeOf(databaseUrl: string): { host: string; port: string } {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  return { host: searchParams.get("host") ?? hostname, port: port || "5432" };
}

/** Starts PgBouncer with the config from `configure` and a file of logins and passwords. */
export async function startPooler(
  databaseUrl: string,
  logins: Record<string, string>,
  configure: (place: { port: number; usersFile: string }) => string,
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-pooler-"));
  const port = await freePort();
  const usersFile = join(folder, "users.txt");
  const list = Object.entries(logins).map(([name, password]) => `"${name}" "${password}"\n`);
  writeFileSync(usersFile, list.join(""));
  const file = join(folder, "pooler.ini");
  writeFileSync(file, configure({ port, usersFile }));
  // It refuses to run as root, and only the owner of the database's socket can reach it.
  chmodSync(folder, 0o755);
  const { host } = placeOf(databaseUrl);
  const { uid, gid } = process.getuid?.() === 0 && host.startsWith("/") ? statSync(host) : { uid: 0, gid: 0 };
  let running: ChildProcess;
  const end = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  };
  const start = async () => {
    running = spawn(PROGRAM, [file], { stdio: ["ignore", "ignore", "pipe"], ...(uid && { uid, gid }) });
    let output = "";
    running.stderr?.on("data", (text) => {
      output += text;
    });
    while (!(await accepts(port))) if (running.exitCode !== null) throw new Error(output);
  };
  await start();
  return {
    port,
    start,
    stop: end,
    async remove() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
