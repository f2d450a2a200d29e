import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import {
  openRealtimeHarbour,
  type RealtimeHarbour,
  subscribe,
} from "#tests/helpers/realtime/realtime-harbour.ts";

const PRIVATE = { config: { private: true, broadcast: { ack: true }, presence: { enabled: true } } };
const NO_RIGHT = "CHANNEL_ERROR Unauthorized: You do not have permissions to read from this Channel topic: ";
let harbour: RealtimeHarbour;

beforeAll(async () => {
  harbour = await openRealtimeHarbour();
  await harbour.owner.query(`
    create policy "Everyone hears the harbour" on realtime.messages for select to anon, authenticated
      using ((select realtime.topic()) = 'harbour')`);
  await harbour.owner.query(`
    create policy "Ana speaks in the harbour" on realtime.messages for insert to authenticated
      with check (extension = 'broadcast' and (select realtime.topic()) = 'harbour'
        and (select auth.uid()) = '${ACCOUNTS.Ana.id}')`);
});
afterAll(() => harbour.close());

describe("a private channel", () => {
  test("lets nobody in whom no policy lets read", async () => {
    const ana = await harbour.clientFor("Ana");
    expect(await subscribe(ana.channel("cellar", PRIVATE))).toBe(`${NO_RIGHT}cellar`);
    const visitor = await harbour.clientFor(null);
    expect(await subscribe(visitor.channel("chat", PRIVATE))).toBe(`${NO_RIGHT}chat`);
  });

  test("lets nobody speak whom no policy lets write, by socket or by HTTP", async () => {
    const heard: unknown[] = [];
    const ana = (await harbour.clientFor("Ana")).channel("harbour", PRIVATE);
    ana.on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    const ben = (await harbour.clientFor("Ben")).channel("harbour", PRIVATE);
    expect([await subscribe(ana), await subscribe(ben)]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    expect(await ben.send({ type: "broadcast", event: "word", payload: { from: "Ben" } })).toBe("error");
    await ben.httpSend("word", { from: "Ben by HTTP" });
    expect(await ben.track({ name: "Ben" })).toBe("error");
    await (await harbour.clientFor("Ana")).channel("harbour", PRIVATE).httpSend("word", { from: "Ana" });
    await expect.poll(() => heard).toEqual([{ from: "Ana" }]);
  });

  test("is another room than the public channel of its name", async () => {
    const heard: unknown[] = [];
    const inside = (await harbour.clientFor("Ben")).channel("harbour", PRIVATE);
    inside.on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    const outside = (await harbour.clientFor(null)).channel("harbour", {
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
    const ana = await harbour.clientFor("Ana");
    const told: { message: string }[] = [];
    const statuses: string[] = [];
    const channel = ana.channel("chat", PRIVATE).on("system", {}, (message) => told.push(message));
    await new Promise((resolve) =>
      channel.subscribe((status) => {
        statuses.push(status);
        resolve(status);
      }),
    );
    await ana.realtime.setAuth(harbour.anonKey);
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CLOSED"]);
    expect(told.at(-1)).toMatchObject({
      extension: "system",
      status: "error",
      message: expect.stringContaining("You do not have permissions to read from this Channel topic: chat"),
    });
  });
});

test("signed-in people see each other in the chat, and cannot speak past its rules", async () => {
  const names = (channel: { presenceState(): object }) =>
    Object.values(channel.presenceState())
      .flat()
      .map((entry) => (entry as { name: string }).name)
      .sort();
  const [ana, ben] = await Promise.all(
    (["Ana", "Ben"] as const).map(async (who) => {
      const channel = (await harbour.clientFor(who)).channel("chat", PRIVATE);
      channel.on("presence", { event: "sync" }, () => {});
      expect(await subscribe(channel)).toBe("SUBSCRIBED");
      expect(await channel.track({ name: who })).toBe("ok");
      return channel;
    }),
  );
  if (!ana || !ben) throw new Error("both are here");
  await expect
    .poll(() => [names(ana), names(ben)])
    .toEqual([
      ["Ana", "Ben"],
      ["Ana", "Ben"],
    ]);
  expect(await ana.send({ type: "broadcast", event: "word", payload: {} })).toBe("error");
  await ben.untrack();
  await expect.poll(() => names(ana)).toEqual(["Ana"]);
});
