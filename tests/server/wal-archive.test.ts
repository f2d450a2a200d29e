import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pruneArchive } from "#server/wal-archive/prune-archive.ts";
import { postmasterOf } from "#tests/helpers/processes.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const PATIENT = { timeout: 60_000, interval: 50 };

const parent = mkdtempSync(join(tmpdir(), "fruit-values-wal-"));
const archive = join(parent, "archive");
const backup = join(parent, "backup");
const dataDir = join(parent, "data");
let server: ServerProcess;

type Outcome = { code: number; output: string };

function run(program: string, argument: string, env: Record<string, string> = {}): Promise<Outcome> {
  const options = { env: { PATH: process.env.PATH, DATA_DIR: dataDir, WAL_ARCHIVE_TO: archive, ...env } };
  return promisify(execFile)(process.execPath, [`server/commands/${program}.ts`, argument], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

const start = (folder: string, env: Record<string, string> = {}) =>
  startServer({ env: { DATA_DIR: folder, WAL_ARCHIVE_TO: archive, ...env } });

async function connect(folder: string): Promise<Client> {
  const client = new Client({
    connectionString: readFileSync(join(folder, "database-url"), "utf8").trim(),
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function countIn(folder: string): Promise<number[]> {
  const client = await connect(folder);
  const { rows } = await client
    .query("select turn from public.kept order by turn")
    .finally(() => client.end());
  return rows.map(({ turn }) => turn);
}

/** Writes one row after the other, until the database is gone; gives the last one that was confirmed. */
async function writeUntilDeath(
  folder: string,
  from: number,
): Promise<{ confirmed(): number; ended: Promise<void> }> {
  const client = await connect(folder);
  let confirmed = from - 1;
  const write = async () => {
    // Through the API it would be the same commits, more slowly.
    for (let turn = from; ; turn++) {
      await client.query(
        "insert into public.kept (turn, filling) values ($1, repeat(md5($1::int::text), 200))",
        [turn],
      );
      confirmed = turn;
    }
  };
  return { confirmed: () => confirmed, ended: write().catch(() => {}) };
}

async function switchFile(folder: string): Promise<void> {
  const client = await connect(folder);
  await client.query("select pg_switch_wal()").finally(() => client.end());
}

/** The machine is gone: nothing of it says another word, and its disk is not read again. */
async function die(folder: string): Promise<void> {
  const postmaster = postmasterOf(folder);
  process.kill(server.pid, "SIGKILL");
  process.kill(postmaster, "SIGKILL");
  renameSync(folder, `${folder}.gone`);
}

beforeAll(async () => {
  server = await start(dataDir);
  const client = await connect(dataDir);
  await client.query("create table public.kept (turn int primary key, filling text)");
  await client.query("alter table public.kept alter filling set storage plain");
  await client.end();
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(parent, { recursive: true, force: true });
});

test("the machine dies in the middle of writes: on another one there is every row that was confirmed, and once more after that", {
  timeout: 240_000,
}, async () => {
  expect(await run("back-up", backup)).toMatchObject({ code: 0 });
  let from = 1;
  let folder = dataDir;
  for (const next of ["second", "third"].map((name) => join(parent, name))) {
    const writer = await writeUntilDeath(folder, from);
    // More than one file of the log, and in the middle of the next one.
    await expect.poll(writer.confirmed, PATIENT).toBeGreaterThan(from + 20);
    await switchFile(folder);
    const before = writer.confirmed();
    await expect.poll(writer.confirmed, PATIENT).toBeGreaterThan(before + 20);
    await die(folder);
    await writer.ended;
    const restored = await run("restore", backup, { DATA_DIR: next });
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringContaining("read to its end: the last change"),
    });
    server = await start(next);
    const turns = await countIn(next);
    expect(turns.length).toBeGreaterThanOrEqual(writer.confirmed());
    expect(turns).toEqual(turns.map((_, at) => at + 1));
    from = turns.length + 1;
    folder = next;
  }
  expect(readdirSync(archive)).toContain("00000003.history");
  await server.stop();
  server = await start(folder);
  expect((await countIn(folder)).length).toBe(from - 1);
});

test("nothing is confirmed that is not archived: while the archive cannot be written, a write waits, and the log says why", async () => {
  const folder = join(parent, "third");
  const client = await connect(folder);
  renameSync(archive, `${archive}.away`);
  const file = join(parent, "archive");
  await promisify(execFile)("touch", [file]);
  // Whoever has a file open writes on: only a new connection finds the folder gone.
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_replication where application_name = 'wal_archive'",
  );
  let isConfirmed = false;
  const written = client.query("insert into public.kept (turn) values (1000001)").then(() => {
    isConfirmed = true;
  });
  await expect
    .poll(() => server.output(), PATIENT)
    .toMatch(/error The database's log is not archived, and writes wait/);
  expect(isConfirmed).toBe(false);
  rmSync(file);
  renameSync(`${archive}.away`, archive);
  await written;
  await expect.poll(() => server.output(), PATIENT).toContain("The database's log is archived again");
  await client.query("delete from public.kept where turn = 1000001");
  await client.end();
});

test("an archive with a gap, of another database or ahead of this one is refused by name", {
  timeout: 120_000,
}, async () => {
  const segment = readdirSync(archive).find((name) => /^00000002[\dA-F]{16}$/.test(name)) ?? "";
  renameSync(join(archive, segment), join(parent, segment));
  const refused = await run("restore", backup, { DATA_DIR: join(parent, "gap") });
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(`has no ${segment}`) });
  renameSync(join(parent, segment), join(archive, segment));

  await expect(start(join(parent, "stranger"))).rejects.toThrow("another database's archive");

  const alone = join(parent, "alone");
  expect(await run("restore", backup, { DATA_DIR: alone, WAL_ARCHIVE_TO: "" })).toMatchObject({ code: 0 });
  await expect(start(alone)).rejects.toThrow("holds a later log than this database's");
});

test("without an archive nothing waits for one, and PostgreSQL keeps no log for it", {
  timeout: 60_000,
}, async () => {
  await server.stop();
  const folder = join(parent, "third");
  server = await start(folder, { WAL_ARCHIVE_TO: "" });
  const client = await connect(folder);
  await client.query("insert into public.kept (turn) values (1000002)");
  const { rows } = await client.query(
    "select slot_name from pg_replication_slots where slot_type = 'physical'",
  );
  expect(rows).toEqual([]);
  await client.end();
});

test("files of the log go once no backup needs them", async () => {
  const segments = () => readdirSync(archive).filter((name) => name.length >= 24);
  const before = segments().sort();
  const old = new Date("2026-01-01T00:00:00Z");
  utimesSync(join(archive, before[0] as string), old, old);
  expect(await pruneArchive(archive, new Date("2026-01-01T02:00:00Z"))).toBe(1);
  expect(segments().sort()).toEqual(before.slice(1));
});
