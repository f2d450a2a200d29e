import type { Addition } from "./chat-message.ts";
import type { Deliver, Outcome, Written } from "./deliver.ts";
import type { Failure } from "./describe-failure.ts";
import { type KeptText, RECENT } from "./kept-text.ts";
import { createPace } from "./pace.ts";
import type { RoomStore } from "./room-store.ts";

export type Outbox = {
  /** Shows a message at once and sends it after those before it; resolves to why it could not be sent, or null. */
  send(message: string, more?: Addition): Promise<Failure | null>;
  retry(id: string): Promise<Failure | null>;
  discard(id: string): void;
  /** The connection is back: sends waiting messages in order. */
  resume(): void;
  /** Restores messages unsent when the page was left, and keeps them saved until the returned function is called. */
  open(): () => void;
};

/** A message not stored yet; later ones wait for it, so that all are stored in the order they were written. */
type Entry = Written & { turn: number; tries: number; settle(failure: Failure | null): void };

const OFFLINE = "You’re offline. This message will be sent when you’re back.";
const AWAY = "The chat can't be reached right now. This message is sent as soon as it answers.";
const NOT_SENT: Failure = { sentence: "This message wasn’t sent before you left the page.", kind: "later" };

/** Retry interval while the connection is not reported as back, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export function createOutbox(
  deliver: Deliver,
  { current, change, subscribe }: RoomStore,
  kept: Pick<KeptText, "readOutgoing" | "writeOutgoing">,
): Outbox {
  let queue: Entry[] = [];
  const pace = createPace();
  let isRunning = false;
  /** Messages in flight when the page was left may be stored: the first read of the room tells. */
  let awaitsRead = false;
  let isOpen = false;
  let pause = FIRST_PAUSE;
  let waking: ReturnType<typeof setTimeout> | undefined;
  /** How often the connection came back. */
  let returns = 0;

  function add({ id, message, more, writtenAt }: Written): Promise<Failure | null> {
    const written = { id, message, more, writtenAt };
    const turn = pace.takeTurn(id, Date.now());
    show(written, turn);
    return new Promise((settle) => {
      queue.push({ ...written, turn, tries: 0, settle });
      void run();
    });
  }

  function show({ id, message, more, writtenAt }: Written, turn: number) {
    change({ type: "sending", id, message, more, writtenAt, ...(turn > Date.now() && { sendsAt: turn }) });
  }

  /** Sends one after another until all are sent or the first has to wait. */
  async function run() {
    clearTimeout(waking);
    if (isRunning || awaitsRead) return;
    isRunning = true;
    for (let first = queue[0]; first; first = queue[0]) {
      const before = returns;
      const outcome = await attempt(first);
      if (!queue.includes(first)) continue;
      if (outcome.kind === "later") postpone(first, outcome.at);
      else if (outcome.kind === "sent" || ++first.tries >= outcome.tries) end(first, outcome);
      // It was sent over a connection that was lost and came back while no answer arrived.
      else if (before === returns) {
        waitForLine();
        break;
      }
    }
    isRunning = false;
  }

  async function attempt(entry: Entry): Promise<Outcome> {
    await pace.comeTo(entry.id, entry.turn);
    if (!queue.includes(entry)) return { kind: "sent" };
    // A message marked as waiting stays marked until it is sent.
    if (entry.tries === 0) show(entry, 0);
    return await deliver(entry);
  }

  function postpone(entry: Entry, at: number) {
    entry.turn = at;
    show(entry, at);
  }

  function end(entry: Entry, outcome: Outcome) {
    queue = queue.filter((each) => each !== entry);
    if (outcome.kind === "sent") pause = FIRST_PAUSE;
    entry.settle("failure" in outcome ? fail(entry.id, outcome.failure) : null);
  }

  function fail(id: string, failure: Failure): Failure | null {
    change({ type: "send failed", id, failure });
    // Stored and received live: only its acknowledgement got lost.
    return isShown(id) ? failure : null;
  }

  function waitForLine() {
    const sentence = current().connection === "connected" ? AWAY : OFFLINE;
    for (const { id, settle } of queue) settle(fail(id, { sentence, kind: "later", waits: true }));
    // Received live: no longer in the queue.
    queue = queue.filter(({ id }) => isShown(id));
    if (isOpen) waking = setTimeout(run, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }

  function goOn() {
    awaitsRead = false;
    for (const each of queue.filter(({ id }) => !isShown(id))) end(each, { kind: "sent" });
    void run();
  }

  const isShown = (id: string) => current().outgoing.some((each) => each.id === id);

  /** The user retries a waiting message: those before it go first. */
  function runFor(waiting: Entry): Promise<Failure | null> {
    for (const each of queue) {
      each.tries = 0;
      show(each, each.turn);
    }
    return new Promise((settle) => {
      waiting.settle = settle;
      void run();
    });
  }

  return {
    send: (message, more) => add({ id: crypto.randomUUID(), message, more, writtenAt: Date.now() }),
    async retry(id) {
      const waiting = queue.find((each) => each.id === id);
      if (waiting) return runFor(waiting);
      const failed = current().outgoing.find((each) => each.id === id && each.failure);
      return failed ? add(failed) : null;
    },
    resume() {
      returns += 1;
      pause = FIRST_PAUSE;
      for (const each of queue) each.tries = Math.min(each.tries, 1);
      void run();
    },
    discard(id) {
      queue.find((each) => each.id === id)?.settle(null);
      queue = queue.filter((each) => each.id !== id);
      change({ type: "send settled", id });
      pace.giveUp(id);
    },
    open() {
      isOpen = true;
      const { status } = current();
      const unsent = kept.readOutgoing();
      awaitsRead = unsent.length > 0 && status === "loading";
      for (const { sendsAt, ...written } of unsent) {
        if (queue.some(({ id }) => id === written.id)) continue;
        const isRecent = Date.now() - (written.writtenAt ?? 0) < RECENT;
        // Waiting messages keep waiting; resending under the same id stores nothing twice.
        if (sendsAt || isRecent) void add(written);
        else {
          change({ type: "sending", ...written });
          change({ type: "send failed", id: written.id, failure: NOT_SENT });
        }
      }
      void run();
      const end = subscribe(() => {
        kept.writeOutgoing(current().outgoing);
        if (awaitsRead && current().status !== "loading") goOn();
      });
      return () => {
        isOpen = false;
        clearTimeout(waking);
        end();
      };
    },
  };
}
