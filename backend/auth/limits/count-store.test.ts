import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createDatabaseStore, createMemoryStore } from "./count-store.ts";

const MINUTE = 60_000;
let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = connectDatabase({ url: own.authUrl, max: 1 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

test.each([
  ["in the database", createDatabaseStore],
  ["in memory", createMemoryStore],
])(
  "a counter %s counts until its end, but not for a day after a clock that was ahead is set back",
  async (_, open) => {
    const store = open(database);
    const end = Date.now() + 5 * MINUTE;
    const count = async (until: number) =>
      (await store.count([{ name: "one", end: until }], [])).counts.get("one");
    expect(await count(end)).toEqual({ points: 1, end });
    expect(await count(end + MINUTE)).toEqual({ points: 2, end });
    // What another machine made whose clock is a little ahead.
    expect(await count(end - 10 * MINUTE)).toEqual({ points: 3, end });
    await store.count([{ name: "two", end: end + 24 * 60 * MINUTE }], []);
    const { counts } = await store.count([{ name: "two", end }], []);
    expect(counts.get("two")).toEqual({ points: 1, end });
  },
);
