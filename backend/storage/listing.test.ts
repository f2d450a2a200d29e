import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database, type Step } from "#backend/postgres/database.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { asService, runAs } from "./database/run-as.ts";
import { type Walk, walkNames } from "./objects/walk-names.ts";
import type { StorageService } from "./storage-service.ts";

const OBJECTS = 30_000;
const NOTHING = { request: { method: "GET", url: "/", headers: {}, body: null } };

let testServer: StorageTestServer;
let database: Database;
const files = (bucket: string) => testServer.as("server").from(bucket);

beforeAll(async () => {
  testServer = await openStorage();
  database = connectDatabase({ url: testServer.databaseUrls.authenticator, max: 1 });
  await testServer.query(
    "insert into storage.buckets (id, name) values ('deep', 'deep'), ('mixed', 'mixed')",
  );
  await testServer.query(
    `insert into storage.objects (bucket_id, name, version, metadata, created_at)
     select 'deep', 'shelf/' || lpad((n / 10)::text, 5, '0') || '/' || md5(n::text), gen_random_uuid()::text, '{}'::jsonb,
       timestamptz '2026-01-01' + n * interval '1 minute'
     from generate_series(1, ${OBJECTS}) n
     union all
     select 'deep', 'loose/' || lpad(n::text, 5, '0'), gen_random_uuid()::text, '{}', timestamptz '2026-01-01'
     from generate_series(1, ${OBJECTS}) n`,
  );
  await testServer.query("analyze storage.objects");
});
afterAll(async () => {
  await database.close();
  await testServer.close();
});

const page = { bucket: "deep", delimiter: "/", order: "asc", limit: 100 } as const;
test.each<[string, Walk]>([
  ["of folders, from the middle", { ...page, prefix: "shelf/", after: "shelf/01500/" }],
  ["of folders, backwards", { ...page, prefix: "shelf/", order: "desc" }],
  ["of loose files", { ...page, prefix: "loose/", after: "loose/20000" }],
  ["of every name", { ...page, prefix: "", delimiter: "", after: "shelf/02000/f" }],
  ["of the two folders at the top", { ...page, prefix: "" }],
  ["of what a search finds", { ...page, prefix: "loose/", search: "2999" }],
])("a page %s reads no more of the table than it shows", async (_, walk) => {
  const { blocks, rows } = await explain(walk);
  expect(rows).toBeGreaterThan(0);
  // A look into the index goes through three or four blocks, and the row is in another.
  expect(blocks).toBeLessThan(40 + rows * 12);
});

test("no page is sorted out of all that there is, however dear an index seems to the planner", async () => {
  const [name] = await testServer.query("select current_database() as name");
  await testServer.query(`alter database ${name?.name} set random_page_cost = 10000`);
  const fresh = connectDatabase({ url: testServer.databaseUrls.authenticator, max: 1 });
  try {
    const { blocks, rows } = await explain({ ...page, prefix: "", delimiter: "", after: "loose/1" }, fresh);
    expect(rows).toBe(100);
    expect(blocks).toBeLessThan(1_000);
  } finally {
    await fresh.close();
    await testServer.query(`alter database ${name?.name} reset random_page_cost`);
  }
});

test("no page waits for its statement to be compiled", async () => {
  const [name] = await testServer.query("select current_database() as name");
  await testServer.query(`alter database ${name?.name} set jit = on`);
  const fresh = connectDatabase({ url: testServer.databaseUrls.authenticator, max: 1 });
  const setting = { text: "select current_setting('jit') as jit", values: [] };
  expect(await fresh.query(setting.text)).toEqual([{ jit: "on" }]);
  expect(await runAs(fresh, asService(NOTHING), setting)).toEqual([{ jit: "off" }]);
  await fresh.close();
});

test("a page by time reads no more of the table than it shows", async () => {
  await files("deep").listV2({ limit: 1 });
  const before = await readTuples();
  const sortBy = { column: "created_at", order: "desc" } as const;
  const first = await files("deep").listV2({ limit: 50, sortBy });
  const second = await files("deep").listV2({ limit: 50, sortBy, cursor: first.data?.nextCursor ?? "" });
  expect(second.data?.objects[0]?.created_at).toBe("2026-01-21T19:10:00.000Z");
  await expect.poll(async () => (await readTuples()) - before).toBeGreaterThan(100);
  // What the tests before this one read may be counted only now.
  expect((await readTuples()) - before).toBeLessThan(OBJECTS / 10);
});

test("folders and files in turn are each shown once and in order, in pages of any size, both ways", async () => {
  const names = Array.from({ length: 120 }, (_, n) => {
    const stem = String(n).padStart(3, "0");
    return n % 7 === 3 || n > 100 ? `${stem}/a` : stem;
  });
  const also = ["003-", "003/b/c", "003/z", "003"];
  await testServer.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select 'mixed', name, gen_random_uuid()::text, '{}' from unnest($1::text[]) name`,
    [[...names, ...also]],
  );
  const entries = [...new Set([...names, ...also].map((name) => name.replace(/\/.*/, "/")))].sort();
  for (const order of ["asc", "desc"] as const) {
    const expected = order === "asc" ? entries : entries.toReversed();
    for (const limit of [1, 2, 9, 50, 1000]) {
      expect(await follow("mixed", limit, order), `${limit} ${order}`).toEqual(expected);
    }
    const paged: string[] = [];
    for (let offset = 0; offset < 140; offset += 20) {
      const sortBy = { column: "name", order };
      const { data } = await files("mixed").list("", { limit: 20, offset, sortBy });
      paged.push(...(data ?? []).map(({ name, id }) => (id === null ? `${name}/` : name)));
    }
    expect(paged).toEqual(expected);
  }
});

async function follow(bucket: string, limit: number, order: "asc" | "desc"): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const sortBy = { column: "name", order } as const;
    const { data } = await files(bucket).listV2({
      limit,
      sortBy,
      with_delimiter: true,
      ...(cursor && { cursor }),
    });
    const entries = [...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name);
    found.push(...entries.sort((a, b) => (order === "asc" ? 1 : -1) * (a < b ? -1 : 1)));
    if (!data?.hasNext) return found;
    cursor = data.nextCursor;
  }
}

/** What PostgreSQL does for a walk: blocks that it looked at, and rows that came of it. */
async function explain(walk: Walk, on: Database = database): Promise<{ blocks: number; rows: number }> {
  const explaining = {
    batch: ([settings, walking]: [Step, Step]) =>
      on.batch([settings, { ...walking, text: `explain (analyze, buffers, format json) ${walking.text}` }]),
  };
  const [row] = await walkNames(
    { database: explaining } as never as StorageService,
    asService(NOTHING),
    walk,
  );
  const [{ Plan: plan }] = JSON.parse(row?.["QUERY PLAN"] as string);
  return { blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], rows: plan["Actual Rows"] };
}

async function readTuples(): Promise<number> {
  const [row] = await testServer.query(
    "select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relid = 'storage.objects'::regclass",
  );
  return Number(row?.read);
}
