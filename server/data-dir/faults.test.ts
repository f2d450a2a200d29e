import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { withClient } from "#backend/postgres/with-client.ts";
import { describeFault } from "#server/configuration/start-error.ts";
import { ensureCluster } from "#server/postgres/cluster.ts";
import { followMachine } from "#server/postgres/machine-settings.ts";
import { makeSocketFolder } from "#server/postgres/socket-folder.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
import { loadKeys } from "./load-keys.ts";
import { lockDataDir } from "./lock-data-dir.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "faults-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

/** The message for the operator; null for a stack trace. */
async function faultOf(start: () => unknown): Promise<string | null> {
  try {
    await start();
  } catch (error) {
    return describeFault(error);
  }
  throw new Error("nothing was wrong");
}

test("a data folder whose path leads through a file", async () => {
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  expect(await faultOf(() => lockDataDir(join(file, "data")))).toMatch(
    /^DATA_DIR is .* cannot be made: ENOTDIR/,
  );
  expect(await faultOf(() => lockDataDir(file))).toMatch(/^DATA_DIR is .* cannot be made: EEXIST/);
});

test("a data folder below one in which none can be made", async () => {
  expect(await faultOf(() => lockDataDir("/proc/nowhere/data"))).toMatch(
    /^DATA_DIR is .* cannot be made: ENOENT/,
  );
});

test("a data folder is made with the folders above it, for its owner alone", () => {
  const deep = join(dataDir, "a", "b");
  lockDataDir(deep).release();
  expect([deep, join(dataDir, "a")].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("a data folder that this user may not write", () => {
  execFileSync("chmod", ["500", dataDir]);
  const program = `
    const { lockDataDir } = await import("#server/data-dir/lock-data-dir.ts");
    const { endWithFault } = await import("#server/configuration/start-error.ts");
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    try { lockDataDir(process.argv[1]) } catch (error) { endWithFault(error) }`;
  const told = () =>
    execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", program, dataDir], {
      stdio: "pipe",
    });
  expect(told).toThrow(/The data folder \S+ cannot be written: unable to open database file\. Set DATA_DIR/);
});

test("a disk without room", async () => {
  const disk = createSmallDisk(1);
  onTestFinished(disk.remove);
  // Skips where mounting is not permitted.
  if (!disk.isMounted) return;
  appendFileSync(join(disk.folder, "full"), Buffer.alloc(512 * 1024));
  expect(await faultOf(() => startPostgres({ dataDir: disk.folder }))).toMatch(
    /^PostgreSQL could not make its data folder in \S+: .*No space left on device/,
  );
  const whole = () => appendFileSync(join(disk.folder, "full"), Buffer.alloc(2 * 1024 * 1024));
  expect(await faultOf(whole)).toMatch(/there is no room left on its disk/);
  expect(await faultOf(() => loadKeys(disk.folder))).toMatch(
    /jwt-secret\S* cannot be used: there is no room left/,
  );
  expect(await faultOf(() => lockDataDir(disk.folder))).toMatch(/cannot be written|no room left/);
});

test("a disk without room is told by the file that had none, also where Node leaves that out", async ({
  skip,
}) => {
  const { folder, isMounted, remove } = createSmallDisk(1);
  onTestFinished(remove);
  skip(!isMounted, "only root may mount a disk");
  // As after a kill -9: what the next start opens first is there.
  lockDataDir(folder).release();
  expect(() => appendFileSync(join(folder, "full"), Buffer.alloc(2 * 1024 * 1024))).toThrow("ENOSPC");
  const told = (name: string) => `${join(folder, name)} cannot be used: there is no room left on its disk.`;
  const machine = { memory: 1024 ** 3, disk: 1024 ** 3, workers: 1 };
  expect(await faultOf(() => followMachine(folder, machine, null))).toBe(told("machine.conf.new"));
  expect(await faultOf(() => makeSocketFolder(folder, null))).toBe(told("socket-folder"));
});

test("a database without PG_VERSION", async () => {
  mkdirSync(join(dataDir, "postgres/base"), { recursive: true });
  writeFileSync(join(dataDir, "postgres-password"), "secret");
  expect(await faultOf(() => startPostgres({ dataDir }))).toMatch(
    /postgres is not a complete database, it has no PG_VERSION/,
  );
});

test("a copy of a database with another owner or other permissions", async () => {
  const folder = join(dataDir, "postgres");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "PG_VERSION"), "18\n");
  const { uid, gid } = statSync(folder);
  const binaries = { majorVersion: "18", initdb: "", postgres: "" };
  const start = (user: { uid: number; gid: number }) =>
    ensureCluster({ folder, parent: dataDir, user, binaries, password: "", ephemeral: false });
  await start({ uid, gid });
  expect(await faultOf(() => start({ uid: uid + 1, gid: 7 }))).toBe(
    `${folder} belongs to another user than the one that PostgreSQL runs as: chown --recursive ${uid + 1}:7 '${folder}'`,
  );
  chmodSync(folder, 0o755);
  expect(await faultOf(() => start({ uid, gid }))).toBe(
    `${folder} is open to other users, which PostgreSQL refuses: chmod 700 '${folder}'`,
  );
  chmodSync(folder, 0o750);
  await start({ uid, gid });
});

test.each(["$", '"', "`", "\\"])("programs in a path with a %s, which initdb cannot call", async (sign) => {
  const initdb = `/srv/a${sign}b/bin/initdb`;
  const binaries = { majorVersion: "18", initdb, postgres: "" };
  const folder = join(dataDir, "postgres");
  const options = { folder, parent: dataDir, user: null, binaries, password: "", ephemeral: false };
  expect(await faultOf(() => ensureCluster(options))).toBe(
    `PostgreSQL cannot make a database with its programs in /srv/a${sign}b/bin, whose path has a ${sign}: move this release's folder to a path without one.`,
  );
});

test("secrets that were lost beside a database", async () => {
  mkdirSync(join(dataDir, "postgres"));
  expect(await faultOf(() => loadKeys(dataDir))).toMatch(
    /jwt-secret is missing beside its database: bring it back/,
  );
  expect(await faultOf(() => startPostgres({ dataDir }))).toMatch(
    /postgres-password is missing beside its database/,
  );
});

test.each(["", "{", '{"keys":[]}', '{"keys":[{"kid":"a"}]}'])("signing keys that are %j", async (text) => {
  await loadKeys(dataDir);
  writeFileSync(join(dataDir, "signing-keys.json"), text);
  expect(await faultOf(() => loadKeys(dataDir))).toMatch(/signing-keys\.json is broken: bring it back/);
});

test("two processes that make the keys at once go on with the same", async () => {
  const [here, there] = await Promise.all([loadKeys(dataDir), loadKeys(dataDir)]);
  expect(here).toEqual(there);
  expect(JSON.parse(readFileSync(join(dataDir, "signing-keys.json"), "utf8")).keys).toHaveLength(2);
});

test("a statement that the database refuses", () => {
  const refused = Object.assign(new Error("permission denied"), { code: "42501", severity: "ERROR" });
  expect(describeFault(refused)).toBe(
    "The database refused to be prepared: permission denied (SQLSTATE 42501).",
  );
  expect(describeFault(new TypeError("our own"))).toBe(null);
  const away = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { syscall: "connect" });
  expect(describeFault(away)).toBe("A server cannot be reached: connect ECONNREFUSED 127.0.0.1:1.");
});

test("a database that ends while a command uses it", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const END = "select pg_terminate_backend(pg_backend_pid())";
  const lost = /^The connection to the database was lost: .+\. Try again once it runs\.$/;
  expect(await faultOf(() => withClient(url, "cut", (client) => client.query(END)))).toMatch(lost);
  const goOn = () =>
    withClient(url, "cut", async (client) => {
      await client.query(END).catch(() => {});
      await client.query("select 1");
    });
  expect(await faultOf(goOn)).toMatch(lost);
});
