import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { pauseBefore, startPostgres } from "./start-postgres.ts";

async function ask(url: string, question: string): Promise<string> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query({ text: question, rowMode: "array" });
  await client.end();
  return rows[0]?.[0];
}

test("a PostgreSQL that could not come back six times does as soon as the reason is gone", {
  timeout: 90_000,
}, async () => {
  const lines: string[] = [];
  let tried = 0;
  const database = await startPostgres({
    ephemeral: true,
    report: (line) => lines.push(line),
    pause: (tries) => {
      tried = tries;
      return 0;
    },
  });
  try {
    const { url, pid } = database;
    const shown = await ask(url, "show config_file");
    const settings = shown.replace("/proc/self/cwd", () => readlinkSync(`/proc/${pid}/cwd`));
    renameSync(settings, `${settings}.gone`);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => tried, { timeout: 40_000 }).toBeGreaterThan(8);
    expect(lines[0]).toBe("PostgreSQL ended unexpectedly and is being restarted.");
    expect(lines[1]).toContain("could not access the server configuration file");
    const repeated = lines.filter((line) => line.includes("every few seconds"));
    expect(repeated).toEqual([expect.stringContaining("postgres.log says why")]);
    renameSync(`${settings}.gone`, settings);
    await expect.poll(() => ask(url, "select 'here'").catch(String), { timeout: 40_000 }).toBe("here");
  } finally {
    await database.stop();
  }
});

test("a PostgreSQL one of whose processes is killed says so, and comes back", {
  timeout: 90_000,
}, async () => {
  const lines: string[] = [];
  const database = await startPostgres({ ephemeral: true, report: (line) => lines.push(line) });
  try {
    const { url } = database;
    const client = new Client({ connectionString: url });
    const isLost = new Promise((resolve) => client.on("error", resolve));
    await client.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    process.kill(rows[0].pid, "SIGKILL");
    await isLost;
    await expect
      .poll(() => lines, { timeout: 40_000 })
      .toEqual(["PostgreSQL ended unexpectedly and is being restarted."]);
    await expect.poll(() => ask(url, "select 'here'").catch(String), { timeout: 40_000 }).toBe("here");
  } finally {
    await database.stop();
  }
});

test("a PostgreSQL whose folder is gone says so, and comes back with it", { timeout: 90_000 }, async () => {
  const lines: string[] = [];
  const database = await startPostgres({ ephemeral: true, report: (line) => lines.push(line) });
  try {
    const { url, pid } = database;
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    const parent = dirname(folder);
    renameSync(parent, `${parent}.gone`);
    process.kill(pid, "SIGKILL");
    await expect
      .poll(() => lines, { timeout: 40_000 })
      .toContain(
        `PostgreSQL ended, since its folder ${folder} is gone. Put it back, or stop the site and restore a backup.`,
      );
    expect(lines.filter((line) => line.includes("postgres.log"))).toEqual([]);
    renameSync(`${parent}.gone`, parent);
    await expect.poll(() => ask(url, "select 'here'").catch(String), { timeout: 40_000 }).toBe("here");
  } finally {
    await database.stop();
  }
});

test("however often it ended, it is tried again within three seconds", () => {
  const pauses = Array.from({ length: 300 }, (_, index) => pauseBefore(index + 1));
  expect([pauses[0], Math.max(...pauses)]).toEqual([0, 3_000]);
});

const START = `
  process.on("SIGINT", () => {});
  const { startPostgres } = await import("#server/postgres/start-postgres.ts");
  await (await startPostgres({ dataDir: process.argv[1] })).stop();`;

/** A first start in a process group of its own, as a terminal makes one; resolves while initdb makes the cluster. */
async function beginFirstStart() {
  const [dataDir, TMPDIR] = [
    mkdtempSync(join(tmpdir(), "first-start-")),
    mkdtempSync(join(tmpdir(), "first-tmp-")),
  ];
  // PostgreSQL's account reaches its socket there.
  chmodSync(TMPDIR, 0o711);
  onTestFinished(() => {
    for (const folder of [dataDir, TMPDIR]) rmSync(folder, { recursive: true, force: true });
  });
  // The address that a killed start left, which somebody is reading.
  writeFileSync(join(dataDir, "database-url"), "the former one");
  linkSync(join(dataDir, "database-url"), join(dataDir, "being-read"));
  const node = [process.execPath, "--input-type=module-typescript", "--eval", START, dataDir];
  const child = spawn(node[0] as string, node.slice(1), {
    detached: true,
    env: { ...process.env, TMPDIR },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const halfMade = () =>
    readdirSync(dataDir)
      .filter((name) => name.startsWith("postgres.new-"))
      .flatMap((name) => readdirSync(join(dataDir, name, "data")));
  await expect.poll(halfMade, { interval: 5 }).toContain("base");
  return { dataDir, TMPDIR, halfMade, ended: once(child, "exit"), pid: child.pid as number };
}

test("a Ctrl-C at the terminal does not reach the program that makes the cluster; whoever reads the former address meanwhile reads all of it", async () => {
  const { dataDir, ended, pid } = await beginFirstStart();
  process.kill(-pid, "SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(dataDir, "postgres/PG_VERSION"))).toBe(true);
  expect(readdirSync(dataDir).filter((name) => /\.new\b/.test(name))).toEqual([]);
  expect(readFileSync(join(dataDir, "being-read"), "utf8")).toBe("the former one");
});

// On a busy machine it may have finished before it is interrupted.
test("after a kill -9 the program that makes the cluster ends, too, and removes what it has made; the password is left nowhere else", {
  retry: 3,
}, async () => {
  const { TMPDIR, halfMade, ended, pid } = await beginFirstStart();
  process.kill(pid, "SIGKILL");
  await ended;
  await expect.poll(halfMade).toEqual([]);
  expect(readdirSync(TMPDIR)).toEqual([]);
});
