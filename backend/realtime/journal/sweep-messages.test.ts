import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { sweepMessages } from "./sweep-messages.ts";

let testDatabase: TestDatabase;
let owner: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = connectDatabase({ url: testDatabase.url, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await testDatabase.drop();
});

test("messages older than three days are deleted, however many, and the others stay", async () => {
  await owner.query(`insert into realtime.messages (topic, extension, inserted_at)
    select 'room', 'broadcast', now() - interval '73 hours' from generate_series(1, 5001)
    union all select 'room', 'broadcast', now() - interval '71 hours'`);
  const database = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
  const lines: string[] = [];
  const stop = sweepMessages(database, (line) => lines.push(line));
  await expect.poll(() => lines).toEqual(["5001 messages older than three days were deleted"]);
  expect(await owner.query("select count(*) as left from realtime.messages")).toEqual([{ left: "1" }]);
  stop();
  await database.close();
});

test("a database that was not set up for messages is ignored without logging", async () => {
  await owner.query("drop schema realtime cascade");
  const database = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
  const lines: string[] = [];
  const stop = sweepMessages(database, (line) => lines.push(line));
  await database.query("select pg_sleep(0.1)");
  expect(lines).toEqual([]);
  stop();
  await database.close();
});
