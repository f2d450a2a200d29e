import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { relayDatabase } from "#tests/helpers/database-relay.ts";
import { listen } from "#tests/helpers/listen.ts";
import { connectDatabase, type Database, type Step } from "./database.ts";
import { listenWhenUp } from "./listen.ts";

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url, max: 1 });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function as(role: string, readOnly = "off"): Step {
  return {
    text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('transaction_read_only', $3, true)",
    values: [role, `{"role":"${role}"}`, readOnly],
  };
}

const whoAmI = "select current_user::text as role, current_setting('request.jwt.claims', true) as claims";
const prepared = "select count(*)::int as n from pg_prepared_statements";

/** Two updates of the same two rows, each in the other's order, once both have their first row. */
test("what is rolled back to end a deadlock runs once more", async () => {
  const two = connectDatabase({ url: testDatabase.url, max: 2 });
  await two.query("create table crossed (id text primary key, n integer not null default 0)");
  await two.query("insert into crossed values ('a'), ('b')");
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let runs = 0;
  const cross = (own: 0 | 1, rows: [string, string]) =>
    two.transaction(async (query) => {
      runs++;
      // What runs again must not meet the other one again.
      const [first, second] = runs > 2 ? (["a", "b"] as const) : rows;
      await query("set local deadlock_timeout = '10ms'");
      await query("update crossed set n = n + 1 where id = $1", [first]);
      both[own].resolve();
      await both[own === 0 ? 1 : 0].promise;
      await query("update crossed set n = n + 1 where id = $1", [second]);
    });
  await Promise.all([cross(0, ["a", "b"]), cross(1, ["b", "a"])]);
  expect(runs).toBe(3);
  expect(await two.query("select n from crossed")).toEqual([{ n: "2" }, { n: "2" }]);
  await two.close();
});

describe("a batch", () => {
  test("rejects with the server's error, and leaves no setting behind", async () => {
    const failing = database.batch([as("anon"), { text: "select $1::int", values: ["seven"] }]);
    await expect(failing).rejects.toMatchObject({ name: "DatabaseError", code: "22P02" });
    const [row] = await database.query(whoAmI);
    expect(row?.role).not.toBe("anon");
    expect(row?.claims ?? "").toBe("");
  });

  test("cannot write if its first step forbids it", async () => {
    const write = database.batch([
      as("service_role", "on"),
      { text: "create table forbidden ()", values: [] },
    ]);
    await expect(write).rejects.toMatchObject({ code: "25006" });
  });

  test("undoes all steps when the last one fails", async () => {
    await database.query("create table steps (n int)");
    const insert = { text: "insert into steps values ($1)", values: ["1"] };
    await expect(database.batch([insert, { text: "select 1 / 0", values: [] }])).rejects.toMatchObject({
      code: "22012",
    });
    expect(await database.query("select n from steps")).toEqual([]);
  });

  test("runs all steps in one transaction and returns the last one's rows, also the second time", async () => {
    const steps = [as("anon"), { text: whoAmI, values: [], planFor: "anon" }];
    const expected = [{ role: "anon", claims: '{"role":"anon"}' }];
    expect(await database.batch(steps)).toEqual(expected);
    expect(await database.batch(steps)).toEqual(expected);
  });

  test("returns the rows of every step if asked to, also the second time", async () => {
    const steps = [
      { text: "select n from generate_series(1, 2) as n", values: [] },
      { text: "create temporary table if not exists drawn (n int)", values: [] },
      { text: "insert into drawn values ($1) returning n as drawn", values: ["7"] },
      { text: "select from drawn where n = 8", values: [] },
    ];
    const expected = [[{ n: "1" }, { n: "2" }], [], [{ drawn: "7" }], []];
    expect(await database.run(steps)).toEqual(expected);
    expect(await database.transaction((_query, run) => run(steps))).toEqual(expected);
  });

  test("returns nulls, empty strings and non-ASCII text unchanged", async () => {
    const [row] = await database.query("select $1::text as a, $2::text as b, $3::text as c", [
      null,
      "",
      "🍎 'x' \\",
    ]);
    expect(row).toEqual({ a: null, b: "", c: "🍎 'x' \\" });
  });
});

describe("prepared statements", () => {
  test("stay bounded on a connection, however many distinct queries clients send", async () => {
    for (let i = 0; i < 900; i++) await database.query(`select ${i} as n`);
    const [row] = await database.query(prepared);
    expect(Number(row?.n)).toBeLessThan(400);
  });

  test("stay bounded in PostgreSQL's memory, however long the queries are", async () => {
    const withSubqueries = (count: number) => {
      const each = Array.from(
        { length: count },
        (_, i) => `(select relname from pg_class where oid = ${i}) as c${i}`,
      );
      return `select ${each}`;
    };
    for (let i = 0; i < 60; i++) await database.query(withSubqueries(140 - i));
    for (let i = 0; i < 20; i++) await database.query(withSubqueries(1_000 - i));
    const [row] = await database.query(
      "select sum(total_bytes)::int as bytes from pg_backend_memory_contexts where name like 'CachedPlan%'",
    );
    expect(Number(row?.bytes)).toBeLessThan(12 * 1024 * 1024);
  });

  test("that are huge close their connection, to release the memory it used", async () => {
    const backendOf = async (text: string) => (await database.query(text))[0]?.pid;
    const plain = "select pg_backend_pid() as pid";
    const first = await backendOf(plain);
    expect(await backendOf(plain)).toBe(first);
    expect(await backendOf(`${plain}, '${"x".repeat(9_000)}' as long`)).toBe(first);
    expect(await backendOf(plain)).not.toBe(first);
  });

  test("that failed to prepare do not accumulate", async () => {
    const [before] = await database.query(prepared);
    for (let i = 0; i < 20; i++) await database.query(`select ${i} / 0`).catch(() => {});
    const [after] = await database.query(prepared);
    expect(Number(after?.n)).toBeLessThanOrEqual(Number(before?.n) + 1);
  });

  test("survive a schema change", async () => {
    await database.query("create table fruits (name text)");
    await database.query("insert into fruits values ('Kitsune')");
    expect(await database.query("select * from fruits")).toEqual([{ name: "Kitsune" }]);
    await database.query("alter table fruits add column rarity text default 'mythical'");
    expect(await database.query("select * from fruits")).toEqual([{ name: "Kitsune", rarity: "mythical" }]);
  });

  test("are prepared again after being discarded", async () => {
    await database.query("select 'again' as word");
    await database.query("deallocate all");
    expect(await database.query("select 'again' as word")).toEqual([{ word: "again" }]);
  });
});

describe("a lost connection", () => {
  test("is reported as such, and the next request gets a new one", async () => {
    const killed = database.query("select pg_terminate_backend(pg_backend_pid())");
    await expect(killed).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "connection" });
    expect(await database.query("select 1 as ok")).toEqual([{ ok: "1" }]);
  });

  test("is reported if no server is there", async () => {
    const nowhere = connectDatabase({ url: "postgres://nobody@127.0.0.1:1/none" });
    await expect(nowhere.query("select 1")).rejects.toMatchObject({ reason: "connection" });
    await nowhere.close();
  });

  test("is not reported for a busy pool", async () => {
    const small = connectDatabase({ url: testDatabase.url, max: 1, acquireTimeout: 600 });
    // Opened in advance: on a busy machine, connecting takes long as well.
    await small.query("select 1");
    const slow = small.query("select pg_sleep(1.2)");
    await expect(small.query("select 1")).rejects.toMatchObject({ reason: "pool" });
    await slow;
    await small.close();
  });
});

test("a listener gets payloads, and null after it had to reconnect", async () => {
  const payloads: (string | null)[] = [];
  const subscription = await database.listen("news", (payload) => payloads.push(payload));
  await database.query("select pg_notify('news', 'first')");
  await expect.poll(() => payloads).toEqual(["first"]);
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'news listener'",
  );
  await expect.poll(() => payloads).toEqual(["first", null]);
  await database.query("select pg_notify('news', 'second')");
  await expect.poll(() => payloads).toEqual(["first", null, "second"]);
  await subscription.close();
});

test("a connection that does not answer in time is closed, and the next statement gets another", async () => {
  const relay = await relayDatabase(testDatabase.url);
  const relayed = connectDatabase({ url: relay.url, max: 1, answerTimeout: 1_000 });
  await relayed.query("select 1");
  relay.fallSilent();
  await expect(relayed.query("select 'late' as word")).rejects.toMatchObject({ reason: "connection" });
  expect(await relayed.query("select 'next' as word")).toEqual([{ word: "next" }]);
  await relayed.close();
  await relay.close();
});

test("a listener whose connection fell silent reconnects, and can be closed meanwhile", async () => {
  const relay = await relayDatabase(testDatabase.url);
  const relayed = connectDatabase({ url: relay.url, acquireTimeout: 1_000 });
  const heard: (string | null)[] = [];
  const subscription = await relayed.listen("news", (payload) => heard.push(payload));
  relay.fallSilent();
  await expect.poll(() => heard[0]).toBe(null);
  // A busy machine may make it reconnect once more, and a notification meanwhile is lost.
  const notified = async () => {
    await database.query("select pg_notify('news', 'again')");
    return heard;
  };
  await expect.poll(notified).toContain("again");
  relay.fallSilent();
  await subscription.close();
  await relayed.close();
  await relay.close();
});

test("a listener that cannot connect at first listens once it can", async () => {
  const limitConnections = (limit: number) =>
    database.query(
      `do $$ begin execute format('alter database %I connection limit ${limit}', current_database()); end $$`,
    );
  await limitConnections(0);
  const refused = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
  const heard: (string | null)[] = [];
  const hear = (payload: string | null) => void heard.push(payload);
  const notifications = listenWhenUp(refused, "news", hear, () => hear("listens"));
  notifications.ensure();
  await notifications.listens();
  expect(heard).toEqual([]);
  await limitConnections(-1);
  await expect.poll(() => heard).toEqual(["listens"]);
  await notifications.close();
  await refused.close();
});

test("a listener gives up on a database that accepts its connection and never answers", async () => {
  const taken = new Set<Socket>();
  const silent = await listen(createServer((socket) => void taken.add(socket.on("error", () => {}))));
  const patient = connectDatabase({
    url: `postgres://nobody@127.0.0.1:${silent.port}/x`,
    acquireTimeout: 200,
  });
  await expect(patient.listen("news", () => {})).rejects.toMatchObject({ reason: "connection" });
  expect(taken.size).toBe(1);
  await patient.close();
  for (const socket of taken) socket.destroy();
  await silent.close();
});

describe("a transaction", () => {
  test("fails once after a table was altered, not for the lifetime of its connection", async () => {
    await database.query("create table widened (a int)");
    const read = () => database.transaction((query) => query("select * from widened"));
    await read();
    await database.query("alter table widened add b int");
    await expect(read()).rejects.toMatchObject({ code: "0A000" });
    expect(await read()).toEqual([]);
    await database.query("drop table widened");
  });

  test("rolls back when it rejects, passes the error on, and frees its connection", async () => {
    const { database: single, close } = await onOneConnection();
    await single.query("create table notes (text text)");
    const failure = new Error("changed my mind");
    await expect(
      single.transaction(async (query) => {
        await query("insert into notes values ('lost')");
        throw failure;
      }),
    ).rejects.toBe(failure);
    await expect(single.transaction((query) => query("select 1 / 0"))).rejects.toMatchObject({
      code: "22012",
    });
    expect(await single.query("select * from notes")).toEqual([]);
    await close();
  });

  test("lets one statement depend on another, and commits", async () => {
    const { database: single, close } = await onOneConnection();
    await single.query("create table notes (text text)");
    const given = await single.transaction(async (query) => {
      const [row] = await query("insert into notes values ($1) returning text", ["kept"]);
      await query("update notes set text = $1", [`${row?.text} twice`]);
      return row?.text;
    });
    expect(given).toBe("kept");
    expect(await single.query("select * from notes")).toEqual([{ text: "kept twice" }]);
    await close();
  });

  async function onOneConnection() {
    const { url, drop } = await createTestDatabase({ empty: true });
    const single = connectDatabase({ url, max: 1 });
    return {
      database: single,
      close: async () => {
        await single.close();
        await drop();
      },
    };
  }
});
