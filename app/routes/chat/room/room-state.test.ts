import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChatMessage, comparePlaces, type Place } from "./chat-message.ts";
import type { Mutes } from "./people-queries.ts";
import { changeRoom, EMPTY_ROOM, type RoomChange, type RoomState } from "./room-state.ts";

const OWN = "ana";
const FAILURE = { sentence: "No.", kind: "later" } as const;
const PAGE = 4;
const MOST = 6;

/** A model of database, feed and browser, as far as the order of events between them matters. */
class SimulatedBackend {
  table: ChatMessage[] = [];
  room: RoomState = EMPTY_ROOM;
  muted: Mutes = new Map();
  /** Events and answers in flight; the feed keeps its order, while answers may overtake each other and the feed. */
  feed: RoomChange[] = [];
  answers: { asked: number; change: RoomChange }[] = [];
  isListening = false;
  #count = 0;
  #reads = 0;

  change(change: RoomChange) {
    this.room = changeRoom(this.room, change);
  }

  /** `late` commits after messages with a later time: it sorts before them. */
  store(id: string, user: string, late: number): ChatMessage {
    this.#count += 1;
    const moment = String(this.#count * 10 - late).padStart(6, "0");
    const message = { id, user_id: user, username: user, message: id, created_at: moment };
    this.table = [...this.table, message].sort(comparePlaces);
    this.tell({ type: "arrived", message });
    return message;
  }

  write(user: string, late: number) {
    this.store(`${user}-${this.#count}`, user, late);
  }

  delete(index: number) {
    const gone = this.table[index % Math.max(1, this.table.length)];
    if (!gone) return;
    this.table = this.table.filter((each) => each !== gone);
    this.tell({ type: "removed", id: gone.id });
  }

  /** The answer reflects the state at the time of the request. */
  expect(change: RoomChange) {
    this.answers.push({ asked: this.#reads, change });
  }

  tell(change: RoomChange) {
    if (this.isListening) this.feed.push(change);
  }

  /** The feed breaks: events in flight are lost and none follow. */
  breakOff() {
    this.isListening = false;
    this.feed = [];
  }

  listen() {
    this.isListening = true;
    this.read();
  }

  read() {
    const number = ++this.#reads;
    this.change({ type: "read started", number });
    const { from, status } = this.room;
    const limit = status === "ready" ? MOST : PAGE;
    const { muted } = this;
    this.expect({ type: "read ended", number, muted, ...this.page(limit, (each) => isFrom(from, each)) });
  }

  readOlder() {
    const before = this.room.from;
    if (!before) return;
    this.change({ type: "older started" });
    this.expect({
      type: "older ended",
      before,
      ...this.page(PAGE, (each) => comparePlaces(each, before) < 0),
    });
  }

  page(limit: number, isAsked: (place: Place) => boolean) {
    const asked = this.visible().filter(isAsked);
    return { messages: asked.slice(-limit).map((each) => ({ ...each })), isWhole: asked.length < limit };
  }

  visible() {
    return this.table.filter((each) => !this.muted.has(each.user_id));
  }

  /** Optimistic: shown at once; it may or may not be stored, and its answer comes eventually or is lost. */
  send(isStored: boolean, isAnswered: boolean) {
    const id = `${OWN}-${++this.#count}`;
    this.change({ type: "sending", id, message: id });
    const message = isStored ? this.store(id, OWN, 0) : null;
    if (message && isAnswered) this.expect({ type: "arrived", message: { ...message } });
    else this.expect({ type: "send failed", id, failure: FAILURE });
  }

  mute(user: string) {
    const others = [...this.muted].filter(([id]) => id !== user);
    const isMuted = others.length < this.muted.size;
    this.muted = new Map(isMuted ? others : [[user, muteOf(user)], ...others]);
    this.change({ type: "muted", muted: this.muted });
    if (!this.muted.has(user)) this.read();
  }

  hear() {
    const next = this.feed.shift();
    if (next) this.change(next);
  }

  answer(index: number) {
    const [next] = this.answers.splice(index % Math.max(1, this.answers.length), 1);
    if (!next) return;
    this.change(next.change);
    // The rule of `room-reads.ts`: changes to anything requested before the last read may have gone unreported.
    if (next.change.type !== "read ended" && next.asked !== this.#reads) this.read();
  }

  /** Delivers everything in flight. */
  rest() {
    if (!this.isListening) this.listen();
    while (this.answers.length + this.feed.length > 0) {
      this.answer(0);
      this.hear();
    }
  }
}

const muteOf = (userId: string) => ({ userId, username: userId, since: "" });

function isFrom(from: Place | null, place: Place) {
  return from === null || comparePlaces(from, place) <= 0;
}

const step = fc.oneof(
  fc.record({
    do: fc.constant("write" as const),
    user: fc.constantFrom("ben", "eve"),
    late: fc.constantFrom(0, 0, 15, 25),
  }),
  fc.record({ do: fc.constant("delete" as const), index: fc.nat(20) }),
  fc.record({ do: fc.constant("send" as const), isStored: fc.boolean(), isAnswered: fc.boolean() }),
  fc.record({ do: fc.constant("answer" as const), index: fc.nat(5) }),
  fc.record({ do: fc.constant("shorten" as const), to: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant("mute" as const), user: fc.constantFrom("ben", "eve") }),
  fc.constantFrom(
    { do: "hear" as const },
    { do: "listen" as const },
    { do: "break off" as const },
    { do: "read" as const },
    { do: "read older" as const },
  ),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(backend: SimulatedBackend, what: Step) {
  switch (what.do) {
    case "write":
      return backend.write(what.user, what.late);
    case "delete":
      return backend.delete(what.index);
    case "send":
      return backend.send(what.isStored, what.isAnswered);
    case "answer":
      return backend.answer(what.index);
    case "shorten":
      return backend.change({ type: "shortened", to: what.to });
    case "mute":
      return backend.mute(what.user);
    case "hear":
      return backend.hear();
    case "listen":
      return backend.listen();
    case "break off":
      return backend.breakOff();
    case "read":
      return backend.read();
    case "read older":
      return backend.readOlder();
  }
}

function play(steps: readonly Step[]) {
  const backend = new SimulatedBackend();
  backend.read();
  for (const each of steps) take(backend, each);
  return backend;
}

const steps = fc.array(step, { maxLength: 60, size: "max" });
const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe("in whatever order reads, the feed and acknowledgements arrive", () => {
  test("the list ends up equal to the table from its beginning on: nothing lost or duplicated, in one order", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const backend = play(all);
        backend.rest();
        const { messages, from } = backend.room;
        expect(idsOf(messages)).toEqual(idsOf(backend.visible().filter((each) => isFrom(from, each))));
      }),
      { numRuns: 3000 },
    );
  });

  test("at any time each message is listed once and in order, and no muted or deleted one returns", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const backend = new SimulatedBackend();
        backend.read();
        for (const each of all) {
          take(backend, each);
          const { messages, outgoing, gone, from } = backend.room;
          expect(messages.every((each) => isFrom(from, each))).toBe(true);
          const ids = [...idsOf(messages), ...idsOf(outgoing)];
          expect(new Set(ids).size).toBe(ids.length);
          expect([...messages].sort(comparePlaces)).toEqual(messages);
          expect(messages.some(({ id, user_id }) => gone.has(id) || backend.muted.has(user_id))).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("a sent message is stored and shown, shown with its failure, or deleted: it never vanishes", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const backend = play(all);
        backend.rest();
        const { messages, outgoing, from, gone } = backend.room;
        const shownRange = backend.table.filter((each) => isFrom(from, each));
        const stored = new Set(idsOf(shownRange));
        expect(outgoing.every(({ id, failure }) => failure !== null && !stored.has(id))).toBe(true);
        const shown = new Set([...idsOf(messages), ...idsOf(outgoing)]);
        const own = shownRange.filter(({ user_id }) => user_id === OWN);
        expect(own.every(({ id }) => shown.has(id))).toBe(true);
        expect([...shown].some((id) => gone.has(id))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

const message = (id: string, created_at = id) => ({
  id,
  user_id: "ben",
  username: "ben",
  message: id,
  created_at,
});
const readStarted = (number: number) => ({ type: "read started", number }) as const;
const readEnded = (number: number, ids: string[], isWhole = true) =>
  ({
    type: "read ended",
    number,
    messages: ids.map((id) => message(id)),
    isWhole,
    muted: new Map(),
  }) as const;
const ready = (ids: string[], isWhole = true) =>
  [readStarted(1), readEnded(1, ids, isWhole)].reduce(changeRoom, EMPTY_ROOM);

test("people muted during a read stay muted, and mutes of other tabs in a read's answer apply", () => {
  const muted = new Map([["ben", muteOf("ben")]]);
  const reading = changeRoom(ready(["1"]), readStarted(2));
  const mutedHere = changeRoom(reading, { type: "muted", muted });
  expect(changeRoom(mutedHere, readEnded(2, ["1"])).messages).toEqual([]);
  const mutedElsewhere = changeRoom(reading, { ...readEnded(2, []), muted });
  expect(changeRoom(mutedElsewhere, { type: "arrived", message: message("2") }).messages).toEqual([]);
});

test("unchanged messages keep their identity, so that they do not re-render", () => {
  const before = ready(["1", "2"]);
  const [after] = [changeRoom(before, { type: "arrived", message: message("3") })];
  expect(after.messages[0]).toBe(before.messages[0]);
  const reread = [readStarted(2), readEnded(2, ["1", "2"])].reduce(changeRoom, before);
  expect(reread.messages[1]).toBe(before.messages[1]);
});

test("a name that is taken away is replaced at once, and by a read; during a read, in its answer, too", () => {
  const renamed = { ...message("1"), username: "tiger", message: "@panda 1" };
  const shown = (room: RoomState) => room.messages.map(({ username, message }) => `${username}: ${message}`);
  const now = ["tiger: @panda 1", "ben: 2"];
  const known = ready(["1", "2"]);
  const live = changeRoom(known, { type: "renamed", message: renamed });
  expect(shown(live)).toEqual(now);
  expect(live.messages[1]).toBe(known.messages[1]);
  const answer = { ...readEnded(2, []), messages: [renamed, message("2")] };
  expect(shown([readStarted(2), answer].reduce(changeRoom, known))).toEqual(now);
  const during = [readStarted(2), { type: "renamed", message: renamed } as const, readEnded(2, ["1", "2"])];
  expect(shown(during.reduce(changeRoom, known))).toEqual(now);
});

test("what else was read of a message and its writer is outdated when it changes, and all after the next read", () => {
  const known = ready(["1"]);
  const renamed = changeRoom(known, { type: "renamed", message: message("not in the list") });
  expect(renamed).toMatchObject({ lastRead: 1, messages: known.messages });
  expect([...renamed.touched]).toEqual([
    ["not in the list", 1],
    ["ben", 1],
  ]);
  const reread = [readStarted(2), readEnded(2, ["1"])].reduce(changeRoom, renamed);
  expect([reread.lastRead, reread.touched.size]).toEqual([2, 0]);
});

test("a reaction during a read is added to its answer, and not to that of a later request", () => {
  const reaction = { message_id: "1", emoji: "👍", user_id: "eve" };
  const reactionsOf = (room: RoomState) => room.messages.map(({ reactions }) => reactions);
  const reading = changeRoom(ready(["1"], false), readStarted(2));
  const reacted = changeRoom(reading, { type: "reacted", reaction, isThere: true });
  const read = changeRoom(reacted, readEnded(2, ["1"]));
  expect(reactionsOf(read)).toEqual([{ "👍": ["eve"] }]);
  // Taken back while the connection was lost.
  const reread = [readStarted(3), readEnded(3, ["1"])].reduce(changeRoom, read);
  expect(reactionsOf(reread)).toEqual([undefined]);

  const known = changeRoom(changeRoom(EMPTY_ROOM, readStarted(1)), readEnded(1, ["2"], false));
  const failed = [readStarted(2), { type: "reacted", reaction, isThere: true } as const].reduce(
    changeRoom,
    known,
  );
  const settled = changeRoom(failed, { type: "read failed", number: 2 });
  const before = message("2");
  const page = { messages: [message("1")], isWhole: true };
  const older = [
    { type: "older started" } as const,
    { type: "older ended", before, ...page } as const,
  ].reduce(changeRoom, settled);
  expect(reactionsOf(older)).toEqual([undefined, undefined]);
});

test("of a shortened list the newest stay; the others are those before its beginning", () => {
  const known = ready(["1", "2", "3"]);
  const short = changeRoom(known, { type: "shortened", to: 2 });
  expect(idsOf(short.messages)).toEqual(["2", "3"]);
  expect(short.from).toMatchObject({ id: "2" });
  const older = {
    type: "older ended",
    before: message("2"),
    messages: [message("1")],
    isWhole: true,
  } as const;
  expect(changeRoom(short, older)).toMatchObject({ from: null, messages: known.messages });
  const during = [readStarted(2), { type: "shortened", to: 2 } as const, readEnded(2, ["1", "2", "3"])];
  expect(during.reduce(changeRoom, known).messages).toEqual(short.messages);
});

test("a message that is the newest is appended; one that was written before it, is put in its place", () => {
  const known = ready(["1", "3"]);
  const arrive = (id: string) => idsOf(changeRoom(known, { type: "arrived", message: message(id) }).messages);
  expect(["4", "2", "3", "0"].map(arrive)).toEqual([
    ["1", "3", "4"],
    ["1", "2", "3"],
    ["1", "3"],
    ["0", "1", "3"],
  ]);
});

test("a failed read is reported only while there is nothing to show", () => {
  const failing = (room: RoomState) =>
    [{ type: "read started", number: 9 } as const, { type: "read failed", number: 9 } as const].reduce(
      changeRoom,
      room,
    );
  expect(failing(EMPTY_ROOM).status).toBe("failed");
  expect(failing(ready(["1"]))).toMatchObject({ status: "ready", messages: [message("1")] });
});

test("a message that arrived in an earlier attempt is not shown again when the next attempt begins", () => {
  const again = { type: "sending", id: "1", message: "1" } as const;
  expect(changeRoom(ready(["1"]), again)).toMatchObject({ outgoing: [], messages: [message("1")] });
});
