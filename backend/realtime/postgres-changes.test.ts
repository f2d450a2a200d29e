import type { RealtimePostgresChangesFilter, SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNTS, type AccountHolder } from "#tests/helpers/people.ts";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";

type Subscription = Partial<Omit<RealtimePostgresChangesFilter<"*">, "event">> & { event?: string };
type Seen = {
  commit_timestamp: string;
  eventType: string;
  new: Record<string, unknown>;
  old: Record<string, unknown>;
  errors: unknown;
};

let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime();
  const { query } = testServer.owner;
  await query(`create table boats (id int primary key, name text, owner uuid, secret text, size numeric,
    built date, afloat boolean default true, crew text[], log jsonb, seen_at timestamptz,
    flag bytea)`);
  await query("alter table boats enable row level security");
  await query(`create policy "Owners see their boats, everyone those without one" on boats for select
    using (owner is null or owner = (select auth.uid()))`);
  await query("revoke all on boats from anon, authenticated");
  await query(
    `grant select (id, name, owner, size, built, afloat, crew, log, seen_at, flag) on boats to anon, authenticated`,
  );
  await query("create table buoys (id int primary key, color text, place text)");
  await query("alter table buoys replica identity full");
  await query("create table hidden_coves (id int primary key)");
  await query("revoke all on hidden_coves from anon, authenticated");
  await query("create table driftwood (note text)");
  await query("alter table driftwood replica identity full");
  await query("alter publication supabase_realtime add table boats, buoys, hidden_coves, driftwood");
});
afterAll(() => testServer.close());

/** Subscribes to a table as a user. */
async function follow(who: AccountHolder | null, ...subscriptions: Subscription[]) {
  const client = await testServer.clientFor(who);
  const seen: Seen[] = [];
  const notices: string[] = [];
  const channel = client.channel(`room ${Math.random()}`);
  for (const subscription of subscriptions)
    channel.on(
      "postgres_changes",
      { event: "*", schema: "public", ...subscription } as never,
      (payload: Seen) => seen.push(payload),
    );
  channel.on("system", {}, ({ status, message }) => notices.push(`${status} ${message}`));
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  await expect.poll(() => notices.length).toBeGreaterThan(0);
  return { client, channel, seen, notices };
}

const ids = (seen: Seen[]) => seen.map(({ new: row, old }) => row.id ?? old.id);

test("a channel joined without a config follows what its topic names, as version 1 of the client does", async () => {
  const socket = new WebSocket(
    `${testServer.instance.url}/realtime/v1/websocket?apikey=${testServer.anonKey}&vsn=1.0.0`,
  );
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const heard: unknown[] = [];
  const replies: unknown[] = [];
  socket.addEventListener("message", ({ data }) => {
    const { topic, event, payload } = JSON.parse(String(data));
    const { status, message, schema, table, type, record, old_record, columns } = payload;
    const told = event === "system" ? [status, message] : [schema, table, type, record, old_record, columns];
    if (event === "phx_reply") replies.push(payload);
    else if (event !== "presence_state")
      heard.push([topic, event, ...told.filter((part) => part !== undefined)]);
  });
  const topics = [
    "realtime:public:buoys",
    "realtime:public:buoys:place=eq.10:30 east",
    "realtime:public",
    "realtime:*",
    "realtime:public:hidden_coves",
  ];
  for (const [ref, topic] of topics.entries()) {
    const payload = { user_token: testServer.anonKey };
    socket.send(JSON.stringify({ topic, event: "phx_join", payload, ref: String(ref) }));
  }
  await expect.poll(() => heard).toHaveLength(topics.length);
  const refused = expect.stringContaining("Role anon may not read the table");
  expect(heard.splice(0)).toEqual(
    topics.map((topic) =>
      topic.endsWith("coves")
        ? [topic, "system", "error", refused]
        : [topic, "system", "ok", "Subscribed to PostgreSQL"],
    ),
  );
  expect(replies.slice(0, 2)).toEqual(
    [{}, { filter: "place=eq.10:30 east" }].map((filter) => ({
      status: "ok",
      response: {
        postgres_changes: [{ schema: "public", table: "buoys", ...filter, id: expect.any(Number) }],
      },
    })),
  );
  const { query } = testServer.owner;
  await query("insert into buoys values (901, 'red', '10:30 east')");
  await query("update buoys set color = 'green' where id = 901");
  await query("insert into buoys values (902, 'red', 'north')");
  await query("delete from buoys where id = 902");
  const columns = ["id:int4", "color:text", "place:text"].map((column) => {
    const [name, type] = column.split(":");
    return { name, type };
  });
  const red = { id: 901, color: "red", place: "10:30 east" };
  const north = { id: 902, color: "red", place: "north" };
  const changes: [type: string, ...rows: object[]][] = [
    ["INSERT", red],
    ["UPDATE", { ...red, color: "green" }, red],
    ["INSERT", north],
    ["DELETE", north],
  ];
  const expected = topics
    .slice(0, -1)
    .flatMap((topic) =>
      changes
        .filter((_, at) => !topic.endsWith("east") || at < 2)
        .map(([type, ...rows]) => [topic, type, "public", "buoys", type, ...rows, columns]),
    );
  await expect.poll(() => heard).toHaveLength(expected.length);
  expect(heard).toEqual(expect.arrayContaining(expected));
  socket.close();
});

describe("a subscription is refused with its reason, and the channel stays open", () => {
  test.each<[string, Subscription, string]>([
    ["a table that is not published", { table: "profiles_of_nobody" }, "Please check Realtime is enabled"],
    [
      "a table of which the role may read nothing",
      { table: "hidden_coves" },
      "Role authenticated may not read",
    ],
    [
      "a column that is not there",
      { table: "boats", filter: "color=eq.red" },
      "invalid column for filter color",
    ],
    [
      "a column that the role may not read",
      { table: "boats", filter: "secret=eq.x" },
      "invalid column for filter secret",
    ],
    [
      "a value of another type",
      { table: "boats", filter: "id=eq.x" },
      "invalid input syntax for type integer",
    ],
    [
      "an operator that the type does not have",
      { table: "boats", filter: "id=like.1" },
      "operator does not exist",
    ],
    ["an unknown operator", { table: "boats", filter: "id=about.1" }, "Error parsing `filter` params"],
    ["a filter that is no text", { table: "boats", filter: 5 as never }, "the filter is no text"],
    ["a filter without a table", { filter: "id=eq.1" }, "a filter needs a schema and a table"],
  ])("%s", async (_, subscription, reason) => {
    const { notices, seen, channel } = await follow("Ana", subscription);
    expect(notices).toEqual([expect.stringMatching(/^error /)]);
    expect(notices[0]).toContain(reason);
    await testServer.owner.query("insert into hidden_coves values ((random() * 1e9)::int)");
    expect(seen).toEqual([]);
    await channel.unsubscribe();
  });
});

test("each row reaches only those whom row-level security allows to select it", async () => {
  const people = {
    visitor: await follow(null, { table: "boats" }),
    Ana: await follow("Ana", { table: "boats" }),
    Ben: await follow("Ben", { table: "boats" }),
  };
  await testServer.owner.query(`insert into boats (id, owner) values
    (1, null), (2, '${ACCOUNTS.Ana.id}'), (3, '${ACCOUNTS.Ben.id}'), (4, null)`);
  const idsOf = () => Object.values(people).map(({ seen }) => ids(seen));
  await expect.poll(idsOf).toEqual([
    [1, 4],
    [1, 2, 4],
    [1, 3, 4],
  ]);
  await testServer.owner.query(`update boats set owner = '${ACCOUNTS.Ben.id}' where id = 2`);
  await expect.poll(() => ids(people.Ben.seen)).toEqual([1, 3, 4, 2]);
  expect(ids(people.Ana.seen)).toEqual([1, 2, 4]);
});

test("a row is delivered with the readable columns only, formatted as by the REST service", async () => {
  const { seen, client } = await follow("Ana", { table: "boats", filter: "id=eq.10" });
  await testServer.owner.query(`insert into boats (id, name, secret, size, built, crew, log, seen_at, flag) values
    (10, 'Pequod', 'whale', 12.50, '1851-10-18', array['Ishmael', 'Queequeg, "Quee"', null], '{"a": [1, null]}',
      '2026-11-21 14:30:00.5+02', '\\x00ff')`);
  await expect.poll(() => seen.length).toBe(1);
  const { data } = await client
    .from("boats")
    .select("id, name, owner, size, built, afloat, crew, log, seen_at")
    .eq("id", 10)
    .single();
  // As the hosted service's feed, without the `\x` of rest/v1.
  expect(seen[0]?.new).toEqual({ ...data, flag: "00ff" });
  expect(seen[0]).toMatchObject({ eventType: "INSERT", schema: "public", table: "boats", errors: null });
});

test("a deleted row is delivered as its key if policies guard the table, else as logged", async () => {
  const boats = await follow("Ben", { table: "boats", event: "DELETE" });
  const guessing = await follow("Ben", { table: "boats", event: "DELETE", filter: "name=eq.Argo" });
  const buoys = await follow("Ben", { table: "buoys", filter: "color=eq.red" });
  await testServer.owner.query(
    `insert into boats (id, name, owner) values (20, 'Argo', '${ACCOUNTS.Ana.id}')`,
  );
  await testServer.owner.query("alter table boats replica identity full");
  await testServer.owner.query("delete from boats where id = 20");
  await testServer.owner.query("insert into buoys values (1, 'red', 'bay'), (2, 'green', 'bay')");
  await testServer.owner.query("update buoys set place = 'cape'");
  await testServer.owner.query("delete from buoys");
  await expect.poll(() => boats.seen.map(({ old }) => old)).toEqual([{ id: 20 }]);
  await expect
    .poll(() => buoys.seen.map(({ eventType, new: row, old }) => [eventType, row, old]))
    .toEqual([
      ["INSERT", { id: 1, color: "red", place: "bay" }, {}],
      ["UPDATE", { id: 1, color: "red", place: "cape" }, { id: 1, color: "red", place: "bay" }],
      ["DELETE", {}, { id: 1, color: "red", place: "cape" }],
    ]);
  expect(guessing.seen).toEqual([]);
  await testServer.owner.query("alter table boats replica identity default");
});

test.each([
  ["id=eq.32", [32]],
  ["id=neq.31", [32, 33, 34]],
  ["id=lt.32", [31]],
  ["id=lte.32,id=gt.31", [32]],
  ["size=gte.2.0", [32, 33]],
  ["id=in.(31,33)", [31, 33]],
  ["id=not.in.(31,33)", [32, 34]],
  ['name=in.("a, b",c)', [31, 33]],
  ["name=like.a%", [31]],
  ["name=is.null", [34]],
  ["name=not.is.null", [31, 32, 33]],
  ["afloat=eq.false", [33]],
  ["afloat=is.true", [31, 32, 34]],
  ["name=isdistinct.c", [31, 32, 34]],
  ["built=eq.2000-1-1", [31]],
])("filter %s lets through %j", async (filter, expected) => {
  const { seen, channel, notices } = await follow(null, { table: "boats", filter, event: "INSERT" });
  const last = await follow(null, { table: "boats", filter: "id=eq.35" });
  expect(notices).toEqual(["ok Subscribed to PostgreSQL"]);
  await testServer.owner.query("delete from boats where id > 30");
  await testServer.owner.query(`insert into boats (id, name, size, afloat, built) values
    (31, 'a, b', 1, true, '2000-01-01'), (32, 'B', 2.00, true, null), (33, 'c', 10, false, '2001-01-01'),
    (34, null, null, true, null)`);
  await testServer.owner.query("insert into boats (id, owner) values (35, null)");
  await expect.poll(() => ids(last.seen)).toContain(35);
  await expect.poll(() => ids(seen).filter((id) => id !== 35)).toEqual(expected);
  await channel.unsubscribe();
  await last.channel.unsubscribe();
});

test("wide subscriptions, several per channel, selected columns, and tables without a key", async () => {
  const { seen } = await follow(
    "Ana",
    { schema: "*", table: "*" },
    { table: "buoys", event: "INSERT" },
    { table: "driftwood" },
  );
  const chosen = await follow("Ana", { table: "buoys", select: ["color"] } as Subscription);
  await testServer.owner.query("insert into buoys values (50, 'blue', 'cape')");
  await testServer.owner.query("insert into driftwood values ('from afar')");
  // The wildcard subscription may also receive a change of the previous test.
  const own = () => seen.filter(({ new: row, errors }) => row.id === 50 || errors !== null);
  await expect.poll(() => own().length).toBe(4);
  expect(own().map(({ new: row, errors }) => [row.id, errors])).toEqual([
    [50, null],
    [50, null],
    [undefined, ["Error 400: Bad Request, no primary key"]],
    [undefined, ["Error 400: Bad Request, no primary key"]],
  ]);
  expect(chosen.seen.map((one) => one.new)).toEqual([{ id: 50, color: "blue" }]);
});

test("a row larger than 1 MiB is delivered as its key and an error", async () => {
  const { seen } = await follow("Ana", { table: "buoys", filter: "id=eq.60" });
  await testServer.owner.query("insert into buoys values (60, 'red', repeat('x', 1100000))");
  await expect
    .poll(() => seen.map(({ new: row, errors }) => [row, errors]))
    .toEqual([[{ id: 60, color: "red" }, ["Error 413: Payload Too Large"]]]);
});

describe("the chat", () => {
  const write = (client: SupabaseClient, message: string) =>
    client.from("chat_messages").insert({ message }).select("id").single().throwOnError();

  test("is received by signed-in users, not by visitors", async () => {
    const [visitor, ana, eve] = await Promise.all(
      ([null, "Ana", "Eve"] as const).map((who) => follow(who, { table: "chat_messages" })),
    );
    if (!visitor || !ana || !eve) throw new Error("all are here");
    const ben = await testServer.clientFor("Ben");
    const { data } = await write(ben, "ahoy");
    await write(ana.client, "ahoy too");
    await expect.poll(() => eve.seen.length).toBe(2);
    await ben.from("chat_messages").delete().eq("id", data?.id).throwOnError();
    const messages = (seen: Seen[]) => seen.map(({ eventType, new: row }) => row.message ?? eventType);
    await expect.poll(() => messages(eve.seen)).toEqual(["ahoy", "ahoy too", "DELETE"]);
    await expect.poll(() => messages(ana.seen)).toEqual(["ahoy", "ahoy too", "DELETE"]);
    expect(visitor.seen).toEqual([]);
    expect(eve.seen[2]?.old).toEqual({ id: data?.id });
  });

  test("delivers a row that was written while hidden with its current values only", async () => {
    const [ana, eve] = await Promise.all([
      follow("Ana", { table: "boats" }),
      follow("Eve", { table: "boats" }),
    ]);
    const { query } = testServer.owner;
    await query(`do $$ begin
      insert into boats (id, name, owner) values (40, 'a secret', '${ACCOUNTS.Ana.id}');
      update boats set name = 'Gull', owner = null where id = 40;
    end $$`);
    const names = (seen: Seen[]) => seen.map(({ eventType, new: row }) => `${eventType} ${row.name}`);
    await expect.poll(() => names(eve.seen)).toEqual(["INSERT Gull", "UPDATE Gull"]);
    await expect.poll(() => names(ana.seen)).toEqual(["INSERT Gull", "UPDATE Gull"]);
  });

  test("stops when a user signs out, and continues when a token is renewed", async () => {
    const [ana, eve] = await Promise.all(
      (["Ana", "Eve"] as const).map((who) => follow(who, { table: "chat_messages" })),
    );
    if (!ana || !eve) throw new Error("both are here");
    await ana.client.realtime.setAuth(testServer.anonKey);
    await expect.poll(() => ana.notices.at(-1)).toMatch(/^error .*Role anon may not read the table/);
    await eve.client.realtime.setAuth(await testServer.tokenFor("Eve", { renewed: true }));
    await expect.poll(() => eve.notices.length).toBe(2);
    await write(await testServer.clientFor("Ana"), "still there?");
    await expect.poll(() => eve.seen.map(({ new: row }) => row.message)).toEqual(["still there?"]);
    expect(ana.seen).toEqual([]);
  });

  test("loses no change that is being checked while a token is renewed, and delivers it to no one else", async () => {
    const { query } = testServer.owner;
    await query("create table slow_boats (id int primary key)");
    await query("alter table slow_boats enable row level security");
    await query(
      'create policy "Seen when the lock opens" on slow_boats using (pg_advisory_xact_lock_shared(7) is not null)',
    );
    await query("alter publication supabase_realtime add table slow_boats");
    const lock = new Client({ connectionString: testServer.testDatabase.url });
    await lock.connect();
    const [ana, eve] = await Promise.all(
      (["Ana", "Eve"] as const).map((who) => follow(who, { table: "slow_boats" })),
    );
    if (!ana || !eve) throw new Error("both are here");
    await lock.query("select pg_advisory_lock(7)");
    await query("insert into slow_boats values (1)");
    await expect
      .poll(() =>
        query("select from pg_stat_activity where application_name = 'realtime' and wait_event = 'advisory'"),
      )
      .toHaveLength(1);
    await ana.client.realtime.setAuth(await testServer.tokenFor("Ana", { renewed: true }));
    await eve.client.realtime.setAuth(await testServer.tokenFor("Ben"));
    await expect.poll(() => [ana.notices.length, eve.notices.length]).toEqual([2, 2]);
    expect([ana.seen, eve.seen]).toEqual([[], []]);
    await lock.end();
    await query("insert into slow_boats values (2)");
    await expect.poll(() => [ids(ana.seen), ids(eve.seen)]).toEqual([[1, 2], [2]]);
  });

  test("recovers when a token is renewed while the database is down", async () => {
    const client = await testServer.clientFor("Ana", { realtime: { reconnectAfterMs: () => 50 } });
    const statuses: string[] = [];
    const seen: unknown[] = [];
    client
      .channel("chat", { config: { private: true } })
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "chat_messages" }, (change) =>
        seen.push(change.new.message),
      )
      .subscribe((status) => void statuses.push(status));
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
    const { query } = testServer.owner;
    const limit = (count: number) =>
      query(
        `do $$ begin execute format('alter database %I connection limit ${count}', current_database()); end $$`,
      );
    await limit(0);
    await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'realtime' and datname = current_database()",
    );
    const subscription = {
      event: "INSERT",
      schema: "public",
      table: "chat_messages",
      filter: "user_id=is.null",
    };
    const another = client.channel("late").on("postgres_changes", subscription as never, () => {});
    expect(await subscribe(another)).toMatch(/^CHANNEL_ERROR UnableToConnectToProject/);
    await client.realtime.setAuth(await testServer.tokenFor("Ana", { renewed: true }));
    await expect.poll(() => statuses).toContain("CHANNEL_ERROR");
    await limit(-1);
    await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
    await write(await testServer.clientFor("Eve"), "all well");
    await expect.poll(() => seen).toEqual(["all well"]);
  });

  test("reports that changes may have been missed after losing its database connection, and continues", async () => {
    const { seen, notices, client } = await follow("Ana", { table: "chat_messages" });
    await write(client, "good day");
    await expect.poll(() => seen.map(({ new: row }) => row.message)).toEqual(["good day"]);
    const committedAt = seen[0]?.commit_timestamp;
    await testServer.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('change feed', 'realtime') and datname = current_database()",
    );
    await expect
      .poll(() => notices.slice(1))
      .toEqual([
        `error Changes may have been missed since ${committedAt}: read the tables again`,
        "ok Subscribed to PostgreSQL",
      ]);
    await write(client, "back again");
    await expect.poll(() => seen.map(({ new: row }) => row.message)).toEqual(["good day", "back again"]);
  });
});
