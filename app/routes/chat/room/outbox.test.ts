import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outcome, Written } from "./deliver.ts";
import type { Failure } from "./describe-failure.ts";
import type { Kept } from "./kept-text.ts";
import { createOutbox } from "./outbox.ts";
import type { Outgoing } from "./room-state.ts";
import { createRoomStore } from "./room-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failure: Failure = { sentence: "It failed.", kind: "later" };
const sent: Outcome = { kind: "sent" };
const away: Outcome = { kind: "failed", failure, tries: Number.POSITIVE_INFINITY };
const broken: Outcome = { kind: "failed", failure, tries: 8 };
const refused: Outcome = { kind: "failed", failure, tries: 1 };

/** An outbox whose messages meet the outcome `fate` gives; `stored` lists what arrived, in order. */
function openOutbox(fate: (message: string) => Outcome | Promise<Outcome>, unsent: Kept[] = []) {
  const store = createRoomStore();
  store.show({ connection: "connected" });
  const stored: string[] = [];
  const ids = new Set<string>();
  let tries = 0;
  let keptNow: readonly Outgoing[] = [];
  async function deliver({ id, message }: Written): Promise<Outcome> {
    tries += 1;
    const outcome = await fate(message);
    if (outcome.kind === "sent") {
      if (!ids.has(id)) stored.push(message);
      ids.add(id);
      store.change({ type: "send settled", id });
    }
    return outcome;
  }
  const outbox = createOutbox(deliver, store, {
    readOutgoing: () => unsent,
    writeOutgoing: (outgoing) => {
      keptNow = outgoing;
    },
  });
  const close = outbox.open();
  const shown = () => store.current().outgoing.map((each) => each.failure?.sentence ?? "sending");
  return { outbox, store, stored, shown, close, countTries: () => tries, kept: () => keptNow };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a short connection failure that is never reported as lost needs no manual retry", async () => {
  let isUp = false;
  vi.stubGlobal("navigator", { onLine: true });
  const { outbox, store, stored, shown } = openOutbox(() => (isUp ? sent : away));
  // A network that blocks the live connection is no reason to look for one.
  store.show({ connection: "reconnecting" });
  const first = outbox.send("one");
  expect((await first)?.sentence).toMatch(/sent as soon as it answers/);
  void outbox.send("two");
  await pass(0);
  expect(shown()).toHaveLength(2);
  isUp = true;
  await pass(2_500);
  expect(stored).toEqual(["one", "two"]);
  expect(shown()).toEqual([]);
});

test("a device's clock that is set back a day lets nothing wait for a day", async () => {
  const { outbox, stored } = openOutbox(() => sent);
  for (const text of "abcde") void outbox.send(text);
  await pass(0);
  vi.setSystemTime(Date.now() - 24 * 3_600_000);
  void outbox.send("f");
  await pass(11_000);
  expect(stored.join("")).toBe("abcdef");
});

test("a message typed after reconnecting is sent after the waiting ones", async () => {
  let isUp = false;
  const { outbox, stored } = openOutbox(() => (isUp ? sent : away));
  for (const text of ["one", "two"]) void outbox.send(text);
  await pass(100);
  isUp = true;
  void outbox.send("three");
  await pass(0);
  expect(stored).toEqual(["one", "two", "three"]);
});

test("after hours of outage messages are sent automatically, and at once when the connection is reported back", async () => {
  let isUp = false;
  const { outbox, stored, shown, countTries } = openOutbox(() => (isUp ? sent : away));
  vi.stubGlobal("navigator", { onLine: false });
  void outbox.send("one");
  await pass(2 * 3_600_000);
  expect(shown()).toEqual(["You’re offline. This message will be sent when you’re back."]);
  // At most two per minute.
  expect(countTries()).toBeLessThan(260);
  isUp = true;
  outbox.resume();
  await pass(0);
  expect(stored).toEqual(["one"]);
});

test("a message sent over a connection replaced meanwhile is resent at once", async () => {
  const answers: ((outcome: Outcome) => void)[] = [];
  const { outbox, stored } = openOutbox(() => new Promise((resolve) => answers.push(resolve)));
  void outbox.send("one");
  await pass(0);
  outbox.resume();
  answers[0]?.(away);
  await pass(0);
  answers[1]?.(sent);
  await pass(0);
  expect(stored).toEqual(["one"]);
});

test("a message on which the service fails delays the others for minutes, not forever", async () => {
  const { outbox, stored, shown } = openOutbox((message) => (message === "bad" ? broken : sent));
  void outbox.send("bad");
  void outbox.send("good");
  await pass(1_000);
  expect(stored).toEqual([]);
  await pass(3 * 60_000);
  expect(stored).toEqual(["good"]);
  expect(shown()).toEqual(["It failed."]);
});

test("a rejected message waits for the user and does not delay others", async () => {
  const { outbox, stored, shown, countTries } = openOutbox((message) => (message === "bad" ? refused : sent));
  expect(await outbox.send("bad")).toEqual(failure);
  expect(await outbox.send("good")).toBe(null);
  await pass(600_000);
  expect([stored, shown(), countTries()]).toEqual([["good"], ["It failed."], 2]);
});

test("after a reload waiting messages are resent under their ids, old or rejected ones only on request", async () => {
  const now = Date.now();
  // As kept by an earlier release: it waited for its turn when the page was left.
  const paced = { id: "e", message: "paced", writtenAt: now - 3_600_000, sendsAt: now - 3_595_000 };
  const unsent = [
    paced,
    { id: "a", message: "just now", writtenAt: now - 60_000 },
    { id: "b", message: "long ago", writtenAt: now - 3_600_000 },
    { id: "c", message: "refused", failure: { sentence: "Links aren’t allowed.", kind: "refused" as const } },
    { id: "d", message: "stored before", writtenAt: now - 50_000 },
  ];
  const { outbox, store, stored, shown } = openOutbox(() => sent, unsent);
  await pass(0);
  expect(stored).toEqual([]);
  // The room is read and contains one of them.
  store.change({ type: "read started", number: 1 });
  store.change({ type: "send settled", id: "d" });
  store.change({ type: "read failed", number: 1 });
  await pass(0);
  expect(stored).toEqual(["just now"]);
  const tooOld = "This message wasn’t sent before you left the page.";
  expect(shown()).toEqual([tooOld, tooOld, "Links aren’t allowed."]);
  expect(await outbox.retry("b")).toBe(null);
  expect(stored).toEqual(["just now", "long ago"]);
});

test("a waiting message can be discarded or retried", async () => {
  let isUp = false;
  const { outbox, store, stored } = openOutbox(() => (isUp ? sent : away));
  for (const text of ["one", "two", "three"]) void outbox.send(text);
  await pass(100);
  const [first, , third] = store.current().outgoing;
  outbox.discard(first?.id ?? "");
  isUp = true;
  expect(await outbox.retry(third?.id ?? "")).toBe(null);
  expect(stored).toEqual(["two", "three"]);
});

test("a room that was left sends what waits for its turn, except what is taken back in the room entered again", async () => {
  const left = openOutbox(() => sent);
  const texts = ["one", "two", "three", "four", "five", "six", "seven"];
  for (const text of texts) void left.outbox.send(text);
  await pass(100);
  left.close();
  const waiting = left.kept().map(({ id, message, writtenAt }) => ({ id, message, writtenAt }));
  expect(waiting.map(({ message }) => message)).toEqual(["six", "seven"]);
  const again = openOutbox(() => sent, waiting);
  again.outbox.discard(waiting[0]?.id ?? "");
  await pass(60_000);
  expect(left.stored).toEqual(texts.filter((text) => text !== "six"));
});

test("a message of an earlier page that arrives while waiting for its turn is shown once and not delayed", async () => {
  const now = Date.now();
  const unsent = Array.from({ length: 6 }, (_, at) => ({
    id: `m${at}`,
    message: `text ${at}`,
    writtenAt: now - 1_000,
  }));
  const twice: string[] = [];
  const { store, stored } = openOutbox(() => sent, unsent);
  store.subscribe(() => {
    const { messages, outgoing } = store.current();
    for (const { id } of outgoing) if (messages.some((each) => each.id === id)) twice.push(id);
  });
  store.change({ type: "read failed", number: 1 });
  store.change({ type: "read started", number: 1 });
  store.change({ type: "read ended", number: 1, messages: [], isWhole: true, muted: new Map() });
  await pass(0);
  const arrived = { id: "m5", user_id: "a", username: "a", message: "text 5", created_at: "2026-01-01" };
  store.change({ type: "arrived", message: arrived });
  await pass(60_000);
  expect([twice, stored.length]).toEqual([[], 6]);
});
