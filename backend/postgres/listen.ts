import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { toDatabaseError } from "./database-error.ts";

export type Subscription = { close(): Promise<void> };

const FIRST_DELAY = 100;
const LONGEST_DELAY = 2_000;

/** Where to listen, and for how many milliseconds a database may stay silent before the connection counts as failed. */
type ListeningDoor = { url: string; patience: number };

/**
 * Keeps one connection listening on `channel`, through any number of lost connections. After each return the payload
 * is `null`, since whatever was notified meanwhile is gone.
 */
export async function listen(
  { url, patience }: ListeningDoor,
  channel: string,
  onPayload: (payload: string | null) => void,
): Promise<Subscription> {
  let closed = false;
  let client = await open();

  async function open(): Promise<Client> {
    const next = new Client({
      connectionString: url,
      application_name: `${channel} listener`,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    next.on("error", () => {});
    next.on("notification", (message) => onPayload(message.payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (cause) {
      // Nobody waits for it: a database that is silent does not say farewell either.
      next.end().catch(() => {});
      throw toDatabaseError(cause);
    }
    next.once("end", () => void reopen());
    return next;
  }

  async function reopen(): Promise<void> {
    for (let delay = FIRST_DELAY; !closed; delay = Math.min(delay * 2, LONGEST_DELAY)) {
      await wait(delay, undefined, { ref: false });
      const next = closed ? null : await open().catch(() => null);
      if (!next) continue;
      client = next;
      if (closed) await next.end();
      else onPayload(null);
      return;
    }
  }

  return {
    async close() {
      closed = true;
      await client.end().catch(() => {});
    },
  };
}

type Listener = {
  listen(channel: string, onPayload: (payload: string | null) => void): Promise<Subscription>;
};

/**
 * A subscription for which the database need not be up yet: `ensure` makes it where there is none, and may be called
 * any number of times; a try that failed is repeated by the next call. None is made after `close`. `listens` waits for the
 * try that is under way. `onFirst` is called when it listens at last: what was notified before was heard by nobody.
 */
export function listenWhenUp(
  database: Listener,
  channel: string,
  onPayload: (payload: string | null) => void,
  onFirst: () => void = () => {},
): { ensure(): void; listens(): Promise<void>; close(): Promise<void> } {
  let subscription: Promise<Subscription> | null = null;
  let closed = false;
  return {
    ensure() {
      if (closed || subscription) return;
      subscription = database.listen(channel, onPayload);
      subscription.then(onFirst, () => {
        subscription = null;
      });
    },
    async listens() {
      await subscription?.catch(() => {});
    },
    async close() {
      closed = true;
      await subscription?.then((active) => active.close()).catch(() => {});
    },
  };
}
