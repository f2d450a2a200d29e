import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { type Backend, createBackend } from "./backend.ts";
import { connectDatabase } from "./postgres/database.ts";

const jwtSecret = "a secret of guests that is long enough";
let owner: ReturnType<typeof connectDatabase>;
let own: Awaited<ReturnType<typeof createTestDatabase>>;
let backend: Backend;
let keys: { anon: string; service_role: string; one: string; another: string };

beforeAll(async () => {
  own = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: own.url });
  // Each call holds its connection as long as the test holds the lock.
  for (const [name, lock] of [
    ["nap", 7],
    ["doze", 8],
  ])
    await owner.query(
      `create function public.${name}() returns void language sql as 'select pg_advisory_xact_lock_shared(${lock})'`,
    );
  await owner.query("create function public.glance() returns void language sql as ''");
  await owner.query("grant usage on schema public to anon, authenticated, service_role");
  const key = (claims: Record<string, unknown>) => signToken(claims, jwtSecret);
  const person = (sub: string) =>
    key({ role: "authenticated", sub, exp: Math.floor(Date.now() / 1000) + 3600 });
  keys = {
    anon: await key({ role: "anon" }),
    service_role: await key({ role: "service_role" }),
    one: await person("one"),
    another: await person("another"),
  };
  backend = await createBackend({
    databaseUrl: own.authenticatorUrl,
    databaseConnections: 3,
    jwtSecret,
    rest: { plan: true },
  });
});
afterAll(async () => {
  await backend.close();
  await owner.close();
  await own.drop();
});

const call = (name: "nap" | "doze" | "glance", who: keyof typeof keys, remoteAddress?: string) =>
  backend
    .handle({
      method: "POST",
      url: `/rest/v1/rpc/${name}`,
      headers: { apikey: keys[who] },
      body: null,
      remoteAddress,
    })
    .then(({ status }) => status);

test("a crowd of visitors leaves connections for clients with a token and for the site itself", async () => {
  const crowd = await owner.transaction(async (query) => {
    await query("select pg_advisory_xact_lock(7)");
    const napping = Array.from({ length: 4 }, () => call("nap", "anon", "192.0.2.1"));
    await expect.poll(countNapping).toBe(1);
    expect(await call("glance", "service_role", "192.0.2.2")).toBe(204);
    expect(await call("glance", "anon")).toBe(204);
    // Visitors get one connection, however many they are.
    expect(await countNapping()).toBe(1);
    return napping;
  });
  expect(await Promise.all(crowd)).toEqual([204, 204, 204, 204]);
});

test("a visitor's request for a plan is queued like any other", async () => {
  const crowd = await owner.transaction(async (query) => {
    await query("select pg_advisory_xact_lock(7)");
    const nap = call("nap", "anon", "192.0.2.1");
    await expect.poll(countNapping).toBe(1);
    const plan = backend.handle({
      method: "GET",
      url: "/rest/v1/rpc/glance",
      headers: { apikey: keys.anon, accept: "application/vnd.pgrst.plan+text" },
      body: null,
      remoteAddress: "192.0.2.1",
    });
    await expect.poll(() => backend.poolUse().waiting).toBe(1);
    return [nap, plan.then(({ status }) => status)];
  });
  expect(await Promise.all(crowd)).toEqual([204, 200]);
});

test("a network that holds the visitors' connection yields to visitors from other networks", async () => {
  const answered: string[] = [];
  const note = async (what: "nap" | "glance", from: string) => {
    expect(await call(what, "anon", from)).toBe(204);
    answered.push(what);
  };
  const crowd = await owner.transaction(async (query) => {
    await query("select pg_advisory_xact_lock(7)");
    const napping = Array.from({ length: 4 }, () => note("nap", "192.0.2.1"));
    await expect.poll(countNapping).toBe(1);
    const other = note("glance", "198.51.100.7");
    // This call came later and is answered, so all before it are queued.
    expect(await call("glance", "service_role", "192.0.2.2")).toBe(204);
    return [...napping, other];
  });
  await Promise.all(crowd);
  expect(answered).toEqual(["nap", "glance", "nap", "nap", "nap"]);
});

test("a signed-in user who holds the connections yields to other users", async () => {
  const database = connectDatabase({ url: own.url, max: 1 });
  const answered: string[] = [];
  const ask = async (person: string, text: string) => {
    await database.run([{ text, values: [] }], { person });
    answered.push(person);
  };
  const all = await owner.transaction(async (query) => {
    await query("select pg_advisory_xact_lock(7)");
    const one = Array.from({ length: 4 }, () => ask("one", "select public.nap()"));
    const all = [...one, ask("another", "select public.glance()")];
    expect(database.use().waiting).toBe(4);
    return all;
  });
  await Promise.all(all);
  expect(answered).toEqual(["one", "another", "one", "one", "one"]);
  await database.close();
});

test("a token that holds every connection with expensive queries yields to another token's read over rest", async () => {
  const all = await owner.transaction(async (holdDozes) => {
    await holdDozes("select pg_advisory_xact_lock(8)");
    const [costly, other] = await owner.transaction(async (holdNaps) => {
      await holdNaps("select pg_advisory_xact_lock(7)");
      const naps = Array.from({ length: 3 }, () => call("nap", "one"));
      await expect.poll(countNapping).toBe(3);
      const dozes = Array.from({ length: 5 }, () => call("doze", "one"));
      await expect.poll(() => backend.poolUse().waiting).toBe(5);
      const other = call("glance", "another");
      await expect.poll(() => backend.poolUse().waiting).toBe(6);
      return [[...naps, ...dozes], other] as const;
    });
    // The naps end. If the other call came after the five queued ones, they would hold every connection.
    expect(await other).toBe(204);
    return costly;
  });
  expect(await Promise.all(all)).toEqual(Array(8).fill(204));
});

async function countNapping(): Promise<number> {
  const [row] = await owner.query(
    `select count(*) from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return Number(row?.count);
}
