import { createHash } from "node:crypto";
import { Chance } from "#tests/helpers/chance.ts";

/** One process or one tab: what it began ends with it, and its clock may be wrong. */
export class Actor {
  readonly name: string;
  isAlive = true;
  /** In the world's time; until then nothing happens in it, and then all of it, in order. */
  frozenUntil = 0;
  /** How far its clock is ahead, in milliseconds. */
  skew = 0;

  constructor(name: string) {
    this.name = name;
  }
}

type Event = { at: number; order: number; actor: Actor; what: string; act(): void; isOff: boolean };

/** Lets all that was promised be done; taken before any world replaces it. */
const { setImmediate: afterAll } = globalThis;
const settle = () => new Promise<void>((resolve) => afterAll(resolve));

const START = Date.UTC(2026, 0, 5, 12);

/** Time, chance and order, all of them from one seed: the same seed is the same story. */
export class World extends Chance {
  now = START;
  /** Whose turn it is; what is begun now is begun by it. */
  current: Actor | null = null;
  isCalm = false;
  readonly #events: Event[] = [];
  readonly #trace = createHash("sha1");
  #order = 0;
  steps = 0;

  constructor(seed: number) {
    super(seed * 2654435761 + 1);
  }

  /** Milliseconds since it began, for everybody alike. */
  get elapsed(): number {
    return this.now - START;
  }

  /** Mostly a few milliseconds, now and then a second while it is not calm. */
  delay(): number {
    return !this.isCalm && this.chance(0.05) ? this.between(100, 1_500) : this.between(1, 40);
  }

  /** What happened, for comparing two runs. */
  note(what: string): void {
    this.#trace.update(`${this.now - START} ${what}\n`);
  }

  /** All that happened, in 40 letters. */
  hash(): string {
    return this.#trace.copy().digest("hex");
  }

  schedule(actor: Actor, after: number, what: string, act: () => void): { isOff: boolean } {
    const event = { at: this.now + after, order: ++this.#order, actor, what, act, isOff: false };
    this.#push(event);
    return event;
  }

  /** Does something as this actor, and waits until all that follows at once is done. */
  async as(actor: Actor, act: () => void): Promise<void> {
    this.current = actor;
    act();
    await settle();
    this.current = null;
  }

  /** Goes on for so many milliseconds; `after` looks at everything after each step. */
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

  // A heap: earliest first, and of the same moment what was planned first.
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
