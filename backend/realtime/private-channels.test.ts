import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";

const PRIVATE = { config: { private: true, broadcast: { ack: true }, presence: { enabled: true } } };
const NO_RIGHT = "CHANNEL_ERROR Unauthorized: You do not have permissions to read from this Channel topic: ";
let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime();
  await testServer.owner.query(`
    create policy "Everyone hears the room" on realtime.messages for select to anon, authenticated
      using ((select realtime.topic()) = 'room')`);
  await testServer.owner.query(`
    create policy "Ana speaks in the room" on realtime.messages for insert to authenticated
      with check (extension = 'broadcast' and (select realtime.topic()) = 'room'
        and (select auth.uid()) = '${ACCOUNTS.Ana.id}')`);
});
afterAll(() => testServer.close());

describe("a private channel", () => {
  test("refuses users whom no policy allows to read", async () => {
    const ana = await testServer.clientFor("Ana");
    expect(await subscribe(ana.channel("cellar", PRIVATE))).toBe(`${NO_RIGHT}cellar`);
    const visitor = await testServer.clientFor(null);
    expect(await subscribe(visitor.channel("chat", PRIVATE))).toBe(`${NO_RIGHT}chat`);
  });

  test("accepts no message from users whom no policy allows to write, by socket or by HTTP", async () => {
    const heard: unknown[] = [];
    const ana = (await testServer.clientFor("Ana")).channel("room", PRIVATE);
    ana.on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    const ben = (await testServer.clientFor("Ben")).channel("room", PRIVATE);
    expect([await subscribe(ana), await subscribe(ben)]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    expect(await ben.send({ type: "broadcast", event: "word", payload: { from: "Ben" } })).toBe("error");
    await expect(ben.httpSend("word", { from: "Ben by HTTP" })).rejects.toThrow("Unauthorized");
    expect(await ben.track({ name: "Ben" })).toBe("error");
    await (await testServer.clientFor("Ana")).channel("room", PRIVATE).httpSend("word", { from: "Ana" });
    await expect.poll(() => heard).toEqual([{ from: "Ana" }]);
  });

  test("is separate from the public channel of the same name", async () => {
    const heard: unknown[] = [];
    const inside = (await testServer.clientFor("Ben")).channel("room", PRIVATE);
    inside.on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    const outside = (await testServer.clientFor(null)).channel("room", {
      config: { broadcast: { ack: true, self: true } },
    });
    outside.on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    expect([await subscribe(inside), await subscribe(outside)]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    expect(await outside.send({ type: "broadcast", event: "word", payload: { to: "the public" } })).toBe(
      "ok",
    );
    await expect.poll(() => heard).toEqual([{ to: "the public" }]);
  });

  test("is closed with the reason when a new token may not read it", async () => {
    const ana = await testServer.clientFor("Ana");
    const notices: { message: string }[] = [];
    const statuses: string[] = [];
    const channel = ana.channel("chat", PRIVATE).on("system", {}, (message) => notices.push(message));
    await new Promise((resolve) =>
      channel.subscribe((status) => {
        statuses.push(status);
        resolve(status);
      }),
    );
    await ana.realtime.setAuth(testServer.anonKey);
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CLOSED"]);
    expect(notices.at(-1)).toMatchObject({
      extension: "system",
      status: "error",
      message: expect.stringContaining("You do not have permissions to read from this Channel topic: chat"),
    });
  });
});

test("a member that gains the right to presence gets who is present, and then who comes and goes", async () => {
  await testServer.owner.query(`
    create policy "Everyone hears the deck" on realtime.messages for select to anon, authenticated
      using ((select realtime.topic()) = 'deck' and (extension = 'broadcast' or (select auth.uid()) is not null))`);
  await testServer.owner.query(`
    create policy "People are seen on deck" on realtime.messages for insert to authenticated
      with check ((select realtime.topic()) = 'deck' and extension = 'presence')`);
  const join = async (who: "Ben" | "Eve" | null) => {
    const client = await testServer.clientFor(who);
    const channel = client.channel("deck", PRIVATE);
    expect(await subscribe(channel)).toBe("SUBSCRIBED");
    return { client, channel };
  };
  const ben = await join("Ben");
  expect(await ben.channel.track({ name: "Ben" })).toBe("ok");
  const member = await join(null);
  const names = () =>
    Object.values(member.channel.presenceState<{ name: string }>()).flatMap((metas) =>
      metas.map(({ name }) => name),
    );
  await member.client.realtime.setAuth(await testServer.tokenFor("Ana"));
  await expect.poll(names).toEqual(["Ben"]);
  const eve = await join("Eve");
  await eve.channel.track({ name: "Eve" });
  await expect.poll(() => names().sort()).toEqual(["Ben", "Eve"]);
});

describe("with private channels only", () => {
  const REFUSED = "PrivateOnly: This project only allows private channels";

  test("public channels cannot be joined, whether for broadcasts, presence or table changes", async () => {
    const instance = await testServer.openInstance({ privateOnly: true });
    const visitor = await testServer.clientFor(null, { instance });
    const room = visitor.channel("our-secret-room", { config: { presence: { enabled: true } } });
    const following = visitor
      .channel("items")
      .on("postgres_changes", { event: "*", schema: "public", table: "items" }, () => {});
    for (const channel of [room, following])
      expect(await subscribe(channel)).toBe(`CHANNEL_ERROR ${REFUSED}`);
    expect(await subscribe(visitor.channel("room", PRIVATE))).toBe("SUBSCRIBED");
  });

  test("HTTP broadcasts to public channels are refused, together with all others in the batch", async () => {
    const instance = await testServer.openInstance({ privateOnly: true });
    const heard: unknown[] = [];
    const ana = await testServer.clientFor("Ana", { instance });
    const inside = ana.channel("room", PRIVATE);
    inside.on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
    expect(await subscribe(inside)).toBe("SUBSCRIBED");
    await expect(ana.channel("our-secret-room").httpSend("word", {})).rejects.toThrow(REFUSED);
    const token = await testServer.tokenFor("Ana");
    const post = async (messages: object[]) => {
      const answer = await fetch(`${instance.url}/realtime/v1/api/broadcast`, {
        method: "POST",
        headers: { apikey: testServer.anonKey, authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages }),
      });
      return `${answer.status} ${await answer.text()}`;
    };
    const good = { topic: "room", event: "beside", payload: {}, private: true };
    const bad = { topic: "our-secret-room", event: "word", payload: {} };
    expect(await post([good, bad])).toBe(`403 ${JSON.stringify({ error: REFUSED, message: REFUSED })}`);
    expect(await post([{ ...good, event: "alone" }])).toBe("202 ");
    await expect.poll(() => heard).toEqual(["alone"]);
  });
});

test("the site's read-only channels carry changes to the intended users, and no client messages", async () => {
  const [visitor, ana, eve] = await Promise.all(
    ([null, "Ana", "Eve"] as const).map((who) => testServer.clientFor(who)),
  );
  if (!visitor || !ana || !eve) throw new Error("all three are there");
  const heard: unknown[] = [];
  const follow = (client: typeof visitor, name: string) =>
    client
      .channel(name, PRIVATE)
      .on("postgres_changes", { event: "*", schema: "public", table: "categories" }, () => heard.push(name));
  const [open, admins] = [follow(visitor, "catalogue"), follow(eve, "admin-1")];
  expect([await subscribe(open), await subscribe(admins)]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
  expect(await subscribe(ana.channel("admin-2", PRIVATE))).toBe(`${NO_RIGHT}admin-2`);
  for (const channel of [open, admins]) {
    expect(await channel.send({ type: "broadcast", event: "word", payload: {} })).toBe("error");
    expect(await channel.track({ name: "here" })).toBe("error");
  }
  await testServer.owner.query(
    "update public.categories set name = name where id = (select min(id::text)::uuid from public.categories)",
  );
  await expect.poll(() => heard.sort()).toEqual(["admin-1", "catalogue"]);
});

test("signed-in users see each other in the chat by their ids, and can send no payloads past its rules", async () => {
  const idsIn = (channel: { presenceState(): object }) => Object.keys(channel.presenceState()).sort();
  const join = async (who: "Ana" | "Ben", key: string) => {
    const presence = { enabled: true, key };
    const channel = (await testServer.clientFor(who)).channel("chat", {
      config: { ...PRIVATE.config, presence },
    });
    channel.on("presence", { event: "sync" }, () => {});
    expect(await subscribe(channel)).toBe("SUBSCRIBED");
    expect(await channel.track({})).toBe("ok");
    return channel;
  };
  const [ana, ben] = await Promise.all([join("Ana", ACCOUNTS.Ana.id), join("Ben", "call me at 555 0100")]);
  const both = [ACCOUNTS.Ana.id, ACCOUNTS.Ben.id].sort();
  await expect.poll(() => [idsIn(ana), idsIn(ben)]).toEqual([both, both]);
  expect(await ben.track({ note: "call me at 555 0100" })).toBe("error");
  expect(await ana.send({ type: "broadcast", event: "word", payload: {} })).toBe("error");
  expect(Object.values(ana.presenceState()).flat()).toEqual(
    both.map(() => ({ presence_ref: expect.any(String) })),
  );
  await ben.untrack();
  await expect.poll(() => idsIn(ana)).toEqual([ACCOUNTS.Ana.id]);
});
