import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import {
  openRealtimeHarbour,
  type RealtimeHarbour,
  subscribe,
} from "#tests/helpers/realtime/realtime-harbour.ts";

let harbour: RealtimeHarbour;

beforeAll(async () => {
  harbour = await openRealtimeHarbour();
});
afterAll(() => harbour.close());

test("a message reaches who may read it, with its columns as the REST service writes them", async () => {
  const seen: unknown[] = [];
  const channel = (await harbour.clientFor("Ana"))
    .channel("room")
    .on("postgres_changes", { event: "*", schema: "public", table: "chat_messages" }, (payload) =>
      seen.push(payload),
    );
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  await (await harbour.clientFor("Ben")).from("chat_messages").insert({ message: "ahoy" }).throwOnError();
  await expect
    .poll(() => seen)
    .toMatchObject([
      { eventType: "INSERT", new: { message: "ahoy", user_id: ACCOUNTS.Ben.id }, errors: null },
    ]);
});

test("broadcast and presence", async () => {
  const heard: unknown[] = [];
  const ana = (await harbour.clientFor("Ana"))
    .channel("pub")
    .on("broadcast", { event: "*" }, (m) => heard.push(m.payload));
  const ben = (await harbour.clientFor("Ben"))
    .channel("pub", { config: { broadcast: { ack: true } } })
    .on("presence", { event: "sync" }, () => {});
  expect(await subscribe(ana)).toBe("SUBSCRIBED");
  expect(await subscribe(ben)).toBe("SUBSCRIBED");
  expect(await ben.send({ type: "broadcast", event: "x", payload: { a: 1 } })).toBe("ok");
  await expect.poll(() => heard).toEqual([{ a: 1 }]);
  expect(await ben.track({ name: "ben" })).toBe("ok");
  await expect.poll(() => Object.values(ben.presenceState()).flat()).toMatchObject([{ name: "ben" }]);
});
