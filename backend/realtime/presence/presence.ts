import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getOrMake } from "#backend/memory/get-or-make.ts";

/** One entry of a room's presence list. */
export type Entry = { ref: string; key: string; meta: Record<string, unknown>; process: string };

export type PresenceOptions = {
  /** This process's name in the cluster. */
  process: string;
  /** `{joins, leaves}` as JSON, for the members of a room. */
  onDiff: (room: string, diff: string) => void;
  /** Changes to this process's own entries, for the other processes. */
  onOwnChange: (room: string, joined: Entry[], left: string[]) => void;
};

type Room = {
  entries: Map<string, Entry>;
  joins: Map<string, Entry>;
  leaves: Map<string, Entry>;
  /** Refs that left before any diff announced their join. */
  unseen: Set<string>;
  /** Refs that were absent from a state sent before a diff announced that they had left. */
  missed: Set<string>;
  /** `presence_state` as JSON, cached until something changes. */
  state: string | null;
  timer: NodeJS.Timeout | null;
};

/** Milliseconds for which changes are collected into a diff: longer for larger rooms. */
const MIN_WAIT = 20;
const MAX_WAIT = 1_000;

/**
 * Who is in which room, across all processes. Changes within some milliseconds are sent as one diff: when a thousand
 * people join at once, each receives a few diffs rather than a thousand.
 */
export class Presence {
  readonly #rooms = new Map<string, Room>();
  readonly #options: PresenceOptions;
  readonly #prefix = randomBytes(6).toString("base64url");
  #counter = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Adds an entry, replacing `before`; returns the new ref, or `before` if nothing changes. */
  track(room: string, key: string, payload: Record<string, unknown>, before: string | null): string {
    const meta = withoutRefs(payload);
    if (before !== null && this.#isSame(room, before, key, meta)) return before;
    const ref = `${this.#prefix}${(++this.#counter).toString(36)}`;
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

  #isSame(room: string, ref: string, key: string, meta: Record<string, unknown>): boolean {
    const entry = this.#rooms.get(room)?.entries.get(ref);
    return entry?.key === key && isDeepStrictEqual(withoutRefs(entry.meta), meta);
  }

  untrack(room: string, ref: string): void {
    if (this.#leave(room, ref)) this.#options.onOwnChange(room, [], [ref]);
  }

  /** Applies changes to another process's entries. */
  applyRemote(room: string, joined: Entry[], left: string[]): void {
    for (const ref of left) this.#leave(room, ref);
    for (const entry of joined) if (!this.#rooms.get(room)?.entries.has(entry.ref)) this.#join(room, entry);
  }

  /** Removes all entries of a process that is gone. */
  forget(process: string): void {
    for (const [name, room] of this.#rooms) {
      for (const entry of room.entries.values()) if (entry.process === process) this.#leave(name, entry.ref);
    }
  }

  /** This process's own entries, by room. */
  *own(): Iterable<[room: string, entries: Entry[]]> {
    for (const [name, { entries }] of this.#rooms) {
      const own = [...entries.values()].filter(({ process }) => process === this.#options.process);
      if (own.length > 0) yield [name, own];
    }
  }

  /** A room's `presence_state` as JSON. */
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
    // A known key that leaves and returns within one diff is unchanged, except for clients that were sent the state in
    // between.
    const wasHere = room.leaves.delete(entry.ref) && !room.unseen.delete(entry.ref);
    if (!wasHere || room.missed.has(entry.ref)) room.joins.set(entry.ref, entry);
    this.#schedule(name, room);
  }

  #leave(name: string, ref: string): boolean {
    const room = this.#rooms.get(name);
    const entry = room?.entries.get(ref);
    if (!room || !entry) return false;
    room.entries.delete(ref);
    // An entry that joined and left between two diffs never existed for others, except for clients that were sent the
    // state.
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

/**
 * `{key: {metas: […]}}` as JSON. Grouped in a Map, since keys are client input and may be special names such as
 * `__proto__`.
 */
function group(entries: Iterable<Entry>): string {
  const metas = new Map<string, string[]>();
  for (const { key, meta } of entries) {
    getOrMake(metas, key, () => []).push(JSON.stringify(meta));
  }
  const members = [...metas].map(([key, list]) => `${JSON.stringify(key)}:{"metas":[${list.join(",")}]}`);
  return `{${members.join(",")}}`;
}

/** What a client tells of itself. */
function withoutRefs({ phx_ref: _, phx_ref_prev: __, ...meta }: Record<string, unknown>) {
  return meta;
}
