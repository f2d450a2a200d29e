import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#server/configuration/config.ts";
import { startSite } from "#server/start-site.ts";
import { isRunning, postmasterOf, workersOf } from "#tests/helpers/processes.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerEndedError, type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

/** For a busy machine. */
const PATIENT = { timeout: 30_000, interval: 50 };

let dataDir: string;
let server: ServerProcess;
/** Without the compile cache that other tests share, the site keeps its own. */
const start = () => startServer({ env: { DATA_DIR: dataDir, NODE_COMPILE_CACHE: "" } });
const compiled = () => {
  const folder = join(dataDir, "compiled");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => statSync(join(folder, name))).filter((each) => each.isFile());
  return { folder: join(folder, names[0] as string), times: files.map(({ mtimeMs }) => mtimeMs) };
};
const refusal = async (env: Record<string, string>) =>
  (await startServer({ env: { DATA_DIR: dataDir, ...env } }).then(
    (open) => open.stop().then(() => new Error("it started")),
    (error) => error,
  )) as ServerEndedError;

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();
const query = (statement: string) => runOn(databaseUrl(), statement);

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await start();
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a second start on the same data folder is refused with one sentence that says who holds it and what to do", async () => {
  const { message, code } = await refusal({});
  expect(code).toBe(1);
  expect(message).toBe(
    `The data folder ${dataDir} is in use by process ${server.pid} at ${server.address}: stop that one first, or set DATA_DIR to another folder.`,
  );
  await expect.poll(async () => (await fetch(server.address)).status, PATIENT).toBe(200);
});

test("a port in use is refused with one sentence that names PORT, before anything is made", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const elsewhere = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  const { message, code } = await refusal({ DATA_DIR: elsewhere, PORT: String(port) });
  expect(message).toBe(
    `PORT ${port} is in use by another program: stop that one, or set PORT to a free port.`,
  );
  expect([code, readdirSync(elsewhere)]).toEqual([1, ["lock", "running"]]);
  other.close();
  rmSync(elsewhere, { recursive: true });
});

test("an invalid setting ends the start before anything is touched", async () => {
  const { message, code } = await refusal({ PORT: "http" });
  expect([message, code]).toEqual(["PORT must be a whole number from 0 to 65535.", 1]);
});

test("an unreachable database is reported by the name of its variable", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  const { message } = await refusal({
    DATA_DIR: elsewhere,
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  });
  expect(message).toMatch(/^DATABASE_URL cannot be reached: .*\.$/);
  rmSync(elsewhere, { recursive: true });
});

test("data from another PostgreSQL version is refused with one sentence", async () => {
  const elsewhere = readyDataDir();
  writeFileSync(join(elsewhere, "postgres/PG_VERSION"), "16\n");
  const { message } = await refusal({ DATA_DIR: elsewhere });
  expect(message).toContain("was written by PostgreSQL 16 and this release brings PostgreSQL 18");
  expect(message.split("\n")).toHaveLength(1);
  rmSync(elsewhere, { recursive: true });
});

test("of two simultaneous first starts one serves, and the other says in one sentence who holds the folder", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
  const dataFolder = join(elsewhere, "data");
  const starts = [startServer, startServer].map((begin) => begin({ env: { DATA_DIR: dataFolder } }));
  const ended = await Promise.allSettled(starts);
  const refusals = ended.flatMap((start) => (start.status === "rejected" ? [start.reason.message] : []));
  for (const start of ended) if (start.status === "fulfilled") await start.value.stop();
  expect(refusals).toEqual([
    expect.stringMatching(
      /^The data folder \S+ is in use by (process \d+.*|another process): stop that one .*$/,
    ),
  ]);
  rmSync(elsewhere, { recursive: true });
});

test("secrets in the data folder are readable only by their owner", () => {
  for (const name of ["jwt-secret", "postgres-password", "database-url"]) {
    expect(statSync(join(dataDir, name)).mode & 0o077, name).toBe(0);
  }
});

test("the time of the signing keys counts from this start", () => {
  const { keys } = JSON.parse(readFileSync(join(dataDir, "signing-keys.json"), "utf8"));
  expect(keys).toMatchObject([{ key_ops: ["sign"] }, { key_ops: ["verify"] }]);
  expect(keys.filter(({ pending }: { pending?: true }) => pending)).toEqual([]);
});

test("pages keep answering while a killed PostgreSQL comes back, and then show changes", async () => {
  const before = postmasterOf(dataDir);
  expect((await fetch(`${server.address}/values`)).status).toBe(200);
  process.kill(before, "SIGKILL");
  const statuses: number[] = [];
  const health = async () => {
    statuses.push((await fetch(`${server.address}/values`)).status);
    return (await fetch(`${server.address}/healthz`)).status;
  };
  // Orphaned backends answer for a moment before they notice.
  await expect
    .poll(async () => (await health()) === 200 && postmasterOf(dataDir) !== before, PATIENT)
    .toBe(true);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await query("update items set current_value = '98.7B' where slug = 'kitsune'");
  await expect.poll(async () => (await fetch(`${server.address}/values`)).text(), PATIENT).toContain("98.7B");
  expect(server.output()).toContain("PostgreSQL ended unexpectedly and is being restarted.");
});

test("after kill -9 no process is left running, and the next start works, with what the killed one had compiled", async () => {
  const postmaster = postmasterOf(dataDir);
  await server.stop("SIGKILL");
  await expect.poll(() => isRunning(postmaster), PATIENT).toBe(false);
  const { folder, times } = compiled();
  expect(times.length).toBeGreaterThan(500);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  server = await start();
  await expect.poll(async () => (await fetch(server.address)).status, PATIENT).toBe(200);
  expect(server.output()).not.toMatch(/migrations|catalogue/);
  expect(compiled().times).toEqual(times);
});

test("a start right after kill -9 waits for processes that are still exiting", async () => {
  await server.stop("SIGKILL");
  server = await start();
  await expect.poll(async () => (await fetch(`${server.address}/healthz`)).status, PATIENT).toBe(200);
});

/** Stops the site; a page that follows changes keeps a request open, which the stop does not wait for. */
async function expectStop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
  const postmaster = postmasterOf(dataDir);
  const stream = await fetch(`${server.address}/live`);
  expect(await server.stop(signal)).toBe(0);
  expect(await stream.text()).toMatch(/^retry: \d+\n/);
  expect(isRunning(server.pid)).toBe(false);
  expect(isRunning(postmaster)).toBe(false);
}

test("SIGTERM shuts everything down, with exit code 0", async () => {
  await expectStop("SIGTERM");
});

test("a start that is asked to stop says so, and ends without having been open", async () => {
  const begun = async (pid: number) => {
    await expect.poll(() => existsSync(join(dataDir, "postgres/postmaster.pid")), PATIENT).toBe(true);
    process.kill(pid, "SIGINT");
  };
  const ended = startServer({ env: { DATA_DIR: dataDir }, begun: (pid) => void begun(pid) });
  await expect(ended).rejects.toMatchObject({ message: expect.stringMatching(/^Stopping: .*$/), code: 0 });
  server = await start();
});

test("a start that is asked to stop begins nothing more once the database is prepared", async () => {
  const elsewhere = readyDataDir();
  const config = readConfig({ DATA_DIR: elsewhere, PORT: "0", WORKERS: "1" });
  await expect(startSite(config, () => {}, AbortSignal.abort())).rejects.toThrow("aborted");
  expect(existsSync(join(elsewhere, "database-url"))).toBe(false);
  rmSync(elsewhere, { recursive: true });
});

test("a start whose workers get the signal too, while they load, says no more than that", async () => {
  const begun = async (pid: number) => {
    await expect.poll(() => workersOf(pid), { ...PATIENT, interval: 5 }).toHaveLength(2);
    for (const each of [pid, ...workersOf(pid)]) process.kill(each, "SIGTERM");
  };
  const elsewhere = readyDataDir();
  const env = { DATA_DIR: elsewhere, WORKERS: "2" };
  await expect(startServer({ env, begun: (pid) => void begun(pid) })).rejects.toMatchObject({
    message: expect.stringMatching(/^Stopping: .*$/),
    code: 0,
  });
  rmSync(elsewhere, { recursive: true });
});

test("SIGINT does too, and data written by a later release is refused with one sentence, whichever schema it changed", async () => {
  const records = {
    "30010101000000": [
      "insert into supabase_migrations.schema_migrations (version, name) values ('30010101000000', 'later')",
      "delete from supabase_migrations.schema_migrations where version = '30010101000000'",
    ],
    "9999_later.sql": ["insert into backend.schema_files (name) values ('9999_later.sql')", "select"],
  };
  for (const [later, [mark, unmark]] of Object.entries(records)) {
    await query(mark as string);
    const beside = mkdtempSync(join(tmpdir(), "fruit-values-test-"));
    const { message, code } = await refusal({ DATA_DIR: beside, DATABASE_URL: databaseUrl() });
    expect(message).toMatch(`The database was written by a later release: it has ${later}, and this release`);
    expect(message.trim().split("\n")).toHaveLength(1);
    expect(message.includes("A migration of your own")).toBe(!later.endsWith(".sql"));
    expect(code).toBe(1);
    await query(unmark as string);
    rmSync(beside, { recursive: true });
  }
  await expectStop("SIGINT");
  const { message, code } = await refusal({});
  expect(message).toContain("it has 9999_later.sql");
  expect(code).toBe(1);
});
