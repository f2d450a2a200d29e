import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { type DatabaseRelay, relayDatabase } from "#tests/helpers/database-relay.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { connectDatabase, type Database, type Row } from "./database.ts";

/*
 * One connection, through a relay that counts how many batches are sent on it and not yet answered.
 */
const SYNC = Buffer.from("S\0\0\0\x04", "latin1");
const READY = Buffer.from("Z\0\0\0\x05", "latin1");
const people = Array.from({ length: 6 }, (_, index) => `person ${index}`);

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let relay: DatabaseRelay;
let database: Database;
let inFlight = 0;
let mostInFlight = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await runOn(
    testDatabase.url,
    "create table notes as select n as id, 'person ' || n as owner from generate_series(0, 5) n",
  );
  relay = await relayDatabase(testDatabase.url, {
    sent(chunk) {
      inFlight += count(chunk, SYNC);
      mostInFlight = Math.max(mostInFlight, inFlight);
    },
    received(chunk) {
      inFlight -= count(chunk, READY);
    },
  });
  database = connectDatabase({ url: relay.url, max: 1 });
  // The login's own messages are not counted.
  await database.query("select 1");
  inFlight = 0;
});

afterAll(async () => {
  await database.close();
  await relay.close();
  await testDatabase.drop();
});

const count = (chunk: Buffer, message: Buffer) =>
  chunk.toString("latin1").split(message.toString("latin1")).length - 1;

/** Everyone asks for their own note at once; each must get only that. */
async function readOwn(options: { readOnly: boolean }, idOf = (person: string) => person.slice(-1)) {
  mostInFlight = 0;
  return Promise.allSettled(
    people.map((person) =>
      database.batch(
        [
          { text: "select set_config('app.person', $1, true)", values: [person] },
          {
            text: "select owner, current_setting('app.person') as person from notes where id = $1::int",
            values: [idOf(person)],
          },
        ],
        { person, ...options },
      ),
    ),
  );
}

const own = people.map((person) => ({ status: "fulfilled", value: [{ owner: person, person }] }));

/** Reads until they share the connection, which they do once they are known to be short. */
async function readUntilShared() {
  do expect(await readOwn({ readOnly: true })).toEqual(own);
  while (mostInFlight < 2);
}

test("short reads are sent on a busy connection before the ones ahead are answered, each as its own caller", async () => {
  await readUntilShared();
  expect(mostInFlight).toBeLessThanOrEqual(people.length);
});

test("what may write has the connection to itself", async () => {
  await readUntilShared();
  expect(await readOwn({ readOnly: false })).toEqual(own);
  expect(mostInFlight).toBe(1);
});

test("one that fails does not affect those sent before and after it", async () => {
  await readUntilShared();
  const failing = (person: string) => (person === "person 2" ? "two" : person.slice(-1));
  let settled: PromiseSettledResult<Row[]>[];
  do settled = await readOwn({ readOnly: true }, failing);
  while (mostInFlight < 2);
  expect(settled[2]).toMatchObject({ status: "rejected", reason: { code: "22P02" } });
  expect(settled.toSpliced(2, 1)).toEqual(own.toSpliced(2, 1));
});

test("a lost connection fails those that were sent, and the next ones get another", async () => {
  await readUntilShared();
  const asked = readOwn({ readOnly: true });
  relay.cut();
  for (const result of await asked)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ reason: "connection" });
  expect(await readOwn({ readOnly: true })).toEqual(own);
});
