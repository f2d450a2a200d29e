import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#backend/postgres/database.ts";
import type { Subscription } from "#backend/postgres/listen.ts";
import { isRecord } from "../protocol/message.ts";
import { PartReader, toParts } from "./chunks.ts";

/** What one process publishes to the others. */
type ClusterMessage =
  | { kind: "broadcast"; room: string; event: string; json?: string; base64?: string }
  | { kind: "presence"; room: string; joins: PresenceEntry[]; leaves: string[] };

/** One entry of a presence list. */
type PresenceEntry = { ref: string; key: string; meta: Record<string, unknown> };

export type ClusterEvents = {
  onMessage: (from: string, message: ClusterMessage) => void;
  /** Another process does not know this one's state: all of it has to be published again. */
  onStateRequested: () => void;
  /** The state of this process is void: it is gone, or starts over. */
  onProcessGone: (process: string) => void;
};

/** The processes that serve one database; they find each other through PostgreSQL's LISTEN and NOTIFY. */
export type Cluster = {
  /** To all other processes, if there are any. */
  publish(message: ClusterMessage): void;
  close(): Promise<void>;
};

const CHANNEL = "realtime_cluster";
/** So many of one's own signs of life without one of another process, and that one counts as gone. */
const MISSED = 3;
/** Characters that may wait for the database. What is beyond them is lost, but for presence, which is published again. */
const MAX_UNSENT = 16_000_000;

/**
 * `hello`: discard my state, all of it follows, send me yours. `welcome` answers it, followed by its sender's state.
 * Anything else from an unknown process means that something it published was missed.
 */
type Sign = "hello" | "welcome" | "alive" | "bye" | "message";
type Envelope = { from: string; sign: Sign; message?: ClusterMessage };
type Send = (sign: Sign, message?: ClusterMessage) => void;

type ClusterOptions = {
  database: Database;
  /** This process's own name among the others. */
  id: string;
  signOfLifeMs: number;
};

export function openCluster({ database, id, signOfLifeMs }: ClusterOptions, events: ClusterEvents): Cluster {
  /** Own signs of life since the last one of each. Not by the clock: it may jump, or stand still with this process. */
  const beatsSince = new Map<string, number>();
  const reader = new PartReader();
  let wasLost = false;
  let closed = false;
  const { send, sent } = createSender(database, id, () => {
    wasLost = true;
  });

  /** A hello replaces all state published before, so that nothing outlives a lost message. */
  function restart(): void {
    wasLost = false;
    send("hello");
    events.onStateRequested();
  }

  function forget(process: string): void {
    if (beatsSince.delete(process)) events.onProcessGone(process);
  }

  function receive(payload: string | null): void {
    if (payload === null) {
      // The listener was away and missed messages; the hello makes the others send theirs again.
      for (const process of [...beatsSince.keys()]) forget(process);
      restart();
      return;
    }
    const envelope = readEnvelope(reader.read(payload));
    if (envelope && envelope.from !== id) receiveFromOther(envelope);
  }

  function receiveFromOther({ from, sign, message }: Envelope): void {
    if (sign === "bye" || sign === "hello") forget(from);
    if (sign === "bye") return;
    const isNew = !beatsSince.has(from);
    beatsSince.set(from, 0);
    if (sign === "hello") send("welcome");
    // It may not know that it counted as gone here, and would not send its state by itself.
    if (isNew && sign !== "hello" && sign !== "welcome") restart();
    else if (isNew) events.onStateRequested();
    if (message) events.onMessage(from, message);
  }

  function beat(): void {
    if (wasLost) restart();
    else send("alive");
    for (const [process, beats] of [...beatsSince]) {
      if (beats + 1 >= MISSED) forget(process);
      else beatsSince.set(process, beats + 1);
    }
  }

  const listening = listenWithRetry(database, receive, () => closed);
  void listening.then((subscription) => subscription && restart());
  const beating = setInterval(beat, signOfLifeMs);
  beating.unref();

  return {
    publish(message) {
      if (beatsSince.size > 0) send("message", message);
    },
    async close() {
      closed = true;
      clearInterval(beating);
      send("bye");
      await sent();
      await (await listening)?.close();
    },
  };
}

/** Sends one after the other, so that the order is kept. */
function createSender(
  database: Database,
  id: string,
  onLost: () => void,
): { send: Send; sent(): Promise<void> } {
  let counter = 0;
  let unsent = 0;
  let sending = Promise.resolve();

  function send(sign: Sign, message?: ClusterMessage): void {
    const envelope = JSON.stringify({ from: id, sign, message } satisfies Envelope);
    if (unsent + envelope.length > MAX_UNSENT) {
      onLost();
      return;
    }
    unsent += envelope.length;
    const parts = toParts(`${id}-${++counter}`, envelope);
    const text = "select pg_notify($1, part) from jsonb_array_elements_text($2::jsonb) as part";
    sending = sending
      .then(() => database.query(text, [CHANNEL, JSON.stringify(parts)]))
      .then(() => {}, onLost)
      .finally(() => {
        unsent -= envelope.length;
      });
  }
  return { send, sent: () => sending };
}

const RETRY_DELAY_MS = 500;

/** A database that is down may come back; until then there are no others. Null once it was given up. */
async function listenWithRetry(
  database: Database,
  receive: (payload: string | null) => void,
  isGivenUp: () => boolean,
): Promise<Subscription | null> {
  while (!isGivenUp()) {
    const subscription = await database.listen(CHANNEL, receive).catch(() => null);
    if (subscription) return subscription;
    await wait(RETRY_DELAY_MS, undefined, { ref: false });
  }
  return null;
}

function readEnvelope(text: string | null): Envelope | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value.from === "string" ? (value as Envelope) : null;
  } catch {
    return null;
  }
}
