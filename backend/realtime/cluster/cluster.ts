import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#backend/postgres/database.ts";
import type { Subscription } from "#backend/postgres/listen.ts";
import { isRecord } from "../protocol/message.ts";
import { PartReader, toParts } from "./chunks.ts";

/** What one process tells the others. */
export type News =
  | { kind: "broadcast"; room: string; event: string; json?: string; base64?: string }
  | { kind: "presence"; room: string; joins: Place[]; leaves: string[] };

/** One place in a presence list. */
export type Place = { ref: string; key: string; meta: Record<string, unknown> };

export type ClusterEvents = {
  onNews: (from: string, news: News) => void;
  /** Another process does not know what was told until now: it needs to hear everything that still holds. */
  onNeed: () => void;
  /** Nothing that this process told holds any more: it is gone, or begins anew. */
  onGone: (process: string) => void;
};

/** The processes that serve one database, found and heard through PostgreSQL's LISTEN and NOTIFY. */
export type Cluster = {
  /** Tells the others, if there are any. */
  tell(news: News): void;
  close(): Promise<void>;
};

const CHANNEL = "realtime_cluster";
/** So many signs of life may be missed before a process counts as gone. */
const MISSED = 2.5;
/** Letters that may wait for the database. Beyond them news are lost for the others, but for who is here: that is told anew. */
const MOST_UNSENT = 16_000_000;

type Envelope = { from: string; sign: "hello" | "alive" | "bye" | "news"; news?: News };

/** `id` is this process's own name among the others. */
export function openCluster(
  { database, id, signOfLifeMs }: { database: Database; id: string; signOfLifeMs: number },
  events: ClusterEvents,
): Cluster {
  const lastSign = new Map<string, number>();
  const reader = new PartReader();
  let counter = 0;
  let unsent = 0;
  let wasUnheard = false;
  let closed = false;
  let sending = Promise.resolve();

  function send(sign: Envelope["sign"], news?: News): void {
    const envelope = JSON.stringify({ from: id, sign, news } satisfies Envelope);
    if (unsent + envelope.length > MOST_UNSENT) {
      wasUnheard = true;
      return;
    }
    unsent += envelope.length;
    const parts = toParts(`${id}-${++counter}`, envelope);
    const text = "select pg_notify($1, part) from jsonb_array_elements_text($2::jsonb) as part";
    // One after the other: what is said first must be heard first.
    sending = sending
      .then(() => database.query(text, [CHANNEL, JSON.stringify(parts)]))
      .then(
        () => {},
        () => {
          wasUnheard = true;
        },
      )
      .finally(() => {
        unsent -= envelope.length;
      });
  }

  /** A hello takes back everything said before, so that nothing stands that was lost on the way. */
  function beginAnew(): void {
    wasUnheard = false;
    send("hello");
    events.onNeed();
  }

  function forget(process: string): void {
    if (lastSign.delete(process)) events.onGone(process);
  }

  function hear(payload: string | null): void {
    if (payload === null) {
      // The listener was away: what the others said meanwhile is lost. They will say it again.
      for (const process of [...lastSign.keys()]) forget(process);
      beginAnew();
      return;
    }
    const envelope = readEnvelope(reader.read(payload));
    if (!envelope || envelope.from === id) return;
    const { from, sign, news } = envelope;
    if (sign === "bye" || sign === "hello") forget(from);
    if (sign === "bye") return;
    const isNew = !lastSign.has(from);
    lastSign.set(from, Date.now());
    if (sign === "hello") send("alive");
    if (isNew) events.onNeed();
    if (news) events.onNews(from, news);
  }

  function beat(): void {
    if (wasUnheard) beginAnew();
    else send("alive");
    for (const [process, at] of lastSign) if (Date.now() - at > MISSED * signOfLifeMs) forget(process);
  }

  const listening = listenSurely(database, hear, () => closed);
  void listening.then((subscription) => subscription && beginAnew());
  const beating = setInterval(beat, signOfLifeMs);
  beating.unref();

  return {
    tell(news) {
      if (lastSign.size > 0) send("news", news);
    },
    async close() {
      closed = true;
      clearInterval(beating);
      send("bye");
      await sending;
      await (await listening)?.close();
    },
  };
}

const TRY_AGAIN_MS = 500;

/** A database that is down may come back; until then there are no others. Null when it was given up. */
async function listenSurely(
  database: Database,
  hear: (payload: string | null) => void,
  isGivenUp: () => boolean,
): Promise<Subscription | null> {
  while (!isGivenUp()) {
    const subscription = await database.listen(CHANNEL, hear).catch(() => null);
    if (subscription) return subscription;
    await wait(TRY_AGAIN_MS, undefined, { ref: false });
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
