import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase, type Database, type DatabaseOptions } from "./database.ts";

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Database;
const opened: Database[] = [];

beforeAll(async () => {
  own = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: own.url });
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await owner.close();
  await own.drop();
});

function open(options: Omit<DatabaseOptions, "url">): Database {
  const database = connectDatabase({ url: own.url, ...options });
  opened.push(database);
  return database;
}

const PID = { text: "select pg_backend_pid() as pid", values: [] };
const pidOf = async (database: Database) => (await database.batch([PID]))[0]?.pid;
async function countOpen(name: string): Promise<number> {
  const [row] = await owner.query("select count(*) from pg_stat_activity where application_name = $1", [
    name,
  ]);
  return Number(row?.count);
}

test("a connection is reused, closed after being idle for long, and reopened", async () => {
  const database = open({ applicationName: "idler", idleTime: 0.3 });
  const first = await pidOf(database);
  expect(await pidOf(database)).toBe(first);
  await expect.poll(() => countOpen("idler")).toBe(0);
  expect(database.use().available).toBe(database.use().max);
  expect(await pidOf(database)).not.toBe(first);
});

test("a connection is replaced at the end of its lifetime, even if it is never idle", async () => {
  const database = open({ lifetime: 0.3, max: 1 });
  const first = await pidOf(database);
  await expect.poll(() => pidOf(database)).not.toBe(first);
});
