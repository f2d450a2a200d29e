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
const NAP = { text: "select pg_advisory_xact_lock_shared(7)", values: [] };

/** Holds up who naps for as long as the work goes on. */
function withNappers<T>(work: () => Promise<T>): Promise<T> {
  return owner.transaction(async (query) => {
    await query("select pg_advisory_xact_lock(7)");
    return work();
  });
}

async function countOpen(name: string): Promise<number> {
  const [row] = await owner.query("select count(*) from pg_stat_activity where application_name = $1", [
    name,
  ]);
  return Number(row?.count);
}

test("a connection is used again, closed when nobody used it for long, and opened anew", async () => {
  const database = open({ applicationName: "idler", idleTime: 0.3 });
  const first = await pidOf(database);
  expect(await pidOf(database)).toBe(first);
  await expect.poll(() => countOpen("idler")).toBe(0);
  expect(database.use().available).toBe(database.use().max);
  expect(await pidOf(database)).not.toBe(first);
});

test("one that lives for too long is replaced, also where it is never unused", async () => {
  const database = open({ lifetime: 0.3, max: 1 });
  const first = await pidOf(database);
  await expect.poll(() => pidOf(database)).not.toBe(first);
});

test("guests wait while as many as may are inside, others go past them, and nobody waits for ever", async () => {
  const database = open({ applicationName: "door", max: 2, guests: 1, acquireTimeout: 2_000 });
  const guest = { guest: true };
  await pidOf(database);
  const { inside } = await withNappers(async () => {
    const inside = database.batch([NAP], guest);
    const refused = [database.batch([NAP], guest), database.batch([PID], guest)].map((waiting) =>
      expect(waiting).rejects.toMatchObject({ name: "DatabaseUnavailableError", reason: "pool" }),
    );
    expect(database.use()).toMatchObject({ available: 1, waiting: 2 });
    expect(await pidOf(database)).toBeDefined();
    await Promise.all(refused);
    return { inside };
  });
  await inside;
  expect(database.use()).toMatchObject({ available: 2, waiting: 0, timeouts: 2 });
  expect(await database.batch([PID], guest)).toHaveLength(1);
});

test("closing waits for what is under way, and refuses whoever waits or comes later", async () => {
  const database = connectDatabase({ url: own.url, max: 1, applicationName: "closing" });
  const closed = await withNappers(async () => {
    const underWay = database.batch([NAP]);
    const waiting = database.batch([PID]);
    const closing = database.close();
    await expect(waiting).rejects.toMatchObject({ reason: "connection" });
    await expect(database.batch([PID])).rejects.toMatchObject({ reason: "connection" });
    return { underWay, closing };
  });
  expect(await closed.underWay).toHaveLength(1);
  await closed.closing;
  await expect.poll(() => countOpen("closing")).toBe(0);
});
