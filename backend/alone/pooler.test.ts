import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readServiceSettings } from "#backend/configuration/service-settings.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { serveAlone } from "./serve-alone.ts";

const POOLER = "/usr/sbin/pgbouncer";

function isInstalled(): boolean {
  try {
    execFileSync(POOLER, ["--version"]);
    return true;
  } catch {
    return false;
  }
}

/** A pooler that gives each transaction whichever of two connections is free. */
async function startPooler(databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? hostname;
  const folder = await mkdtemp(join(tmpdir(), "rest-pooler-"));
  const own = await freePort();
  const users = join(folder, "users.txt");
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(folder, "pooler.ini");
  await writeFile(
    file,
    `[databases]\napp = host=${host} port=${port || 5432} dbname=${pathname.slice(1)}\n[pgbouncer]\n` +
      `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${users}\n` +
      "pool_mode = transaction\ndefault_pool_size = 2\n",
  );
  // It refuses to run as root, and only the owner of the database's socket reaches it.
  await chmod(folder, 0o755);
  const { uid, gid } =
    process.getuid?.() === 0 && host.startsWith("/") ? await stat(host) : { uid: 0, gid: 0 };
  const pooler = spawn(POOLER, [file], { stdio: "ignore", ...(uid && { uid, gid }) });
  onTestFinished(async () => {
    await end(pooler);
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(() => accepts(own)).toBe(true);
  return `postgres://${username}:${password}@127.0.0.1:${own}/app`;
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

test.runIf(isInstalled())(
  "behind PgBouncer in transaction mode, requests work without prepared statements (needs Debian's pgbouncer)",
  async () => {
    const database = await createTestDatabase({ empty: true });
    onTestFinished(() => database.drop());
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`
      create schema api;
      create table api.boats (id int primary key, name text not null);
      insert into api.boats select n, 'boat ' || n from generate_series(1, 50) n;
      grant usage on schema api to anon;
      grant all on api.boats to anon;
    `);
    await admin.end();
    const settings = readServiceSettings({
      PGRST_DB_URI: await startPooler(database.authenticatorUrl),
      PGRST_DB_SCHEMAS: "api",
      PGRST_DB_ANON_ROLE: "anon",
      PGRST_DB_PREPARED_STATEMENTS: "false",
      PGRST_DB_CHANNEL_ENABLED: "false",
      PGRST_DB_POOL: "8",
      PGRST_SERVER_HOST: "127.0.0.1",
      PGRST_SERVER_PORT: "0",
    });
    const backend = await serveAlone(settings, () => {});
    onTestFinished(() => backend.close());
    const rounds = Array.from({ length: 200 }, (_, round) => round % 50);
    const answers = await Promise.all(
      rounds.map(async (round) => {
        const kind = round % 3;
        if (kind === 0) return (await fetch(`${backend.url}/boats?id=eq.${round + 1}&select=id`)).json();
        const init = {
          method: "PATCH",
          body: '{"name":"new"}',
          headers: { "content-type": "application/json", prefer: "return=representation" },
        };
        if (kind === 1)
          return (await fetch(`${backend.url}/boats?id=eq.${round + 1}&select=id`, init)).json();
        return (await fetch(`${backend.url}/boats?select=id&order=id&offset=${round}&limit=1`)).json();
      }),
    );
    expect(answers).toEqual(rounds.map((round) => [{ id: round + 1 }]));
  },
);
