import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { toIdentity } from "#backend/tokens/identity.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import type { Change } from "../change-feed.ts";
import { readChangeSpec } from "./change-spec.ts";
import { ChangeSubscriptions, type Subscriber } from "./change-subscriptions.ts";
import { createDeliver } from "./deliver-changes.ts";
import { createFactsReader } from "./table-facts.ts";

let testDatabase: TestDatabase;
let owner: Database;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = connectDatabase({ url: testDatabase.url, max: 1 });
  database = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.close();
  await testDatabase.drop();
});

/** Whom the database was asked for, of those who follow a table with this policy, and how many were told. */
async function deliverTo(people: [role: string, sub: string][], policy: string) {
  await owner.query("drop table if exists signals");
  await owner.query("create table signals (id int primary key, owner text)");
  await owner.query("alter table signals enable row level security");
  await owner.query(`create policy "Some" on signals using (${policy})`);
  await owner.query("insert into signals values (1, 'ana')");
  const [row] = await owner.query("select 'signals'::regclass::oid as oid");
  const relation = { oid: Number(row?.oid), schema: "public", name: "signals" };

  const subscriptions = new ChangeSubscriptions();
  const told: string[] = [];
  for (const [role, sub] of people) {
    const subscriber: Subscriber = {
      identity: toIdentity(role, { sub }),
      topic: "realtime:room",
      version: "2.0.0",
      send: () => told.push(sub),
      tell: () => {},
    };
    subscriptions.set(subscriber, [
      { spec: readChangeSpec({ event: "*", schema: "public", table: "signals" }), conditions: [] },
    ]);
  }
  const asked: string[] = [];
  const watched: Database = {
    ...database,
    batch: (steps, options) => {
      const [step] = steps;
      if (step?.text.includes("judge_") && step.values[0]) asked.push(...JSON.parse(step.values[0]));
      return database.batch(steps, options);
    },
  };
  const readFacts = createFactsReader(database);
  // Made once: the first call of a session finds no function yet.
  const change: Change = {
    schema: "public",
    table: "signals",
    type: "INSERT",
    relation,
    committedAt: 0,
    row: { id: "1", owner: "ana" },
    oldRow: null,
  };
  const deliver = createDeliver({ database: watched, readFacts, subscriptions, isOwn: () => true });
  // The first call of a session finds no function to ask, and is made twice.
  await deliver([change], (work) => work());
  asked.length = 0;
  told.length = 0;
  await deliver([change], (work) => work());
  return { asked, told };
}

const CROWD: [string, string][] = [
  ["authenticated", "ana"],
  ["authenticated", "ben"],
  ["authenticated", "eve"],
  ["anon", "visitor"],
];

test("a policy that does not look at who asks is asked once for each role, however many follow", async () => {
  const { asked, told } = await deliverTo(CROWD, "owner = 'ana'");
  expect(asked).toEqual(["authenticated", "anon"]);
  expect(told).toEqual(["ana", "ben", "eve", "visitor"]);
});

test("one that does is asked for each person, in one query", async () => {
  const { asked, told } = await deliverTo(CROWD, "owner = (select auth.jwt() ->> 'sub')");
  expect(asked).toEqual(["authenticated", "authenticated", "authenticated", "anon"]);
  expect(told).toEqual(["ana"]);
});
