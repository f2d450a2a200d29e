import { createHash } from "node:crypto";
import { Chance } from "#tests/helpers/chance.ts";

/** One process or tab: its pending work ends with it, and its clock may be wrong. */
export class Actor {
  readonly name: string;
  isAlive = true;
  /** In world time; until then its events are held back, then run in order. */
  frozenUntil = 0;
  /** How many milliseconds its clock is ahead. */
  skew = 0;

  constructor(name: string) {
    this.name = name;
  }
}

type Event = { at: number; order: number; actor: Actor; what: string; act(): void; isOff: boolean };

/** Drains pending promises; captured before any world replaces it. */
const { setImmediate: afterAll } = globalThis;
const settle = () => new Promise<void>((resolve) => afterAll(resolve));

const START = Date.UTC(2026, 0, 5, 12);

/** Time, randomness and ordering, all derived from one seed: the same seed is the same story. */
export class World extends Chance {
  now = START;
  /** The actor now running; work started now belongs to it. */
  current: Actor | null = null;
  isCalm = false;
  readonly #events: Event[] = [];
  readonly #trace = createHash("sha1");
  #order = 0;
  steps = 0;

  constructor(seed: number) {
    super(seed * 2654435761 + 1);
  }

  /** Milliseconds since the start, the same for all actors. */
  get elapsed(): number {
    return this.now - START;
  }

  /** Usually a few milliseconds, occasionally a second unless it is calm. */
  delay(): number {
    return !this.isCalm && this.chance(0.05) ? this.between(100, 1_500) : this.between(1, 40);
  }

  /** Records an event, to compare two runs. */
  note(what: string): void {
    this.#trace.update(`${this.now - START} ${what}\n`);
  }

  /** A digest of all events, 40 characters. */
  hash(): string {
    return this.#trace.copy().digest("hex");
  }

  schedule(actor: Actor, after: number, what: string, act: () => void): { isOff: boolean } {
    const event = { at: this.now + after, order: ++this.#order, actor, what, act, isOff: false };
    this.#push(event);
    return event;
  }

  /** Runs something as this actor, then waits until its immediate consequences are done. */
  async as(actor: Actor, act: () => void): Promise<void> {
    this.current = actor;
    act();
    await settle();
    this.current = null;
  }

  /** Runs for this many milliseconds; `after` is called after each step. */
  async run(milliseconds: number, after: () => void = () => {}): Promise<void> {
    const end = this.now + milliseconds;
    for (let event = this.#events[0]; event && event.at <= end; event = this.#events[0]) {
      this.#shift();
      if (event.isOff || !event.actor.isAlive) continue;
      this.now = Math.max(this.now, event.at);
      if (event.actor.frozenUntil > this.now) {
        event.at = event.actor.frozenUntil;
        this.#push(event);
        continue;
      }
      this.steps += 1;
      this.note(`${event.actor.name} ${event.what}`);
      await this.as(event.actor, event.act);
      after();
    }
    this.now = end;
  }

  // A binary heap: earliest first; events at the same time in the order they were scheduled.
  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isBefore(event, heap[up] as Event)) break;
      heap[at] = heap[up] as Event;
      at = up;
    }
    heap[at] = event;
  }

  #shift(): void {
    const heap = this.#events;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Event, heap[down] as Event)) down += 1;
      if (!isBefore(heap[down] as Event, last)) break;
      heap[at] = heap[down] as Event;
      at = down;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);
