import type { Deliver, Outcome, Written } from "./deliver.ts";
import type { Failure } from "./describe-failure.ts";
import { createPace } from "./pace.ts";
import type { RoomStore } from "./room-store.ts";

/** A message not stored yet; later ones wait for it, so that all are stored in the order they were written. */
type Entry = Written & { turn: number; tries: number; settle(failure: Failure | null): void };

const OFFLINE = "You’re offline. This message will be sent when you’re back.";
const AWAY = "The chat can't be reached right now. This message is sent as soon as it answers.";

/** Retry interval while the connection is not reported as back, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** The ids of messages taken back. Shared by all queues, since that of a room left earlier goes on sending. */
const takenBack = new Set<string>();

/** Sends messages one after another, each as often as needed, and shows in the room how each fares. */
export class SendQueue {
  readonly #deliver: Deliver;
  readonly #store: RoomStore;
  readonly #pace = createPace();
  #entries: Entry[] = [];
  #isRunning = false;
  #awaitsRead = false;
  #isOpen = false;
  #pause = FIRST_PAUSE;
  #waking: ReturnType<typeof setTimeout> | undefined;
  /** How often the connection came back. */
  #returns = 0;

  constructor(deliver: Deliver, store: RoomStore) {
    this.#deliver = deliver;
    this.#store = store;
  }

  /** Shows a message at once and sends it after those before it; resolves to why it could not be sent, or null. */
  add({ id, message, more, writtenAt }: Written): Promise<Failure | null> {
    const written = { id, message, more, writtenAt };
    const turn = this.#pace.takeTurn(id, performance.now());
    this.#show(written, turn);
    return new Promise((settle) => {
      this.#entries.push({ ...written, turn, tries: 0, settle });
      void this.run();
    });
  }

  find(id: string): Entry | undefined {
    return this.#entries.find((each) => each.id === id);
  }

  remove(id: string): void {
    takenBack.add(id);
    this.find(id)?.settle(null);
    this.#entries = this.#entries.filter((each) => each.id !== id);
    this.#pace.giveUp(id);
  }

  /** Sends one after another until all are sent or the first has to wait. */
  async run(): Promise<void> {
    clearTimeout(this.#waking);
    if (this.#isRunning || this.#awaitsRead) return;
    this.#isRunning = true;
    for (let first = this.#entries[0]; first; first = this.#entries[0]) {
      const before = this.#returns;
      const outcome = await this.#attempt(first);
      if (!this.#entries.includes(first)) continue;
      if (outcome.kind === "later") this.#postpone(first, outcome.at);
      else if (outcome.kind === "sent" || ++first.tries >= outcome.tries) this.#end(first, outcome);
      // It was sent over a connection that was lost and came back while no answer arrived.
      else if (before === this.#returns) {
        this.#waitForLine();
        break;
      }
    }
    this.#isRunning = false;
  }

  /** The user retries a waiting message: those before it go first. */
  runFor(waiting: Entry): Promise<Failure | null> {
    for (const each of this.#entries) {
      each.tries = 0;
      this.#show(each, each.turn);
    }
    return new Promise((settle) => {
      waiting.settle = settle;
      void this.run();
    });
  }

  /** The connection is back: sends waiting messages in order. */
  resume(): void {
    this.#returns += 1;
    this.#pause = FIRST_PAUSE;
    for (const each of this.#entries) each.tries = Math.min(each.tries, 1);
    void this.run();
  }

  /**
   * Retries by itself until it is closed. Messages in flight when the page was left may be stored: with `awaitsRead`,
   * nothing is sent until the first read of the room tells.
   */
  open(awaitsRead: boolean): void {
    this.#isOpen = true;
    this.#awaitsRead = awaitsRead;
  }

  /** The room has been read: what is shown as stored was sent. */
  continueSending(): void {
    if (!this.#awaitsRead) return;
    this.#awaitsRead = false;
    for (const each of this.#entries.filter(({ id }) => !this.#isShown(id)))
      this.#end(each, { kind: "sent" });
    void this.run();
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#waking);
  }

  async #attempt(entry: Entry): Promise<Outcome> {
    await this.#pace.comeTo(entry.id, entry.turn);
    if (takenBack.has(entry.id) || !this.#entries.includes(entry)) return { kind: "sent" };
    // A message marked as waiting stays marked until it is sent.
    if (entry.tries === 0) this.#show(entry, 0);
    return await this.#deliver(entry);
  }

  #postpone(entry: Entry, at: number): void {
    entry.turn = at;
    this.#show(entry, at);
  }

  #end(entry: Entry, outcome: Outcome): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
    if (outcome.kind === "sent") this.#pause = FIRST_PAUSE;
    entry.settle("failure" in outcome ? this.#fail(entry.id, outcome.failure) : null);
  }

  #fail(id: string, failure: Failure): Failure | null {
    this.#store.change({ type: "send failed", id, failure });
    // Stored and received live: only its acknowledgement got lost.
    return this.#isShown(id) ? failure : null;
  }

  #waitForLine(): void {
    const sentence = navigator.onLine ? AWAY : OFFLINE;
    for (const { id, settle } of this.#entries)
      settle(this.#fail(id, { sentence, kind: "later", waits: true }));
    // Received live: no longer in the queue.
    this.#entries = this.#entries.filter(({ id }) => this.#isShown(id));
    if (this.#isOpen) this.#waking = setTimeout(() => this.run(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  #show({ id, message, more, writtenAt }: Written, turn: number): void {
    const sendsAt = turn > performance.now() && { sendsAt: turn };
    this.#store.change({ type: "sending", id, message, more, writtenAt, ...sendsAt });
  }

  #isShown(id: string): boolean {
    return this.#store.current().outgoing.some((each) => each.id === id);
  }
}
