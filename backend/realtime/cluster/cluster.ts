import type { Database } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import { isRecord } from "../protocol/message.ts";
import { PartReader, toParts } from "./chunks.ts";

/** A message from one process to the others. */
type ClusterMessage =
  | ({ kind: "broadcast"; room: string } & EncodedBroadcast)
  | { kind: "presence"; room: string; joins: PresenceEntry[]; leaves: string[] };

/** A broadcast as JSON can carry it. */
export type EncodedBroadcast = { event: string; json?: string; base64?: string };

/** One entry of a presence list. */
type PresenceEntry = { ref: string; key: string; meta: Record<string, unknown> };

export type ClusterEvents = {
  onMessage: (from: string, message: ClusterMessage) => void;
  /** Another process does not know this one's state; all of it must be published again. */
  onStateRequested: () => void;
  /** A process's state no longer counts: it has gone silent, or it announced its end or a new state. */
  onProcessGone: (process: string, isSilent: boolean) => void;
};

/** The processes that share one database; they discover each other through PostgreSQL's LISTEN and NOTIFY. */
export type Cluster = {
  /** Sends to all other processes, if there are any. */
  publish(message: ClusterMessage): void;
  close(): Promise<void>;
};

const CHANNEL = "realtime_cluster";
/** Another process counts as gone if this one has sent so many heartbeats since last hearing from it. */
const MISSED = 3;
/** Characters queued for the database. Messages beyond that are lost; presence is then published again. */
const MAX_UNSENT = 16_000_000;

/**
 * `hello`: discard my state, a full copy follows, send me yours. `welcome` answers it, followed by its sender's state.
 * Any other sign from an unknown process means that something it published was missed.
 */
type Sign = "hello" | "welcome" | "alive" | "bye" | "message";
type Envelope = { from: string; sign: Sign; message?: ClusterMessage };
type Send = (sign: Sign, message?: ClusterMessage) => void;

type ClusterOptions = {
  database: Database;
  /** This process's name in the cluster. */
  id: string;
  signOfLifeMs: number;
};

export function openCluster({ database, id, signOfLifeMs }: ClusterOptions, events: ClusterEvents): Cluster {
  /**
   * Own heartbeats since each process was last heard from. Not by the clock, which may jump or stand still with this
   * process.
   */
  const beatsSince = new Map<string, number>();
  const reader = new PartReader();
  let wasLost = false;
  const { send, sent } = createSender(database, id, () => {
    wasLost = true;
  });

  /** A hello replaces all state published before, so that no stale state survives a lost message. */
  function restart(): void {
    wasLost = false;
    send("hello");
    events.onStateRequested();
  }

  function forget(process: string, isSilent = false): void {
    if (beatsSince.delete(process)) events.onProcessGone(process, isSilent);
  }

  function receive(payload: string | null): void {
    if (payload === null) {
      // The listener was disconnected and missed messages; the hello makes the others send their state again.
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
    // The sender may not know that it counted as gone here, and would not send its state again by itself.
    if (isNew && sign !== "hello" && sign !== "welcome") restart();
    else if (isNew) events.onStateRequested();
    if (message) events.onMessage(from, message);
  }

  function beat(): void {
    if (wasLost) restart();
    else send("alive");
    for (const [process, beats] of [...beatsSince]) {
      if (beats + 1 >= MISSED) forget(process, true);
      else beatsSince.set(process, beats + 1);
    }
  }

  const notifications = listenWhenUp(database, CHANNEL, receive, restart);
  notifications.ensure();
  const beating = setInterval(beat, signOfLifeMs);
  beating.unref();

  return {
    publish(message) {
      if (beatsSince.size > 0) send("message", message);
    },
    async close() {
      clearInterval(beating);
      send("bye");
      await sent();
      await notifications.close();
    },
  };
}

/** Sends sequentially, to preserve the order. */
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

function readEnvelope(text: string | null): Envelope | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value.from === "string" ? (value as Envelope) : null;
  } catch {
    return null;
  }
}
