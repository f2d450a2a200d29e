import { randomBytes } from "node:crypto";

/** One place in a room's list. */
export type Entry = { ref: string; key: string; meta: Record<string, unknown>; process: string };

export type PresenceOptions = {
  /** This process's own name. */
  process: string;
  /** What members of a room are to hear: `{joins, leaves}` as JSON. */
  onDiff: (room: string, diff: string) => void;
  /** What other processes are to hear, of entries of this one. */
  onOwnChange: (room: string, joined: Entry[], left: string[]) => void;
};

type Room = {
  entries: Map<string, Entry>;
  joins: Map<string, Entry>;
  leaves: Map<string, Entry>;
  /** `presence_state` as JSON, until something changes. */
  state: string | null;
  timer: NodeJS.Timeout | null;
};

/** Diffs are put together for so long, in milliseconds: the more people hear them, the longer. */
const SHORTEST_WAIT = 20;
const LONGEST_WAIT = 1_000;

/**
 * Who is in which room, on all processes. Changes within some milliseconds are told as one diff: when a thousand people
 * come at once, each of them hears of it a few times, not a thousand times.
 */
export class Presence {
  readonly #rooms = new Map<string, Room>();
  readonly #options: PresenceOptions;
  readonly #prefix = randomBytes(6).toString("base64url");
  #counter = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Puts somebody on the list, in place of `before`; gives the new reference. */
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

  /** What another process says of its own people. */
  hear(room: string, joined: Entry[], left: string[]): void {
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
    room.state ??= group(room.entries.values());
    return room.state;
  }

  close(): void {
    for (const { timer } of this.#rooms.values()) clearTimeout(timer ?? undefined);
    this.#rooms.clear();
  }

  #join(name: string, entry: Entry): void {
    const room = this.#rooms.get(name) ?? this.#open(name);
    room.entries.set(entry.ref, entry);
    // Gone and back within one diff is no news.
    if (!room.leaves.delete(entry.ref)) room.joins.set(entry.ref, entry);
    this.#schedule(name, room);
  }

  #leave(name: string, ref: string): boolean {
    const room = this.#rooms.get(name);
    const entry = room?.entries.get(ref);
    if (!room || !entry) return false;
    room.entries.delete(ref);
    // Who came and went between two diffs was never there for the others, except for those who were sent the state.
    room.joins.delete(ref);
    room.leaves.set(ref, entry);
    this.#schedule(name, room);
    return true;
  }

  #open(name: string): Room {
    const room: Room = {
      entries: new Map(),
      joins: new Map(),
      leaves: new Map(),
      state: null,
      timer: null,
    };
    this.#rooms.set(name, room);
    return room;
  }

  #schedule(name: string, room: Room): void {
    room.state = null;
    if (room.timer) return;
    const wait = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, room.entries.size));
    room.timer = setTimeout(() => this.#tell(name, room), wait);
    room.timer.unref();
  }

  #tell(name: string, room: Room): void {
    const diff = `{"joins":${group(room.joins.values())},"leaves":${group(room.leaves.values())}}`;
    room.timer = null;
    room.joins.clear();
    room.leaves.clear();
    if (room.entries.size === 0) this.#rooms.delete(name);
    this.#options.onDiff(name, diff);
  }
}

/** `{key: {metas: […]}}`, as JSON. The keys are clients' words, so that none may mean anything to an object. */
function group(entries: Iterable<Entry>): string {
  const metas = new Map<string, string[]>();
  for (const { key, meta } of entries) {
    const list = metas.get(key);
    if (list) list.push(JSON.stringify(meta));
    else metas.set(key, [JSON.stringify(meta)]);
  }
  const members = [...metas].map(([key, list]) => `${JSON.stringify(key)}:{"metas":[${list.join(",")}]}`);
  return `{${members.join(",")}}`;
}
