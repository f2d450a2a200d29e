import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import S3rver from "@20minutes/s3rver";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeBackup } from "#server/backup/make-backup.ts";
import { FETCHED } from "#server/data-dir/lock-data-dir.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

/** Time for a backup and its test restore on a busy machine. */
const PATIENT = { timeout: 90_000, interval: 100 };

const parent = mkdtempSync(join(tmpdir(), "fruit-values-scheduled-"));
const dataDir = readyDataDir();
const kept = join(parent, "kept");
let server: ServerProcess;

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();
const state = (folder = dataDir) => JSON.parse(readFileSync(join(folder, "last-backup.json"), "utf8"));
const restore = (from: string, to: string, env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ["server/commands/restore.ts", from], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: to,
      ...env,
    },
  });

async function query(text: string) {
  const client = new Client({ connectionString: databaseUrl() });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

async function readFigure(name: string): Promise<number> {
  const address = /Metrics are at (\S+)/.exec(server.output())?.[1] ?? "";
  const text = await (await fetch(address)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

const start = (to: string, env: Record<string, string> = {}) =>
  startServer({ env: { DATA_DIR: dataDir, METRICS_PORT: "0", BACKUP_EVERY: "24h", BACKUP_TO: to, ...env } });

beforeAll(async () => {
  server = await start(kept);
});

afterAll(async () => {
  await server.stop();
  for (const folder of [parent, dataDir]) rmSync(folder, { recursive: true, force: true });
});

test("the first backup is made automatically, restored to verify it, and reported; it starts elsewhere", {
  timeout: 180_000,
}, async () => {
  await expect.poll(() => server.output(), PATIENT).toMatch(/info The backup \S+Z was made and verified/);
  const [name = "", ...others] = readdirSync(kept);
  expect(others).toEqual([]);
  const { last, failure } = state();
  expect(failure).toBeNull();
  expect(last).toMatchObject({ name, missing: 0, bytes: expect.any(Number) });
  const { rows } = await query("select count(*)::int as count from public.item_value_changes");
  expect(last.rows, "every row was read").toBeGreaterThan(rows[0].count);
  expect(existsSync(join(dataDir, "backup-work")), "nothing of the proof is left").toBe(false);
  expect(await readFigure("site_backup_failed")).toBe(0);
  expect(await readFigure("site_backup_interval_seconds")).toBe(86_400);
  const age = (Date.now() - Date.parse(last.madeAt)) / 1000;
  expect(Math.abs((await readFigure("site_backup_age_seconds")) - age)).toBeLessThan(30);
  await restore(join(kept, name), join(parent, "restored"));
  expect(existsSync(join(parent, "restored/postgres/PG_VERSION"))).toBe(true);
});

test("as many backups as configured are kept, and an unreadable one does not count", {
  timeout: 180_000,
}, async () => {
  const [first = ""] = readdirSync(kept);
  // A name from a clock far ahead must not make the new one expire.
  cpSync(join(kept, first), join(kept, "2099-01-01T00-00-00Z"), { recursive: true });
  const before = readdirSync(kept);
  const source = { dataDir, databaseUrl: databaseUrl(), filesInS3: false };
  const job = { source, settings: { keep: 1, to: { folder: kept } }, walArchive: null };
  const making = makeBackup(job);
  await expect.poll(() => existsSync(join(dataDir, "backup-work/scratch/postgres")), PATIENT).toBe(true);
  const counted = readdirSync(kept).filter((each) => !each.endsWith(".unproven"));
  expect(counted, "it counts once it is verified").toEqual(before);
  const { name: newest } = await making;
  expect(readdirSync(kept)).toEqual([newest]);
  expect(before).not.toContain(newest);
  // Only reading reveals this: the pages are intact, but the value is no longer valid.
  await query("create type public.mood as enum ('fine'); create table public.moods (mood public.mood)");
  await query("insert into public.moods values ('fine')");
  await query("delete from pg_enum where enumtypid = 'public.mood'::regtype");
  await expect(makeBackup(job)).rejects.toThrow("enum");
  expect(readdirSync(kept), "the one before stays").toEqual([newest]);
  await query("drop table public.moods; drop type public.mood");
});

test("a failed backup is one log line and a metric; a restart does not forget the last good one", {
  timeout: 180_000,
}, async () => {
  await server.stop();
  const { last } = state();
  const file = join(parent, "a-file");
  writeFileSync(file, "");
  writeFileSync(
    join(dataDir, "last-backup.json"),
    JSON.stringify({ ...state(), last: { ...last, madeAt: "2026-01-01T00:00:00Z" } }),
  );
  server = await start(join(file, "folder"));
  const lines = () =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes("The backup failed"));
  await expect.poll(lines, PATIENT).toHaveLength(1);
  expect(lines()[0]).toContain(`error The backup failed; the last good one is ${last.name}: ENOTDIR`);
  expect(await readFigure("site_backup_failed")).toBe(1);
  expect(await readFigure("site_backup_age_seconds")).toBeGreaterThan(86_400);
});

test("an S3 bucket receives backups and restores them", { timeout: 240_000 }, async () => {
  const port = await freePort();
  const bucket = new S3rver({
    port,
    address: "127.0.0.1",
    silent: true,
    directory: join(parent, "s3"),
    configureBuckets: [{ name: "safe" }],
    // It computes the signature of a listing differently than Amazon does.
    allowMismatchedSignatures: true,
  });
  await bucket.run();
  const keys = {
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
  };
  await server.stop();
  rmSync(join(dataDir, "last-backup.json"));
  server = await start("s3://safe/site", keys);
  await expect
    .poll(() => server.output(), { ...PATIENT, timeout: 150_000 })
    .toMatch(/The backup \S+ was made/);
  const { name } = state().last;
  const elsewhere = join(parent, "from-s3");
  // Beside the data folder, a service may write nowhere.
  mkdirSync(`${elsewhere}.fetched`);
  const { stdout } = await restore(`s3://safe/site/${name}`, elsewhere, keys);
  expect(stdout).toContain("was restored to");
  expect(existsSync(join(elsewhere, "postgres/PG_VERSION"))).toBe(true);
  expect(existsSync(`${elsewhere}.fetched`), "nothing beside it was used").toBe(true);
  expect(readdirSync(elsewhere), "nothing of the download is left").not.toContain(FETCHED);
  await bucket.close();
});
