import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { relayDatabase } from "#tests/helpers/database-relay.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type Change, openChangeFeed } from "./change-feed.ts";

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
const seen: (Change | "gap")[] = [];
const feedTo = (publication: string, options: { url?: string; patience?: number } = {}) =>
  openChangeFeed({
    url: testDatabase.url,
    publications: [publication],
    onChange: (change) => seen.push(change),
    onGap: () => seen.push("gap"),
    ...options,
  });

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
  await database.query("create table ports (name text primary key)");
  await database.query("create publication port_changes for table ports");
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("a feed of a missing publication is refused with the reason", async () => {
  await expect(feedTo("no_changes")).rejects.toThrow("there is no publication no_changes");
});

test("a feed delivers each committed change once, nothing rolled back, and a gap after losing its connection", async () => {
  const feed = await feedTo("port_changes");
  await database.query("insert into ports values ('Port Royal')");
  await database.query("insert into ports select 1 / 0").catch(() => {});
  await database.query("update ports set name = 'Tortuga'");
  await database.query("delete from ports");
  const ports = { schema: "public", table: "ports" };
  const changes = ["INSERT", "UPDATE", "DELETE"].map((type) => ({ ...ports, type }));
  await expect.poll(() => seen.map(briefly)).toEqual(["gap", ...changes]);

  await loseConnection();
  await database.query("truncate ports");
  await expect.poll(() => briefly(seen.at(-1))).toEqual({ ...ports, type: "TRUNCATE" });

  await feed.close();
  await expect
    .poll(() =>
      database.query("select slot_name from pg_replication_slots where database = current_database()"),
    )
    .toEqual([]);
});

test("a feed keeps a quiet connection, and replaces one that fell silent", async () => {
  let heartbeats = 0;
  const relay = await relayDatabase(testDatabase.url, {
    // Each is a CopyData message of its own that contains a keepalive.
    received: (chunk) => (heartbeats += chunk[0] === 0x64 && chunk[5] === 0x6b ? 1 : 0),
  });
  const feed = await feedTo("port_changes", { url: relay.url, patience: 1_500 });
  await database.query("insert into ports values ('Petit-Goave')");
  await expect.poll(() => briefly(seen.at(-1))).toMatchObject({ type: "INSERT" });
  seen.length = heartbeats = 0;
  await expect.poll(() => heartbeats).toBeGreaterThan(1);
  expect(seen).toEqual([]);

  relay.fallSilent();
  await expect.poll(() => seen).toEqual(["gap"]);
  await database.query("delete from ports");
  await expect.poll(() => seen.slice(1).map(briefly)).toMatchObject([{ type: "DELETE" }]);
  await feed.close();
  await relay.close();
});

test("a feed's connection is probed while it waits for its slot, for which there is no question to ask", async () => {
  const probing = vi.spyOn(Socket.prototype, "setKeepAlive");
  const writer = new Client({ connectionString: testDatabase.url });
  await writer.connect();
  // A slot begins between transactions.
  await writer.query("begin; select pg_current_xact_id()");
  probing.mockClear();
  const opening = feedTo("port_changes");
  try {
    await expect
      .poll(() =>
        database.query(
          "select wait_event_type from pg_stat_activity where application_name = 'change feed' and query like 'CREATE_REPLICATION_SLOT%' and wait_event_type = 'Lock'",
        ),
      )
      .toHaveLength(1);
    const waiting = probing.mock.contexts.at(-1) as Socket | undefined;
    expect(waiting?.destroyed).toBe(false);
    expect(probing).toHaveBeenLastCalledWith(true, expect.any(Number));
  } finally {
    probing.mockRestore();
    await writer.query("rollback");
    await writer.end();
    await (await opening).close();
  }
});

test("a feed that loses its connection repeatedly leaks nothing", async () => {
  const feed = await feedTo("port_changes");
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  await loseConnection();
  const before = timers();
  for (let times = 0; times < 5; times++) await loseConnection();
  await expect.poll(timers).toBeLessThan(before + 3);
  await feed.close();
});

/** Terminates the feed's connection and waits until it has reconnected. */
async function loseConnection(): Promise<void> {
  const before = seen.length;
  const [ended] = await database.query(
    "select count(pg_terminate_backend(pid)) as count from pg_stat_activity where application_name = 'change feed' and datname = current_database()",
  );
  expect(Number(ended?.count)).toBeGreaterThan(0);
  await expect.poll(() => seen.slice(before)).toContain("gap");
}

function briefly(seen: Change | "gap" | undefined) {
  return typeof seen === "object" ? { schema: seen.schema, table: seen.table, type: seen.type } : seen;
}

test("a change is delivered only once others can read it", async () => {
  // A commit that waits for a standby is in the log, but not yet visible to others.
  await database.query("alter system set synchronous_standby_names = 'nobody'");
  await database.query("select pg_reload_conf()");
  const writer = new Client({ connectionString: testDatabase.url, application_name: "waiting writer" });
  await writer.connect();
  const feed = await feedTo("port_changes");
  seen.length = 0;
  try {
    await writer.query("set synchronous_commit = on");
    const writing = writer.query("insert into ports values ('Nassau')");
    await expect
      .poll(() =>
        database.query("select wait_event from pg_stat_activity where application_name = 'waiting writer'"),
      )
      .toEqual([{ wait_event: "SyncRep" }]);
    await wait(100);
    expect(seen).toEqual([]);
    await database.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'waiting writer'",
    );
    await writing;
    await expect.poll(() => seen).toMatchObject([{ type: "INSERT", row: { name: "Nassau" } }]);
  } finally {
    await database.query("alter system reset synchronous_standby_names");
    await database.query("select pg_reload_conf()");
    await writer.end();
    await feed.close();
  }
});

test("a change is not delivered if it is unknown whether others can read it; a gap is announced", async () => {
  const feed = await feedTo("port_changes");
  const allowConnections = (value: boolean) =>
    runOn(
      inject("testCluster").url,
      `alter database ${new URL(testDatabase.url).pathname.slice(1)} with allow_connections ${value}`,
    );
  await database.query("select 1");
  seen.length = 0;
  await allowConnections(false);
  try {
    await database.query("insert into ports values ('Havana')");
    await expect.poll(() => feed.isLive()).toBe(false);
  } finally {
    await allowConnections(true);
  }
  await expect.poll(() => seen).toEqual(["gap"]);
  await feed.close();
});
