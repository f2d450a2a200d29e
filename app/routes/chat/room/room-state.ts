import {
  type Addition,
  type ChatMessage,
  comparePlaces,
  type Place,
  type Reaction,
  withReaction,
  withText,
} from "./chat-message.ts";
import type { Failure } from "./describe-failure.ts";
import type { Mutes } from "./people-queries.ts";
import { isFrom, keepKnown, merge, putIn, without } from "./room-list.ts";

/** A message of the user's own, not acknowledged yet. The browser chose its id, so it cannot be stored twice. */
export type Outgoing = {
  id: string;
  message: string;
  more?: Addition | undefined;
  /** When it was typed, in milliseconds since 1970. */
  writtenAt?: number | undefined;
  /** Until when it waits for its turn, by the monotonic clock. */
  sendsAt?: number | undefined;
  /** Why it was not sent; null while it is being sent. */
  failure: Failure | null;
  /** The message it is shown after while it waits for the user; absent at the end. */
  after?: Place | undefined;
};

export type RoomState = {
  /** `failed`: nothing could be read yet. */
  status: "loading" | "ready" | "failed";
  /** Every stored message from `from` on that this user may see, oldest first, without duplicates. */
  messages: readonly ChatMessage[];
  /** Where the list begins; null if at the room's first message. */
  from: Place | null;
  outgoing: readonly Outgoing[];
  /** Muted people. The live feed delivers their messages anyway. */
  muted: Mutes;
  older: "idle" | "reading" | "failed";
  /** Changes of messages received while the requests in flight were, whose answers may lack them. */
  revised: readonly Revision[];
  /** The number of the last read that ended: whatever else was read before may have changed unnoticed. */
  lastRead: number;
  /** How often a change of a message was received since, by the ids of the message and of its writer. */
  touched: ReadonlyMap<string, number>;
  /** Deleted messages, so that an answer in flight does not bring them back. */
  gone: ReadonlySet<string>;
  /** Hidden words of the user's own messages, by message id, for those sent from this page. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** The read in flight and what arrived meanwhile, which its answer may lack. */
  read: { number: number; since: Place | null; arrived: ReadonlySet<string>; muted: Mutes } | null;
};

/** Returns the same object for messages that it does not change. */
type Revision = (message: ChatMessage) => ChatMessage;

/** Messages of one answer, oldest first; `isWhole` if it was not cut off at its limit. */
type Page = { messages: readonly ChatMessage[]; isWhole: boolean };

export type RoomChange =
  | { type: "read started"; number: number }
  | ({ type: "read ended"; number: number; muted: Mutes } & Page)
  | { type: "read failed"; number: number }
  | { type: "older started" }
  | ({ type: "older ended"; before: Place } & Page)
  | { type: "older failed" }
  /** The oldest are no longer shown; this many stay. */
  | { type: "shortened"; to: number }
  | { type: "arrived"; message: ChatMessage }
  | { type: "hid"; id: string; words: readonly string[] }
  | { type: "removed"; id: string }
  | { type: "reacted"; reaction: Reaction; isThere: boolean }
  /** A moderator took a name away, which messages show and mention. */
  | { type: "renamed"; message: ChatMessage }
  | ({ type: "sending" } & Omit<Outgoing, "failure">)
  | { type: "send failed"; id: string; failure: Failure }
  | { type: "send settled"; id: string }
  | { type: "muted"; muted: Mutes };

/** Sorts before the first message of a room. */
const BEGINNING: Place = { created_at: "", id: "" };

export const EMPTY_ROOM: RoomState = {
  status: "loading",
  messages: [],
  from: null,
  outgoing: [],
  muted: new Map(),
  older: "idle",
  revised: [],
  lastRead: 0,
  touched: new Map(),
  gone: new Set(),
  hidden: new Map(),
  read: null,
};

/**
 * Room reducer. Whatever order reads, live inserts, deletes and acknowledgements arrive in, the result is the same
 * messages in the same order, without duplicates.
 */
export function changeRoom(room: RoomState, change: RoomChange): RoomState {
  switch (change.type) {
    case "read started":
      return {
        ...room,
        read: startRead(room, change.number),
        // Earlier ones may have been taken back unnoticed since.
        revised: room.older === "reading" ? room.revised : [],
      };
    case "read ended":
      return room.read?.number === change.number ? replaceList(room, room.read, change) : room;
    case "read failed":
      if (room.read?.number !== change.number) return room;
      return { ...room, read: null, status: room.status === "ready" ? "ready" : "failed" };
    case "older started":
      return { ...room, older: "reading", revised: room.read ? room.revised : [] };
    case "older ended":
      return addOlder(room, change);
    case "older failed":
      return { ...room, older: "failed" };
    case "shortened": {
      const messages = room.messages.slice(-change.to);
      return { ...room, messages, from: messages[0] ?? room.from };
    }
    case "arrived":
      return addArrived(room, change.message);
    case "hid":
      return { ...room, hidden: new Map(room.hidden).set(change.id, change.words) };
    case "removed":
      return remove(room, change.id);
    case "reacted":
      return revise(room, (each) => withReaction(each, change.reaction, change.isThere));
    case "renamed":
      return touch(
        revise(room, (each) => withText(each, change.message)),
        change.message,
      );
    case "sending": {
      const { type: _, ...sending } = change;
      // An earlier attempt had arrived, and was reported, while this one waited for its turn.
      if (room.messages.some(({ id }) => id === change.id)) return room;
      return { ...room, outgoing: putIn(room.outgoing, { ...sending, failure: null }) };
    }
    case "send failed":
      return failOutgoing(room, change.id, change.failure);
    case "send settled":
      return { ...room, outgoing: without(room.outgoing, change.id) };
    case "muted":
      return showOnlyWanted({ ...room, muted: change.muted });
  }
}

function startRead({ from, muted }: RoomState, number: number): RoomState["read"] {
  return { number, since: from, arrived: new Set(), muted };
}

/**
 * A read returns everything from the list's beginning on. Only what arrived while it was in flight is added: live
 * messages, or older ones loaded meanwhile. If it was cut off, the list begins later.
 */
function replaceList(
  room: RoomState,
  { since, arrived, muted: before }: NonNullable<RoomState["read"]>,
  { number, messages, isWhole, muted: read }: Page & { number: number; muted: Mutes },
): RoomState {
  // People muted while the read was in flight stay muted.
  const muted = room.muted === before ? read : room.muted;
  const from = isWhole ? room.from : (messages[0] ?? null);
  const isAdded = (message: ChatMessage) => arrived.has(message.id) || !isFrom(since, message);
  // The list may have been shortened meanwhile.
  const answer = messages.filter((message) => isFrom(from, message));
  const added = room.messages.filter((message) => isFrom(from, message) && isAdded(message));
  const list = keepKnown(
    room.messages,
    merge(
      answer.map((each) => catchUp(room, each)),
      added,
    ),
  );
  const now = { ...room, read: null, lastRead: number, touched: EMPTY_ROOM.touched, muted, from };
  return showOnlyWanted(settleStored({ ...now, status: "ready", messages: list }));
}

function addOlder(room: RoomState, { before, messages, isWhole }: { before: Place } & Page): RoomState {
  // A read has moved the list's beginning meanwhile: adding these would leave a gap.
  if (!room.from || comparePlaces(room.from, before) !== 0) return { ...room, older: "idle" };
  const from = isWhole ? null : (messages[0] ?? null);
  const list = merge(
    messages.map((each) => catchUp(room, each)),
    room.messages,
  );
  return showOnlyWanted(settleStored({ ...room, older: "idle", from, messages: list }));
}

function addArrived(room: RoomState, message: ChatMessage): RoomState {
  const outgoing = without(room.outgoing, message.id);
  const read = room.read && { ...room.read, arrived: new Set(room.read.arrived).add(message.id) };
  if (!isWanted(room, message) || !isFrom(room.from, message)) return { ...room, outgoing, read };
  return { ...room, outgoing, read, messages: merge(room.messages, [message]) };
}

function remove(room: RoomState, id: string): RoomState {
  return {
    ...room,
    gone: new Set(room.gone).add(id),
    messages: without(room.messages, id),
    outgoing: without(room.outgoing, id),
  };
}

function failOutgoing(room: RoomState, id: string, failure: Failure): RoomState {
  const failed = room.outgoing.find((each) => each.id === id);
  if (!failed) return room;
  // Later messages go below it: kept at the end, it would push them out of sight.
  const { created_at, id: newest } = room.messages.at(-1) ?? BEGINNING;
  const after = failed.after ?? (room.status === "ready" ? { created_at, id: newest } : undefined);
  const now = failure.waits ? { ...failed, failure } : { ...failed, failure, after };
  return { ...room, outgoing: putIn(room.outgoing, now) };
}

function revise(room: RoomState, revision: Revision): RoomState {
  const isAwaited = room.read !== null || room.older === "reading";
  const revised = isAwaited ? [...room.revised, revision] : [];
  const messages = room.messages.map(revision);
  const isSame = messages.every((each, at) => each === room.messages[at]);
  return { ...room, revised, messages: isSame ? room.messages : messages };
}

function touch(room: RoomState, { id, user_id }: ChatMessage): RoomState {
  const touched = new Map(room.touched);
  for (const each of [id, user_id]) touched.set(each, (touched.get(each) ?? 0) + 1);
  return { ...room, touched };
}

/** A message of an answer, with the changes since it was requested. */
function catchUp(room: RoomState, message: ChatMessage): ChatMessage {
  return room.revised.reduce((now, revision) => revision(now), message);
}

/** Stored messages are no longer pending, even if the acknowledgement got lost. */
function settleStored(room: RoomState): RoomState {
  if (room.outgoing.length === 0) return room;
  const stored = new Set(room.messages.map(({ id }) => id));
  return { ...room, outgoing: room.outgoing.filter(({ id }) => !stored.has(id)) };
}

function showOnlyWanted(room: RoomState): RoomState {
  const messages = room.messages.filter((message) => isWanted(room, message));
  return messages.length === room.messages.length ? room : { ...room, messages };
}

function isWanted({ gone, muted }: RoomState, { id, user_id }: ChatMessage): boolean {
  return !gone.has(id) && !muted.has(user_id);
}
