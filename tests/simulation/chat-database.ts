import { type Database, DatabaseUnavailableError, type Row } from "#backend/postgres/database.ts";
import type { Change } from "#backend/realtime/feed/change-feed.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { answerBackend, asLogged, MESSAGES, type Message } from "./answer-backend.ts";
import { Actor, type World } from "./world.ts";

type Following = { actor: Actor; tell(change: Change): void; gap(): void; isLive: boolean; last: number };
type Listening = {
  actor: Actor;
  channel: string;
  tell(payload: string | null): void;
  isLive: boolean;
  last: number;
};

/** What the chat needs from PostgreSQL: a table, read permissions, a change log to follow, and notifications. */
export class ChatDatabase {
  readonly actor = new Actor("database");
  readonly world: World;
  /** Committed messages, in the room's order. */
  messages: Message[] = [];
  /** The user whose messages nobody else sees. */
  hidden: string;
  isUp = true;
  /** A deleted message cannot be stored again under its id. */
  #deleted = new Set<string>();
  #uncommitted = new Map<string, ((answer: Stored) => void)[]>();
  #followers = new Set<Following>();
  #listeners = new Set<Listening>();
  #moment = 0;
  #generation = 0;

  constructor(world: World, hidden: string) {
    this.world = world;
    this.hidden = hidden;
  }

  /** The messages a user may see, in the room's order. */
  seenBy(person: string): Message[] {
    return this.messages.filter((each) => this.mayRead(person, each));
  }

  /** The row-level security policy. */
  mayRead(person: string, { user_id }: Message): boolean {
    return user_id === person || user_id !== this.hidden;
  }

  /** Stores a message once; inserts that began later may commit earlier. */
  insert(row: Omit<Message, "created_at">, answer: (stored: Stored) => void): unknown {
    if (!this.isUp) return answer({ status: 503, code: "PGRST001" });
    const before = this.#uncommitted.get(row.id);
    if (before) return before.push(answer);
    const isKnown = this.#deleted.has(row.id) || this.messages.some(({ id }) => id === row.id);
    if (isKnown) return answer({ status: 409, code: "23505" });
    const since = new Date(this.world.now - LIMITS.chat.windowSeconds * 1000).toISOString();
    const recent = this.messages.filter((each) => each.user_id === row.user_id && each.created_at > since);
    if (recent.length >= LIMITS.chat.perWindow) return answer({ status: 429, code: "PT429", hint: "2" });
    const waiting: ((stored: Stored) => void)[] = [];
    this.#uncommitted.set(row.id, waiting);
    const message = { ...row, created_at: this.#clock() };
    const generation = this.#generation;
    return this.world.schedule(this.actor, this.world.between(1, 30), "commit", () => {
      this.#uncommitted.delete(row.id);
      const isLost = !this.isUp || generation !== this.#generation;
      if (!isLost) this.#commit(message);
      answer(isLost ? { status: 503, code: "PGRST001" } : { status: 201, message });
      for (const each of waiting)
        each(isLost ? { status: 503, code: "PGRST001" } : { status: 409, code: "23505" });
    });
  }

  remove(person: string, id: string): boolean {
    const gone = this.messages.find((each) => each.id === id && each.user_id === person);
    if (!gone || !this.isUp) return false;
    this.messages = this.messages.filter((each) => each !== gone);
    this.#deleted.add(id);
    this.#tell("DELETE", gone);
    return true;
  }

  /** Stops immediately and comes back; uncommitted rows and all connections are lost. */
  restart(after: number): void {
    this.isUp = false;
    this.#generation += 1;
    for (const each of this.#followers) this.breakFeed(each.actor, after);
    for (const each of this.#listeners) this.breakNotifications(each.actor, after);
    this.world.schedule(this.actor, after, "up", () => {
      this.isUp = true;
    });
  }

  /** Changes committed until it is back are not delivered, and the feed reports a gap. */
  breakFeed(actor: Actor, after: number): void {
    for (const each of this.#followers) {
      if (each.actor !== actor || !each.isLive) continue;
      each.isLive = false;
      this.world.schedule(this.actor, after, "feed back", () => {
        each.isLive = true;
        this.#inOrder(each, "gap", each.gap);
      });
    }
  }

  breakNotifications(actor: Actor, after: number): void {
    for (const each of this.#listeners) {
      if (each.actor !== actor || !each.isLive) continue;
      each.isLive = false;
      this.world.schedule(this.actor, after, "listener back", () => {
        each.isLive = true;
        this.#inOrder(each, "listening again", () => each.tell(null));
      });
    }
  }

  follow(actor: Actor, tell: (change: Change) => void, gap: () => void): void {
    const following = { actor, tell, gap, isLive: true, last: 0 };
    this.#followers.add(following);
    this.#inOrder(following, "gap", gap);
  }

  /** The database as one of the backend's processes sees it. */
  databaseFor(actor: Actor): Database {
    const query = (text: string, values: (string | null)[] = []) =>
      this.#ask(actor, () => answerBackend(text, values, this));
    return {
      query,
      batch: (steps) => query(steps.at(-1)?.text ?? "", steps.at(-1)?.values as string[]),
      run: () => Promise.reject(new Error("nobody runs several")),
      transaction: () => Promise.reject(new Error("nobody opens one")),
      listen: (channel, tell) =>
        this.#ask(actor, () => {
          const listening = { actor, channel, tell, isLive: true, last: 0 };
          this.#listeners.add(listening);
          return { close: async () => void this.#listeners.delete(listening) };
        }),
      diskFailed: () => false,
      use: () => ({ max: 1, available: 1, waiting: 0, timeouts: 0 }),
      close: async () => {},
    };
  }

  #ask<T>(actor: Actor, work: () => T): Promise<T> {
    const { world } = this;
    return new Promise((resolve, reject) => {
      world.schedule(this.actor, world.between(1, 15), "question", () => {
        let settle: () => void;
        try {
          if (!this.isUp) throw new DatabaseUnavailableError("connection", new Error("it is down"));
          const result = work();
          settle = () => resolve(result);
        } catch (cause) {
          settle = () => reject(cause);
        }
        world.schedule(actor, world.between(1, 15), "answer", settle);
      });
    });
  }

  /** Notifies every listener. */
  notify(channel: string, payloads: string[]): Row[] {
    for (const each of this.#listeners) {
      if (each.channel !== channel || !each.isLive) continue;
      for (const payload of payloads) this.#inOrder(each, "notification", () => each.tell(payload));
    }
    return [];
  }

  #commit(message: Message): void {
    this.world.note(`stored ${message.message}`);
    this.messages = [...this.messages, message].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    this.#tell("INSERT", message);
  }

  #tell(type: "INSERT" | "DELETE", message: Message): void {
    const row = asLogged(message);
    const is = {
      schema: MESSAGES.schema,
      table: MESSAGES.name,
      relation: MESSAGES,
      committedAt: this.world.now,
      position: 0n,
    };
    const change: Change =
      type === "INSERT"
        ? { ...is, type, row, oldRow: null }
        : { ...is, type, row: null, oldRow: { id: message.id } };
    for (const each of this.#followers)
      if (each.isLive) this.#inOrder(each, "change", () => each.tell(change));
  }

  /** Messages on one connection arrive in the order they were sent. */
  #inOrder(to: { actor: Actor; last: number }, what: string, act: () => void): void {
    const { world } = this;
    to.last = Math.max(to.last, world.now + world.delay());
    world.schedule(to.actor, to.last - world.now, what, act);
  }

  #clock(): string {
    this.#moment += 1;
    const micro = String(this.#moment % 1000).padStart(3, "0");
    return `${new Date(this.world.now).toISOString().slice(0, 23)}${micro}Z`;
  }
}

/** The outcome of a request to store something. */
export type Stored =
  | { status: 201; message: Message }
  | { status: 409 | 429 | 503; code: string; hint?: string };
