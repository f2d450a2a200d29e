import { postgresChangesFilter, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";
import { noteUse, readDocumentedOptions } from "./documented-options.ts";

const used = new Set<string>();
let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime();
  const { query } = testServer.owner;
  await query("create table buoys (id int primary key, name text, lit boolean, depth int)");
  await query("alter publication supabase_realtime add table buoys");
  await query(`create policy "Everyone is in the rooms" on realtime.messages to anon, authenticated
    using (realtime.topic() like 'room%') with check (realtime.topic() like 'room%')`);
});
afterAll(() => testServer.close());

type ClientOptions = Parameters<RealtimeTestServer["clientFor"]>[1];
const open = async (options?: ClientOptions): Promise<SupabaseClient["realtime"]> =>
  noteUse((await testServer.clientFor("Ana", options)).realtime, used);
const addBuoy = (id: number, name: string | null, lit: boolean | null, depth: number | null) =>
  testServer.owner.query("insert into buoys values ($1, $2, $3, $4)", [id, name, lit, depth].map(asText));
const asText = (value: unknown) => (value === null ? null : String(value));

test("a connection reports its state, sends heartbeats, takes a token, and logs what it does", async () => {
  const said: string[] = [];
  const beats: string[] = [];
  const realtime = await open({ realtime: { logger: (kind) => void said.push(kind), logLevel: "info" } });
  expect(realtime.endpointURL()).toContain("/realtime/v1/websocket");
  expect(realtime.endpointURL()).toContain("log_level=info");
  realtime.onHeartbeat((status) => beats.push(status));
  realtime.connect();
  expect([realtime.isConnecting(), realtime.connectionState()]).toEqual([true, "connecting"]);
  await expect.poll(() => realtime.isConnected()).toBe(true);
  await realtime.sendHeartbeat();
  await expect.poll(() => beats).toEqual(["sent", "ok"]);
  await realtime.setAuth(await testServer.tokenFor("Ana", { renewed: true }));
  realtime.push({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "77", join_ref: "77" });
  realtime.log("mine", "a line");
  expect([realtime.hasLogger(), said.includes("mine")]).toEqual([true, true]);
  await realtime.disconnect(1000, "enough");
  expect([realtime.isDisconnecting(), realtime.connectionState()]).toEqual([false, "closed"]);
});

test("channels are listed, and removed one by one or all together", async () => {
  const realtime = await open();
  const [one, two] = ["room one", "room two"].map((name) => realtime.channel(name));
  if (!one || !two) throw new Error("both are made");
  expect(await Promise.all([subscribe(one), subscribe(two)])).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
  expect(realtime.getChannels().map(({ topic }) => topic)).toEqual([
    "realtime:room one",
    "realtime:room two",
  ]);
  expect(await realtime.removeChannel(one)).toBe("ok");
  expect(realtime.getChannels()).toHaveLength(1);
  expect(await realtime.removeAllChannels()).toEqual(["ok"]);
  expect(realtime.getChannels()).toEqual([]);
});

test("a removed channel is joined again with a different config and listeners", async () => {
  const realtime = await open();
  const heard: unknown[] = [];
  const model = realtime.channel("room of models").on("broadcast", { event: "word" }, ({ payload }) => {
    heard.push(payload);
  });
  const channel = realtime.channel("room to copy");
  channel.copyBindings(model);
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  channel.updateJoinPayload({ config: { broadcast: { self: true } } });
  const other = (await open()).channel("room to copy");
  await subscribe(other);
  await other.send({ type: "broadcast", event: "word", payload: { n: 1 } });
  await expect.poll(() => heard).toEqual([{ n: 1 }]);
  expect(await channel.unsubscribe()).toBe("ok");
  channel.teardown();
  expect(channel.state).toBe("closed");
});

describe("a broadcast", () => {
  test("is acknowledged, echoed to its sender and replayed, by socket and by HTTP, as text and as bytes", async () => {
    const since = Date.now() - 1_000;
    const room = "room of words";
    const heard: unknown[] = [];
    const notices: string[] = [];
    const listen = (channel: RealtimeChannel) =>
      channel
        .on("broadcast", { event: "*" }, ({ event, payload, meta }) => {
          const content = payload instanceof ArrayBuffer ? [...new Uint8Array(payload)] : payload.n;
          heard.push([event, content, meta?.replayed ?? false]);
        })
        .on("system", {}, ({ message }) => notices.push(message));
    await testServer.owner.query(`select realtime.send('{"n": 1}', 'kept', '${room}', true)`);
    const config = {
      private: true,
      broadcast: { ack: true, self: true, replay: { since, limit: 5 }, replication_ready: true },
    };
    const channel = listen((await open()).channel(room, { config }));
    expect(await subscribe(channel)).toBe("SUBSCRIBED");
    await expect.poll(() => heard).toEqual([["kept", 1, true]]);
    expect(await channel.send({ type: "broadcast", event: "said", payload: { n: 2 } })).toBe("ok");
    const bytes = Uint8Array.of(1, 255).buffer;
    expect(await channel.send({ type: "broadcast", event: "raw", payload: bytes })).toBe("ok");
    expect(await channel.httpSend("sent", { n: 3 }, { timeout: 5_000 })).toEqual({ success: true });
    expect(await channel.httpSend("packed", bytes)).toEqual({ success: true });
    await expect
      .poll(() => heard.slice(1))
      .toEqual([
        ["said", 2, false],
        ["raw", [1, 255], false],
        ["sent", 3, false],
        ["packed", [1, 255], false],
      ]);
    expect(notices).toContain("Replication connection established");
  });

  test("that asks to be stored is refused, and reaches nobody", async () => {
    const heard: string[] = [];
    const config = { private: true, broadcast: { ack: true, self: true } };
    const channel = (await open()).channel("room to keep", { config });
    channel.on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
    await subscribe(channel);
    const kept = { type: "broadcast", event: "kept", payload: {}, persist: { ttl: 60 } } as const;
    expect(await channel.send(kept)).toMatch(/^PersistNotSupported: /);
    for (const persist of [true, { ttl: 60 }])
      await expect(channel.httpSend("kept", {}, { persist })).rejects.toThrow("PersistNotSupported");
    await channel.send({ type: "broadcast", event: "said", payload: {} });
    await expect.poll(() => heard).toEqual(["said"]);
  });
});

test("presence changes are delivered under the chosen key", async () => {
  const told: string[] = [];
  const config = { presence: { key: "Ana's boat", enabled: true } };
  const watcher = (await open()).channel("room of boats", { config: { presence: { enabled: true } } });
  watcher
    .on("presence", { event: "sync" }, () => void told.push("sync"))
    .on("presence", { event: "join" }, ({ key }) => void told.push(`join ${key}`))
    .on("presence", { event: "leave" }, ({ key }) => void told.push(`leave ${key}`));
  await subscribe(watcher);
  const boat = (await open()).channel("room of boats", { config });
  await subscribe(boat);
  expect(await boat.track({ at: "quay" }, { timeout: 5_000 })).toBe("ok");
  await expect.poll(() => watcher.presenceState()).toMatchObject({ "Ana's boat": [{ at: "quay" }] });
  expect(await boat.untrack({ timeout: 5_000 })).toBe("ok");
  await expect.poll(() => watcher.presenceState()).toEqual({});
  expect(told.filter((one) => one !== "sync")).toEqual(["join Ana's boat", "leave Ana's boat"]);
  expect(told).toContain("sync");
});

describe("changes of a table", () => {
  const filters: [string, (filter: ReturnType<typeof postgresChangesFilter>) => object, number[]][] = [
    ["eq", (it) => it.eq("name", 'a, "b"'), [1]],
    ["neq", (it) => it.neq("name", "Lee"), [1, 3]],
    ["gt and lt", (it) => it.gt("depth", 5).lt("depth", 15), [2]],
    ["gte and lte", (it) => it.gte("depth", 10).lte("depth", 20), [2, 3]],
    ["in", (it) => it.in("depth", [5, 20]), [1, 3]],
    ["like", (it) => it.like("name", "L%"), [2]],
    ["ilike", (it) => it.ilike("name", "l%"), [2, 3]],
    ["match", (it) => it.match("name", "^[Ll]e+$"), [2]],
    ["imatch", (it) => it.imatch("name", "^L"), [2, 3]],
    ["is null", (it) => it.is("name", null), [4]],
    ["is unknown", (it) => it.is("lit", "unknown"), [4]],
    ["is true", (it) => it.is("lit", true), [1, 3]],
    ["isDistinct", (it) => it.isDistinct("name", "Lee"), [1, 3, 4]],
    ["not in", (it) => it.not("depth", "in", [5, 20]), [2]],
    ["not is", (it) => it.not("name", "is", null), [1, 2, 3]],
    ["not ilike", (it) => it.not("name", "ilike", "l%"), [1]],
    ["no condition", (it) => it, [1, 2, 3, 4]],
  ];

  test("are delivered for each filter of the client's own builder", async () => {
    const realtime = await open();
    const found = new Map<string, number[]>(filters.map(([name]) => [name, []]));
    const notices: string[] = [];
    for (const [name, build] of filters) {
      const filter = noteUse(postgresChangesFilter(), used);
      build(filter);
      expect(filter.toString()).toBe(filter.build());
      const channel = realtime
        .channel(`buoys ${name}`, { config: { postgres_changes_options: { wait: true, timeout: 9_000 } } })
        .on(
          "postgres_changes",
          { event: "INSERT", schema: "public", table: "buoys", filter, select: ["id"] },
          ({ new: row }) => found.get(name)?.push(row.id),
        )
        .on("system", {}, ({ message }) => notices.push(message));
      expect(await subscribe(channel), name).toBe("SUBSCRIBED");
    }
    // "wait": changes are delivered from the moment the channel is joined.
    await addBuoy(1, 'a, "b"', true, 5);
    await addBuoy(2, "Lee", false, 10);
    await addBuoy(3, "luv", true, 20);
    await addBuoy(4, null, null, null);
    await expect
      .poll(() => Object.fromEntries(found), { timeout: 5_000 })
      .toEqual(Object.fromEntries(filters.map(([name, , ids]) => [name, ids])));
    expect(new Set(notices)).toEqual(new Set(["Subscribed to PostgreSQL"]));
  });

  test("that cannot be delivered make a join that waits for them fail", async () => {
    const wait = { config: { postgres_changes_options: { wait: true, timeout: 300 } } };
    const follow = async (table: string) => {
      const channel = (await open()).channel(`of ${table}`, wait);
      channel.on("postgres_changes", { event: "*", schema: "public", table }, () => {});
      return subscribe(channel);
    };
    expect(await follow("nowhere")).toMatch(/^CHANNEL_ERROR RealtimeDisabledForConfiguration: .*nowhere/);
    expect(await follow("buoys")).toBe("SUBSCRIBED");
  });

  test("that are delayed let a join that waits for them succeed once they arrive, or time out", async () => {
    const { query } = testServer.owner;
    const follow = async (name: string, timeout: number) => {
      const config = { postgres_changes_options: { wait: true, timeout } };
      const channel = (await open()).channel(name, { config });
      channel.on("postgres_changes", { event: "*", schema: "public", table: "buoys" }, () => {});
      return subscribe(channel);
    };
    const letIn = (isOpen: boolean) =>
      query("update pg_database set datallowconn = $1 where datname = current_database()", [String(isOpen)]);
    await letIn(false);
    await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'change feed' and datname = current_database()",
    );
    // Until the connection's end is noticed, the feed appears to be running.
    await expect
      .poll(() => follow("late", 300))
      .toMatch(/^CHANNEL_ERROR PostgresChangesSubscribeTimeout: Timed out after 300ms waiting/);
    const patient = follow("in time", 15_000);
    await letIn(true);
    expect(await patient).toBe("SUBSCRIBED");
  });
});

test("nothing that the installed client documents was left out", () => {
  // A string in the client's own worker looks like a method.
  const notMine = ["addEventListener", "addEventListener event"];
  const documented = readDocumentedOptions("@supabase/realtime-js", [
    "RealtimeChannel",
    "RealtimeClient",
    "RealtimePostgresFilterBuilder",
  ]).filter((one) => !notMine.includes(one));
  expect(documented.length).toBeGreaterThan(70);
  expect(documented.filter((one) => !used.has(one))).toEqual([]);
});
