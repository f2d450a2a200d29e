import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObjectStore } from "#backend/storage/files/object-store.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { writeBackup } from "#server/backup/write-backup.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { archiveFiles } from "#server/wal-archive/archived-files.ts";
import { forgetArchive } from "#server/wal-archive/keep-archive.ts";
import { pruneArchive } from "#server/wal-archive/prune-archive.ts";
import { postmasterOf } from "#tests/helpers/processes.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const PATIENT = { timeout: 60_000, interval: 50 };

const parent = mkdtempSync(join(tmpdir(), "fruit-values-wal-"));
const archive = join(parent, "archive");
const backup = join(parent, "backup");
const dataDir = join(parent, "data");
let server: ServerProcess;

const ENV = { WAL_ARCHIVE_TO: archive };

const start = (folder: string) =>
  startServer({
    command: [process.execPath, "tests/helpers/database-machine.ts"],
    env: { DATA_DIR: folder, ...ENV },
  });

const restore = (folder: string, walArchive?: string) =>
  restoreBackup(backup, folder, () => {}, { walArchive });

const urlOf = (folder: string) => readFileSync(join(folder, "database-url"), "utf8").trim();

async function connect(folder: string): Promise<Client> {
  const client = new Client({ connectionString: urlOf(folder) });
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

/** Writes one row after another until the database is gone; returns the last confirmed one. */
async function writeUntilDeath(
  folder: string,
  from: number,
): Promise<{ confirmed(): number; ended: Promise<void> }> {
  const client = await connect(folder);
  let confirmed = from - 1;
  const write = async () => {
    // Through the API the commits would be the same, only slower.
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

/** The machine dies: no process writes any more, and its disk is not read again. */
async function die(folder: string): Promise<void> {
  const postmaster = postmasterOf(folder);
  process.kill(server.pid, "SIGKILL");
  process.kill(postmaster, "SIGKILL");
  renameSync(folder, `${folder}.gone`);
}

beforeAll(async () => {
  server = await start(dataDir);
  const client = await connect(dataDir);
  // A restore checks which files exist.
  await client.query("create schema storage create table objects (version text)");
  await client.query("create table public.kept (turn int primary key, filling text)");
  await client.query("alter table public.kept alter filling set storage plain");
  await client.end();
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(parent, { recursive: true, force: true });
});

test("the machine dies during writes: a second one has every confirmed row, and when that dies, so does a third", {
  timeout: 240_000,
}, async () => {
  await writeBackup({ dataDir, databaseUrl: urlOf(dataDir), filesInS3: false }, backup);
  let from = 1;
  let folder = dataDir;
  for (const next of ["second", "third"].map((name) => join(parent, name))) {
    const writer = await writeUntilDeath(folder, from);
    // More than one WAL file, stopping in the middle of the next.
    await expect.poll(writer.confirmed, PATIENT).toBeGreaterThan(from + 20);
    await switchFile(folder);
    const before = writer.confirmed();
    await expect.poll(writer.confirmed, PATIENT).toBeGreaterThan(before + 20);
    await die(folder);
    await writer.ended;
    expect(await restore(next, archive)).toMatchObject({ until: expect.any(Date) });
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

/** Simulates the archive's disk going away, leaving the empty mount point. */
function unmount(): void {
  renameSync(archive, `${archive}.away`);
  mkdirSync(archive);
}

/** Moving it back works because the mount point is still empty. */
const mount = () => renameSync(`${archive}.away`, archive);

test("no write is confirmed while the archive's disk is away: it waits, nothing is written into the mount point, and the log says why", async () => {
  const client = await connect(join(parent, "third"));
  await client.query("insert into public.kept (turn) values (1000001)");
  unmount();
  let isConfirmed = false;
  const written = client.query("delete from public.kept where turn = 1000001").then(() => {
    isConfirmed = true;
  });
  await expect
    .poll(() => server.output(), PATIENT)
    .toMatch(
      /error The write-ahead log is not archived, writes wait for it: \S+archive does not contain the log/,
    );
  expect(isConfirmed).toBe(false);
  expect(readdirSync(archive)).toEqual([]);
  mount();
  await written;
  await expect.poll(() => server.output(), PATIENT).toContain("The write-ahead log is archived again");
  await client.end();
});

/** The site's process that writes the archive. */
function archiverOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  return children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, "utf8").includes("archive-process.ts"),
  ) as number;
}

test("a disk that does not respond is reported too", async () => {
  const archiver = archiverOf(server.pid);
  const before = server.output().length;
  const newOutput = () => server.output().slice(before);
  // A process waiting for such a disk hangs the same way.
  process.kill(archiver, "SIGSTOP");
  await expect
    .poll(newOutput, PATIENT)
    .toContain("not archived, writes wait for it: its disk does not respond");
  process.kill(archiver, "SIGCONT");
  await expect.poll(newOutput, PATIENT).toContain("The write-ahead log is archived again");
});

test("without its disk, or with an older copy of it, the site does not start, and writes nothing into its place", {
  timeout: 120_000,
}, async () => {
  const folder = join(parent, "third");
  await server.stop();
  unmount();
  await expect(start(folder)).rejects.toThrow("WAL_ARCHIVE_TO cannot be used");
  expect(readdirSync(archive)).toEqual([]);
  rmSync(archive, { recursive: true });
  await expect(start(folder)).rejects.toThrow(
    "archive does not contain the log that was archived there. Mount its disk.",
  );
  expect(existsSync(archive)).toBe(false);

  mount();
  const old = join(parent, "old-copy");
  cpSync(archive, old, { recursive: true });
  server = await start(folder);
  for (let turn = 0; turn < 3; turn++) {
    await switchFile(folder);
    const client = await connect(folder);
    await client.query("update public.kept set turn = turn where turn = 1").finally(() => client.end());
  }
  await server.stop();
  renameSync(archive, `${archive}.away`);
  renameSync(old, archive);
  await expect(start(folder)).rejects.toThrow("ends before what was archived last");
  rmSync(archive, { recursive: true });
  mount();
  server = await start(folder);
});

test("an uploaded file is not archived into the mount point of a disk that is away", async () => {
  const stored: string[] = [];
  const lines: string[] = [];
  const source = Readable.from(["content"]);
  const store = {
    adopt: async (_: string, version: string) => void stored.push(version),
    read: async () => source,
  } as unknown as ObjectStore;
  const archiving = archiveFiles(
    store,
    { folder: archive, commitsWait: true },
    (line) => void lines.push(line),
  );
  const file = join(parent, "upload");
  writeFileSync(file, "content");
  unmount();
  await expect(archiving.adopt(file, "ab-first")).rejects.toThrow("its disk is not mounted");
  await expect(archiving.copy("ab-first", "ab-second")).rejects.toThrow("its disk is not mounted");
  expect([stored, readdirSync(archive), source.destroyed]).toEqual([[], [], true]);
  expect(lines.join()).toContain("An uploaded file could not be archived and was refused");
  mount();
  await archiving.adopt(file, "ab-first");
  expect(stored).toEqual(["ab-first"]);
  expect(readFileSync(join(archive, "files/ab/ab-first"), "utf8")).toBe("content");
  rmSync(join(archive, "files"), { recursive: true });
});

test("an archive with a gap, from another database or ahead of this one is refused by name", {
  timeout: 120_000,
}, async () => {
  const segment = readdirSync(archive).find((name) => /^00000002[\dA-F]{16}$/.test(name)) ?? "";
  renameSync(join(archive, segment), join(parent, segment));
  await expect(restore(join(parent, "gap"), archive)).rejects.toThrow(`has no ${segment}`);
  renameSync(join(parent, segment), join(archive, segment));

  await expect(start(join(parent, "stranger"))).rejects.toThrow("another database's archive");

  const alone = join(parent, "alone");
  await restore(alone);
  await expect(start(alone)).rejects.toThrow("holds a log that this database does not continue");
});

test("without an archive PostgreSQL retains no WAL for it", async () => {
  await server.stop();
  const folder = join(parent, "third");
  const postgres = await startPostgres({ dataDir: folder });
  await forgetArchive(postgres.url);
  const client = await connect(folder);
  await client.query("insert into public.kept (turn) values (1000002)");
  const { rows } = await client.query("select slot_name from pg_replication_slots");
  await client.end();
  await postgres.stop();
  expect(rows).toEqual([]);
  // From then on it has a gap.
  await expect(start(folder)).rejects.toThrow("holds a log that this database does not continue");
});

test("WAL files and uploaded files are removed once no backup needs them", async () => {
  const uploads = ["old", "new"].map((name) => join(archive, "files/ab", name));
  mkdirSync(join(archive, "files/ab"), { recursive: true });
  for (const file of uploads) writeFileSync(file, "");
  const segments = () => readdirSync(archive).filter((name) => name.length >= 24);
  const before = segments().sort();
  const old = new Date("2026-01-01T00:00:00Z");
  for (const file of [join(archive, before[0] as string), uploads[0] as string]) utimesSync(file, old, old);
  expect(await pruneArchive(archive, new Date("2026-01-01T02:00:00Z"))).toBe(1);
  expect(segments().sort()).toEqual(before.slice(1));
  expect(readdirSync(join(archive, "files/ab"))).toEqual(["new"]);
});
