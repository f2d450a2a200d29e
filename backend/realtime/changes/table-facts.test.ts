import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import type { Relation } from "../feed/change-feed.ts";
import { createFactsReader } from "./table-facts.ts";

let testDatabase: TestDatabase;
let database: Database;
let relation: Relation;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  database = connectDatabase({ url: testDatabase.url, max: 1 });
  await database.query("create table boats (id int)");
  const [row] = await database.query("select 'boats'::regclass::oid as oid");
  relation = { oid: Number(row?.oid), schema: "public", name: "boats" };
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Caches that `anon` may read the table, revokes it and lets time pass; returns a check of what is then in effect. */
async function askAfter(milliseconds: number) {
  await database.query("grant select on boats to anon");
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const readFacts = createFactsReader(database);
  const isReadable = async () => (await readFacts(relation, ["anon"]))?.readable.get("anon")?.has("id");
  expect(await isReadable()).toBe(true);
  await database.query("revoke select on boats from anon");
  vi.advanceTimersByTime(milliseconds);
  return isReadable;
}

/** Resolves once earlier queries on the only connection have finished. */
const afterOtherQueries = () => database.query("select 1");

test("after two seconds a revoked right no longer counts", async () => {
  const isReadable = await askAfter(2_001);
  expect(await isReadable()).toBe(false);
});

test("a revoked right does not count for longer when the system clock is set back", async () => {
  const isReadable = await askAfter(2_001);
  vi.setSystemTime(Date.now() - 900_000);
  expect(await isReadable()).toBe(false);
});

test("after one second rights are refreshed without delaying anyone", async () => {
  const isReadable = await askAfter(1_001);
  expect(await isReadable()).toBe(true);
  await afterOtherQueries();
  expect(await isReadable()).toBe(false);
});

test("before that, cached rights are used", async () => {
  const isReadable = await askAfter(999);
  expect(await isReadable()).toBe(true);
  await afterOtherQueries();
  expect(await isReadable()).toBe(true);
});
