import { execFile } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const parent = mkdtempSync(join(tmpdir(), "fruit-values-backup-"));
const dataDir = readyDataDir();
const backup = join(parent, "backup");
const moved = join(parent, "moved");
let server: ServerProcess;

/** What a data folder may contain, by docs/operations.md. */
const DOCUMENTED = new Set(
  Array.from(
    /## The data folder\n[\s\S]*?(\n\|[\s\S]*?)\n\n/
      .exec(readFileSync("docs/operations.md", "utf8"))?.[1]
      ?.matchAll(/`([\w.-]+)/g) ?? [],
    ([, name]) => name,
  ),
);

type Outcome = { code: number; output: string };

/** Runs a program to its end; resolves with the exit code and all output. */
async function run(program: string, argument: string, env: Record<string, string> = {}): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const options = { env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...env } };
  const ended = promisify(execFile)(process.execPath, [`server/commands/${program}.ts`, argument], options);
  return await ended.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

async function asServer(address: string, folder: string): Promise<SupabaseClient> {
  const { serviceRoleKey } = await loadKeys(folder);
  return createClient(address, serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } });
}

const slugOf = (turn: number) => `turn-${String(turn).padStart(5, "0")}`;
const contentOf = (name: string) => `content of ${name}`;

/** Writes rows and files, removes older files, and counts the confirmed writes. */
function keepWriting(client: SupabaseClient) {
  let confirmed = 0;
  let isOver = false;
  const write = async () => {
    for (let turn = 0; !isOver; turn++) {
      const slug = slugOf(turn);
      const row = await client
        .from("categories")
        .insert({ name: slug, slug, icon: "x", display_order: turn });
      if (row.error) throw row.error;
      const files = client.storage.from("kept");
      const stored = await files.upload(slug, contentOf(slug), { contentType: "text/plain" });
      if (stored.error) throw stored.error;
      confirmed = turn + 1;
      if (turn >= 5) await files.remove([slugOf(turn - 5)]);
    }
  };
  const writing = write();
  return {
    confirmed: () => confirmed,
    async stop() {
      isOver = true;
      await writing;
    },
  };
}

beforeAll(async () => {
  server = await startServer({ env: { DATA_DIR: dataDir } });
});

afterAll(async () => {
  await server.stop();
  for (const folder of [parent, dataDir]) rmSync(folder, { recursive: true, force: true });
});

test("a backup made during writes restores elsewhere with everything confirmed, files included", async () => {
  const client = await asServer(server.address, dataDir);
  await client.storage.createBucket("kept");
  const writer = keepWriting(client);
  await expect.poll(writer.confirmed).toBeGreaterThan(10);
  const before = writer.confirmed();
  const made = await run("back-up", backup);
  const after = writer.confirmed();
  await writer.stop();
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^The backup is complete, .*\n$/) });
  expect(after).toBeGreaterThan(before);
  expect(existsSync(`${backup}.unfinished`)).toBe(false);

  expect(await run("restore", backup, { DATA_DIR: moved })).toMatchObject({ code: 0 });
  const restored = await startServer({ env: { DATA_DIR: moved } });
  const there = await asServer(restored.address, moved);
  const rows = await there.from("categories").select("slug").like("slug", "turn-%").order("slug");
  const slugs = (rows.data ?? []).map(({ slug }) => slug);
  expect(slugs.length).toBeGreaterThanOrEqual(before);
  expect(slugs).toEqual(slugs.map((_, turn) => slugOf(turn)));
  const objects = (await there.storage.from("kept").list()).data ?? [];
  expect(objects.length).toBeGreaterThan(3);
  for (const { name } of objects) {
    const { data } = await there.storage.from("kept").download(name);
    expect(await data?.text()).toBe(contentOf(name));
  }
  expect(readdirSync(moved).filter((name) => !DOCUMENTED.has(name))).toEqual([]);
  await restored.stop();
});

test("nothing is overwritten: a backup refuses an existing folder, a restore an existing data folder", async () => {
  expect(await run("back-up", backup)).toEqual({
    code: 1,
    output: `${backup} is there already: name a folder that is not.\n`,
  });
  expect(await run("restore", backup, { DATA_DIR: moved })).toEqual({
    code: 1,
    output: `The data folder ${moved} is not empty, and nothing in it is overwritten: move it away, or set DATA_DIR to another folder.\n`,
  });
});

test("a killed backup does not pass for one, and an interrupted restore starts no site", async () => {
  const half = join(parent, "half");
  const child = execFile(process.execPath, ["server/commands/back-up.ts", half], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: dataDir },
  });
  const names = () => (existsSync(`${half}.unfinished`) ? readdirSync(`${half}.unfinished`) : []);
  await expect.poll(() => names().includes("postgres"), { interval: 5 }).toBe(true);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(existsSync(half)).toBe(false);
  const elsewhere = join(parent, "elsewhere");
  const refused = await run("restore", `${half}.unfinished`, { DATA_DIR: elsewhere });
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("is not a complete backup") });
  const nowhere = join(parent, "nowhere");
  expect(await run("restore", nowhere, { DATA_DIR: elsewhere })).toMatchObject({
    code: 1,
    output: `There is no folder ${nowhere}.\n`,
  });

  mkdirSync(elsewhere);
  appendFileSync(join(elsewhere, "restore-unfinished"), "");
  await expect(startServer({ env: { DATA_DIR: elsewhere } })).rejects.toThrow("was not restored to its end");
});

test("a backup with a changed file is refused, naming the file", async () => {
  const { files } = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8"));
  const { path } = files.find((file: { path: string }) => file.path.startsWith("postgres/base/"));
  appendFileSync(join(backup, path), "x");
  expect(await run("restore", backup, { DATA_DIR: join(parent, "broken") })).toEqual({
    code: 1,
    output: `The backup is broken: ${path} has changed.\n`,
  });
});

test("with the operator's own PostgreSQL it says what to do instead", async () => {
  const refused = await run("back-up", join(parent, "other"), { DATABASE_URL: "postgres://a@localhost/b" });
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^DATABASE_URL is set: .*own tools/),
  });
});
