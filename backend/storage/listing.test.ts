import { escapeLiteral } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database, type Row, type Step } from "#backend/postgres/database.ts";
import { toIdentity } from "#backend/tokens/identity.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";
import { type Actor, asService, runAs } from "./database/run-as.ts";
import { listLevelByTime, pageAllByTime } from "./objects/list-by-time.ts";
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
  const { blocks, rows } = await explain((service, actor) => walkNames(service, actor, walk));
  expect(rows).toBeGreaterThan(0);
  // An index lookup reads three or four blocks, and the row is in another.
  expect(blocks).toBeLessThan(40 + rows * 12);
});

test("a page of loose files is read at once, not by looking up each file", async () => {
  const { blocks, rows } = await explain((service, actor) =>
    walkNames(service, actor, { ...page, prefix: "loose/", after: "loose/20000" }),
  );
  expect(rows).toBe(100);
  expect(blocks).toBeLessThan(40 + rows * 3);
});

test("no page is produced by sorting all rows, however expensive an index looks to the planner", async () => {
  const [name] = await testServer.query("select current_database() as name");
  await testServer.query(`alter database ${name?.name} set random_page_cost = 10000`);
  const fresh = connectDatabase({ url: testServer.databaseUrls.authenticator, max: 1 });
  try {
    const { blocks, rows } = await explain(
      (service, actor) => walkNames(service, actor, { ...page, prefix: "", delimiter: "", after: "loose/1" }),
      fresh,
    );
    expect(rows).toBe(100);
    expect(blocks).toBeLessThan(1_000);
  } finally {
    await fresh.close();
    await testServer.query(`alter database ${name?.name} reset random_page_cost`);
  }
});

test("no page waits for JIT compilation", async () => {
  const [name] = await testServer.query("select current_database() as name");
  await testServer.query(`alter database ${name?.name} set jit = on`);
  const fresh = connectDatabase({ url: testServer.databaseUrls.authenticator, max: 1 });
  const setting = { text: "select current_setting('jit') as jit", values: [] };
  expect(await fresh.query(setting.text)).toEqual([{ jit: "on" }]);
  expect(await runAs(fresh, asService(NOTHING), setting)).toEqual([{ jit: "off" }]);
  await fresh.close();
});

test("a page is planned once for all parameters, other statements as PostgreSQL decides", async () => {
  const setting = { text: "select current_setting('plan_cache_mode') as mode", values: [] };
  const list = await runAs(database, asService(NOTHING), { ...setting, byIndex: true });
  const other = await runAs(database, asService(NOTHING), setting);
  expect([...list, ...other]).toEqual([{ mode: "force_generic_plan" }, { mode: "auto" }]);
});

test("a page by time reads no more of the table than it shows", async () => {
  const sortBy = { column: "created_at", order: "desc" } as const;
  const first = await files("deep").listV2({ limit: 50, sortBy });
  const second = await files("deep").listV2({ limit: 50, sortBy, cursor: first.data?.nextCursor ?? "" });
  expect(second.data?.objects[0]?.created_at).toBe("2026-01-21T19:10:00.000Z");
  const time = { bucket: "deep", column: "created_at", order: "desc", limit: 50, after: null } as const;
  const all = await explain((service, actor) => pageAllByTime(service, actor, { ...time, prefix: "" }));
  expect(all.blocks).toBeLessThan(1_000);
  // Ten objects, older than most.
  const narrow = await explain((service, actor) =>
    pageAllByTime(service, actor, { ...time, prefix: "shelf/00050/" }),
  );
  expect(narrow.blocks).toBeLessThan(1_000);
  // A level with one folder, which contains all objects.
  const level = await explain((service, actor) =>
    listLevelByTime(service, actor, { ...time, prefix: "", foldersFirst: false }),
  );
  expect(level.blocks).toBeLessThan(1_000);
});

test("a search by time that finds many passes the others in the index", async () => {
  const time = { bucket: "deep", column: "created_at", order: "asc", limit: 50, after: null } as const;
  const list = { ...time, prefix: "loose/", search: "2", foldersFirst: true };
  const { blocks, rows } = await explain((service, actor) => listLevelByTime(service, actor, list));
  expect(rows).toBe(50);
  expect(blocks).toBeLessThan(600);
  const sortBy = { column: "created_at", order: "desc" };
  const { data } = await files("deep").list("loose", { search: "2", limit: 3, sortBy });
  expect(data?.map(({ name }) => name)).toEqual(["29999", "29998", "29997"]);
});

test("a later page by time reads no more for a caller with policies", async () => {
  await testServer.query(
    `create policy "sees deep" on storage.objects for select to authenticated
       using (bucket_id = 'deep' and current_setting('request.jwt.claims')::jsonb ->> 'sees' = 'deep')`,
  );
  const caller = { ...NOTHING, identity: toIdentity("authenticated", { sees: "deep" }) };
  const time = { bucket: "deep", column: "created_at", order: "asc", limit: 50 } as const;
  const after = { name: "shelf/02000/f", value: "2026-01-14 21:00:00+00" };
  const pages = [
    (service: StorageService) => pageAllByTime(service, caller, { ...time, prefix: "", after }),
    (service: StorageService) =>
      listLevelByTime(service, caller, { ...time, prefix: "loose/", foldersFirst: true, after: null }),
    (service: StorageService) =>
      listLevelByTime(service, caller, {
        ...time,
        column: "last_accessed_at",
        prefix: "loose/",
        foldersFirst: true,
        after: { name: "loose/00001", value: "2026-01-01 00:00:00+00" },
      }),
    // Two folders, with 30,000 files each.
    (service: StorageService) =>
      listLevelByTime(service, caller, { ...time, prefix: "", foldersFirst: true, after: null }),
  ];
  for (const page of pages) {
    const { blocks, rows } = await explain(page);
    expect(rows).toBeGreaterThan(1);
    expect(blocks).toBeLessThan(1_000);
  }
});

test("folders of one file are read at once, by name and by time", async () => {
  await testServer.query("insert into storage.buckets (id, name) values ('single', 'single')");
  await testServer.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select 'single', n || '/file', gen_random_uuid()::text, '{}' from generate_series(1, 3000) n`,
  );
  const single = { ...page, bucket: "single", prefix: "" };
  const time = { ...single, column: "created_at", after: null, foldersFirst: true } as const;
  for (const read of [
    (service: StorageService, actor: Actor) => walkNames(service, actor, single),
    (service: StorageService, actor: Actor) => listLevelByTime(service, actor, time),
  ]) {
    const { blocks, rows } = await explain(read);
    expect(rows).toBe(100);
    expect(blocks).toBeLessThan(rows * 3);
  }
});

test("mixed folders and files are each listed once and in order, with any page size, in both directions", async () => {
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

test("a page far in continues where the previous one ended, whatever is removed in between", async () => {
  const list = async (offset: number, limit = 1000) =>
    (await files("deep").list("loose", { limit, offset })).data?.map(({ name }) => name) ?? [];
  const first = await list(0);
  await list(100, 100);
  await files("deep").remove(Array.from({ length: 10 }, (_, n) => `loose/0001${n}`));
  expect([first[0], first.length]).toEqual(["00001", 1000]);
  expect((await list(200, 100))[0]).toBe("00201");
  expect((await list(1000))[0]).toBe("01001");
  expect((await list(2000))[0]).toBe("02001");
  const { data } = await testServer.as("Ana").from("deep").list("loose", { limit: 1000, offset: 1000 });
  expect(data).toEqual([]);
});

test.each([
  ["updated_at", "asc"],
  ["created_at", "desc"],
] as const)("a level by %s %s is the same whether it is sorted or walked", async (column, order) => {
  // 2,000 entries are above the limit for sorting, half of them below it.
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + ((n * 7919) % 5000) * 1000).toISOString();
  const fill = (bucket: string, count: number) =>
    testServer.query(
      `insert into storage.objects (bucket_id, name, version, metadata, created_at, updated_at)
       select $1, name, gen_random_uuid()::text, '{}', at::timestamptz, at::timestamptz
       from jsonb_to_recordset($2) as object (name text, at text)`,
      [
        bucket,
        JSON.stringify(
          Array.from({ length: count }, (_, n) => ({ name: `${n}${n % 10 === 0 ? "/a" : ""}`, at: at(n) })),
        ),
      ],
    );
  const sortBy = { column, order };
  for (const [bucket, count] of [
    ["few", 1000],
    ["many", 2000],
  ] as const) {
    const name = `${bucket} ${column}`;
    await testServer.query("insert into storage.buckets (id, name) values ($1, $1)", [name]);
    await fill(name, count);
    const names = Array.from({ length: count }, (_, n) => n);
    const folders = names
      .filter((n) => n % 10 === 0)
      .map(String)
      .sort();
    const objects = names
      .filter((n) => n % 10 !== 0)
      .sort((a, b) => at(a).localeCompare(at(b)) || (String(a) < String(b) ? -1 : 1));
    const inOrder = (list: (string | number)[]) => (order === "asc" ? list : list.toReversed()).map(String);
    const shown: string[] = [];
    for (let offset = 0; offset < count; offset += 500) {
      const { data } = await files(name).list("", { limit: 500, offset, sortBy });
      shown.push(...(data ?? []).map((entry) => entry.name));
    }
    expect(shown).toEqual([...inOrder(folders), ...inOrder(objects.map(String))]);
    const paged: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data } = await files(name).listV2({
        limit: 300,
        sortBy,
        with_delimiter: true,
        ...(cursor && { cursor }),
      });
      const parts = [
        (data?.folders ?? []).map((folder) => folder.name.slice(0, -1)),
        (data?.objects ?? []).map((object) => object.name),
      ];
      const [folderNames = [], objectNames = []] = parts;
      // A response lists folders and objects separately.
      paged.push(...(order === "asc" ? [...folderNames, ...objectNames] : [...objectNames, ...folderNames]));
      if (!data?.hasNext) break;
      cursor = data.nextCursor;
    }
    const all = [...inOrder(folders), ...inOrder(objects.map(String))];
    expect(paged).toEqual(order === "asc" ? all : [...inOrder(objects.map(String)), ...inOrder(folders)]);
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

/** The cost of a list in PostgreSQL, by the plan for any parameters that a connection keeps: blocks read and rows returned. */
async function explain(
  list: (service: StorageService, actor: Actor) => Promise<Row[]>,
  on: Database = database,
): Promise<{ blocks: number; rows: number }> {
  const generic = { text: "select set_config('plan_cache_mode', 'force_generic_plan', true)", values: [] };
  const explaining = {
    batch: async ([settings, { text, values }]: [Step, Step]) => {
      const name = `listing_${prepared++}`;
      const literals = values.map((value) => (value === null ? "null" : escapeLiteral(value)));
      const steps = [
        `prepare ${name} as ${text}`,
        `explain (analyze, buffers, format json) execute ${name}(${literals})`,
      ];
      return on.batch([generic, settings, ...steps.map((step) => ({ text: step, values: [] }))]);
    },
  };
  const [row] = await list({ database: explaining } as never as StorageService, asService(NOTHING));
  const [{ Plan: plan }] = JSON.parse(row?.["QUERY PLAN"] as string);
  return { blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], rows: plan["Actual Rows"] };
}

let prepared = 0;
