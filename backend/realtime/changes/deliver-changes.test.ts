import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { toIdentity } from "#backend/tokens/identity.ts";
import { createTestDatabase, GRANT_NEW_TABLES, type TestDatabase } from "#tests/helpers/database.ts";
import type { Change } from "../feed/change-feed.ts";
import { readChangeSpec } from "./change-spec.ts";
import { createDeliver } from "./deliver-changes.ts";
import { createMatch, type SettledCondition } from "./filter-matcher.ts";
import { createPatternBudget } from "./match-patterns.ts";
import { type Subscriber, SubscriptionRegistry } from "./subscription-registry.ts";
import { createFactsReader } from "./table-facts.ts";

let testDatabase: TestDatabase;
let owner: Database;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = connectDatabase({ url: testDatabase.url, max: 1 });
  await owner.query(GRANT_NEW_TABLES);
  database = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.close();
  await testDatabase.drop();
});

/**
 * Delivers a change to subscribers of a table with this policy; returns the roles checked and the recipients. Each of
 * `tokens` replaces the one before while the check runs: the subscriber's index and its new account. `another` policy is
 * created beside it.
 */
async function deliverTo(
  people: [role: string, sub: string][],
  policy: string,
  tokens: [at: number, sub: string][] = [],
  another?: string,
) {
  await owner.query("drop table if exists signals");
  await owner.query("create table signals (id int primary key, owner text)");
  await owner.query("alter table signals enable row level security");
  await owner.query(`create policy "Some" on signals using (${policy})`);
  if (another) await owner.query(another);
  await owner.query("insert into signals values (1, 'ana')");
  const [row] = await owner.query("select 'signals'::regclass::oid as oid");
  const relation = { oid: Number(row?.oid), schema: "public", name: "signals" };

  const registry = new SubscriptionRegistry();
  const delivered: string[] = [];
  const subscribers: Subscriber[] = [];
  const subscriptions = [
    { spec: readChangeSpec({ event: "*", schema: "public", table: "signals" }), conditions: [] },
  ];
  for (const [role, sub] of people) {
    const subscriber: Subscriber = {
      identity: toIdentity(role, { sub }),
      person: "a visitor",
      topic: "realtime:room",
      version: "2.0.0",
      send: () => delivered.push(sub),
      sendSystem: () => {},
    };
    subscribers.push(subscriber);
    registry.set(subscriber, subscriptions);
  }
  const asked: string[] = [];
  let isRepeated = false;
  const watched: Database = {
    ...database,
    batch: (steps, options) => {
      const [step] = steps;
      if (step?.text.includes("select pg_temp.judge_")) {
        const [role, claims] = step.values as string[];
        for (const _ of JSON.parse(claims ?? "")) asked.push(role ?? "");
        for (const [at, sub] of isRepeated ? tokens : []) {
          const subscriber = subscribers[at] as Subscriber;
          subscriber.identity = toIdentity(subscriber.identity.role, { sub });
          registry.set(subscriber, subscriptions);
        }
      }
      return database.batch(steps, options);
    },
  };
  const readFacts = createFactsReader(database);
  const change: Change = {
    schema: "public",
    table: "signals",
    type: "INSERT",
    relation,
    committedAt: 0,
    position: 0n,
    row: { id: "1", owner: "ana" },
    oldRow: null,
  };
  const deliver = createDeliver({
    database: watched,
    readFacts,
    registry,
    budget: createPatternBudget(),
    isOwn: () => true,
  });
  // The session's first call finds no judge function yet and is repeated, so it is not counted.
  await deliver([change], (work) => work());
  isRepeated = true;
  asked.length = 0;
  delivered.length = 0;
  await deliver([change], (work) => work());
  return { asked, delivered };
}

const CROWD: [string, string][] = [
  ["authenticated", "ana"],
  ["authenticated", "ben"],
  ["authenticated", "eve"],
  ["anon", "visitor"],
];

test("a policy that does not depend on the user is checked once per role, however many subscribe", async () => {
  const { asked, delivered } = await deliverTo(CROWD, "owner = 'ana'");
  expect(asked).toEqual(["authenticated", "anon"]);
  expect(delivered).toEqual(["ana", "ben", "eve", "visitor"]);
});

test("a policy that shows every row to a role needs no check, unless another one restricts it", async () => {
  expect(await deliverTo(CROWD, "true")).toEqual({ asked: [], delivered: ["ana", "ben", "eve", "visitor"] });
  const restricting = `create policy "Restricts" on signals as restrictive to anon using (owner = 'nobody')`;
  const restricted = await deliverTo(CROWD, "true", [], restricting);
  expect(restricted).toEqual({ asked: ["anon"], delivered: ["ana", "ben", "eve"] });
  const opening = 'create policy "All" on signals to anon using (true)';
  const another = await deliverTo(CROWD, "owner = 'nobody'", [], opening);
  expect(another).toEqual({ asked: ["authenticated"], delivered: ["visitor"] });
});

test("a policy that does is checked for each user, in one query per role", async () => {
  const { asked, delivered } = await deliverTo(CROWD, "owner = (select auth.jwt() ->> 'sub')");
  expect(asked).toEqual(["authenticated", "authenticated", "authenticated", "anon"]);
  expect(delivered).toEqual(["ana"]);
});

test("who renews a token while the check runs, even twice, is told; who becomes someone else is not", async () => {
  const { delivered } = await deliverTo(
    [
      ["authenticated", "ana"],
      ["authenticated", "ana"],
    ],
    "owner = (select auth.jwt() ->> 'sub')",
    [
      [0, "ana"],
      [0, "ana"],
      [1, "ben"],
    ],
  );
  expect(delivered).toEqual(["ana"]);
});

test.each(["owner = (select auth.jwt() ->> 'sub')", "owner = 'ana'"])(
  "the only subscriber, who renews a token while the check of %s runs, is told",
  async (policy) => {
    const { delivered } = await deliverTo([["authenticated", "ana"]], policy, [[0, "ana"]]);
    expect(delivered).toEqual(["ana"]);
  },
);

test("comparisons are made several thousand at a time, so that others have a turn in between", async () => {
  const conditions = Array.from({ length: 3_000 }, (_, at): SettledCondition => {
    const condition = { column: "id", operator: "gt", negated: false, value: String(at) } as const;
    return { ...condition, sqlType: "integer", isPlain: false, pattern: null };
  });
  const rows = [{ id: "5" }, { id: "2999" }];
  const sizes: number[] = [];
  const watched: Database = {
    ...database,
    batch: (steps, options) => {
      sizes.push(JSON.parse(steps.at(-1)?.values[0] ?? "").length);
      return database.batch(steps, options);
    },
  };
  const matcher = await createMatch(watched, conditions, rows, new Map());
  expect(sizes).toEqual([5_000, 1_000]);
  const met = rows.map((row) => conditions.filter((condition) => matcher.match(condition, row)).length);
  expect(met).toEqual([5, 2_999]);
});

test("what a row contained while hidden is never delivered, nor can a filter guess it", async () => {
  await owner.query("drop table if exists signals");
  await owner.query("create table signals (id int primary key, shown boolean, place text, secret text)");
  await owner.query("alter table signals enable row level security");
  await owner.query(`create policy "Shown" on signals using (shown)`);
  await owner.query("insert into signals values (1, true, 'bay', null), (2, true, 'bay', 'x')");
  const [row] = await owner.query("select 'signals'::regclass::oid as oid");
  const relation = { oid: Number(row?.oid), schema: "public", name: "signals" };
  const registry = new SubscriptionRegistry();
  const delivered: Record<string, unknown[]> = {};
  for (const filter of ["", "place=eq.bay", "secret=eq.x"]) {
    const records: unknown[] = [];
    delivered[filter] = records;
    const spec = readChangeSpec({ event: "*", schema: "public", table: "signals", filter });
    const conditions = spec.conditions.map((one) => ({
      ...one,
      sqlType: "text",
      isPlain: true,
      pattern: null,
    }));
    const subscriber: Subscriber = {
      identity: toIdentity("authenticated", { sub: filter }),
      person: "a visitor",
      topic: "realtime:room",
      version: "2.0.0",
      send: ({ data }) => records.push(JSON.parse(Buffer.from(data).toString())[4].data.record),
      sendSystem: () => {},
    };
    registry.set(subscriber, [{ spec, conditions }]);
  }
  const changeOf = (id: string, shown: string): Change => ({
    ...{
      schema: "public",
      table: "signals",
      type: "INSERT",
      relation,
      committedAt: 0,
      position: 0n,
      oldRow: null,
    },
    row: { id, shown, place: "bay", secret: "x" },
  });
  const readFacts = createFactsReader(database);
  const deliver = createDeliver({
    database,
    readFacts,
    registry,
    budget: createPatternBudget(),
    isOwn: () => true,
  });
  await deliver([changeOf("1", "f"), changeOf("2", "t"), changeOf("3", "t")], (work) => work());
  const [now, asWritten] = [
    { id: 1, shown: true, place: "bay", secret: null },
    { id: 2, shown: true, place: "bay", secret: "x" },
  ];
  expect(delivered).toEqual({
    "": [now, asWritten],
    "place=eq.bay": [now, asWritten],
    "secret=eq.x": [asWritten],
  });
});
