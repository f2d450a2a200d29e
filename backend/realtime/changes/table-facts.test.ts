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

/** Whether `anon` may read the table, asked a while after it was told that it may and lost the right. */
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

/** On the one connection they are answered one after the other. */
const afterOtherQueries = () => database.query("select 1");

test("after two seconds no right counts that was taken away", async () => {
  const isReadable = await askAfter(2_001);
  expect(await isReadable()).toBe(false);
});

test("a right that was taken away does not count for longer where the system's clock is set back", async () => {
  const isReadable = await askAfter(2_001);
  vi.setSystemTime(Date.now() - 900_000);
  expect(await isReadable()).toBe(false);
});

test("after one second rights are read again, without delaying anyone", async () => {
  const isReadable = await askAfter(1_001);
  expect(await isReadable()).toBe(true);
  await afterOtherQueries();
  expect(await isReadable()).toBe(false);
});

test("before that what is known is good enough", async () => {
  const isReadable = await askAfter(999);
  expect(await isReadable()).toBe(true);
  await afterOtherQueries();
  expect(await isReadable()).toBe(true);
});
