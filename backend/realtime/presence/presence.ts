import { randomBytes } from "node:crypto";
import { getOrMake } from "#backend/memory/get-or-make.ts";

/** One entry of a room's list. */
export type Entry = { ref: string; key: string; meta: Record<string, unknown>; process: string };

export type PresenceOptions = {
  /** This process's own name. */
  process: string;
  /** For the members of a room: `{joins, leaves}` as JSON. */
  onDiff: (room: string, diff: string) => void;
  /** For other processes, of entries of this one. */
  onOwnChange: (room: string, joined: Entry[], left: string[]) => void;
};

type Room = {
  entries: Map<string, Entry>;
  joins: Map<string, Entry>;
  leaves: Map<string, Entry>;
  /** References that left before a diff announced that they had joined. */
  unseen: Set<string>;
  /** References that were away when the state was sent to somebody, before a diff announced that they had left. */
  missed: Set<string>;
  /** `presence_state` as JSON, until something changes. */
  state: string | null;
  timer: NodeJS.Timeout | null;
};

/** Milliseconds for which changes are collected into a diff: the larger the room, the longer. */
const MIN_WAIT = 20;
const MAX_WAIT = 1_000;

/**
 * Who is in which room, on all processes. Changes within some milliseconds are sent as one diff: when a thousand people
 * join at once, each of them receives a few diffs, not a thousand.
 */
export class Presence {
  readonly #rooms = new Map<string, Room>();
  readonly #options: PresenceOptions;
  readonly #prefix = randomBytes(6).toString("base64url");
  #counter = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Adds an entry, in place of `before`; returns the new reference. */
  track(room: string, key: string, payload: Record<string, unknown>, before: string | null): string {
    const ref = `${this.#prefix}${(++this.#counter).toString(36)}`;
    const { phx_ref_prev: _, ...meta } = payload;
    const entry: Entry = {
      ref,
      key,
      process: this.#options.process,
      meta: { ...meta, ...(before !== null && { phx_ref_prev: before }), phx_ref: ref },
    };
    if (before !== null) this.#leave(room, before);
    this.#join(room, entry);
    this.#options.onOwnChange(room, [entry], before === null ? [] : [before]);
    return ref;
  }

  untrack(room: string, ref: string): void {
    if (this.#leave(room, ref)) this.#options.onOwnChange(room, [], [ref]);
  }

  /** Changes to another process's entries. */
  applyRemote(room: string, joined: Entry[], left: string[]): void {
    for (const ref of left) this.#leave(room, ref);
    for (const entry of joined) if (!this.#rooms.get(room)?.entries.has(entry.ref)) this.#join(room, entry);
  }

  /** Takes everyone of a process that is gone off the lists. */
  forget(process: string): void {
    for (const [name, room] of this.#rooms) {
      for (const entry of room.entries.values()) if (entry.process === process) this.#leave(name, entry.ref);
    }
  }

  /** Everyone of this process, by room. */
  *own(): Iterable<[room: string, entries: Entry[]]> {
    for (const [name, { entries }] of this.#rooms) {
      const own = [...entries.values()].filter(({ process }) => process === this.#options.process);
      if (own.length > 0) yield [name, own];
    }
  }

  /** `presence_state` of a room, as JSON. */
  state(name: string): string {
    const room = this.#rooms.get(name);
    if (!room) return "{}";
    if (room.state !== null) return room.state;
    for (const ref of room.leaves.keys()) room.missed.add(ref);
    room.state = group(room.entries.values());
    return room.state;
  }

  close(): void {
    for (const { timer } of this.#rooms.values()) clearTimeout(timer ?? undefined);
    this.#rooms.clear();
  }

  #join(name: string, entry: Entry): void {
    const room = this.#rooms.get(name) ?? this.#open(name);
    room.entries.set(entry.ref, entry);
    // A known key that leaves and returns within one diff is no change, except for those who were sent the state in between.
    const wasHere = room.leaves.delete(entry.ref) && !room.unseen.delete(entry.ref);
    if (!wasHere || room.missed.has(entry.ref)) room.joins.set(entry.ref, entry);
    this.#schedule(name, room);
  }

  #leave(name: string, ref: string): boolean {
    const room = this.#rooms.get(name);
    const entry = room?.entries.get(ref);
    if (!room || !entry) return false;
    room.entries.delete(ref);
    // Who came and went between two diffs was never there for the others, except for those who were sent the state.
    if (room.joins.delete(ref)) room.unseen.add(ref);
    room.leaves.set(ref, entry);
    this.#schedule(name, room);
    return true;
  }

  #open(name: string): Room {
    const room: Room = {
      entries: new Map(),
      joins: new Map(),
      leaves: new Map(),
      unseen: new Set(),
      missed: new Set(),
      state: null,
      timer: null,
    };
    this.#rooms.set(name, room);
    return room;
  }

  #schedule(name: string, room: Room): void {
    room.state = null;
    if (room.timer) return;
    const wait = Math.min(MAX_WAIT, Math.max(MIN_WAIT, room.entries.size));
    room.timer = setTimeout(() => this.#flush(name, room), wait);
    room.timer.unref();
  }

  #flush(name: string, room: Room): void {
    const diff = `{"joins":${group(room.joins.values())},"leaves":${group(room.leaves.values())}}`;
    room.timer = null;
    room.joins.clear();
    room.leaves.clear();
    room.unseen.clear();
    room.missed.clear();
    if (room.entries.size === 0) this.#rooms.delete(name);
    this.#options.onDiff(name, diff);
  }
}

/** `{key: {metas: […]}}`, as JSON. The keys are clients' words, so that none may mean anything to an object. */
function group(entries: Iterable<Entry>): string {
  const metas = new Map<string, string[]>();
  for (const { key, meta } of entries) {
    getOrMake(metas, key, () => []).push(JSON.stringify(meta));
  }
  const members = [...metas].map(([key, list]) => `${JSON.stringify(key)}:{"metas":[${list.join(",")}]}`);
  return `{${members.join(",")}}`;
}
