import { Client } from "pg";
import { DatabaseUnavailableError } from "./database-error.ts";
import { reopen } from "./reopen.ts";

export type Subscription = { close(): Promise<void> };

/** Where to listen, and how many milliseconds the database may be silent before the connection counts as failed. */
type ListenOptions = { url: string; patience: number };

/**
 * Keeps a connection listening on `channel`, reconnecting as often as needed. After each reconnection it calls back
 * with `null`, since notifications sent meanwhile are lost.
 */
export async function listen(
  { url, patience }: ListenOptions,
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
      // Not awaited: an unresponsive database does not answer the termination either.
      next.end().catch(() => {});
      throw new DatabaseUnavailableError("connection", cause);
    }
    // It only reads from here on: without a question, it would not notice that a firewall dropped the connection.
    const questions = setInterval(() => {
      next.query("select 1").catch(() => next.connection.stream.destroy());
    }, patience).unref();
    next.once("end", () => {
      clearInterval(questions);
      void listenAgain();
    });
    return next;
  }

  async function listenAgain(): Promise<void> {
    const next = await reopen(open, () => closed);
    if (!next) return;
    client = next;
    if (closed) await next.end();
    else onPayload(null);
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

const RETRY_MS = 500;

/**
 * A subscription that does not need the database to be up yet: `ensure` subscribes if there is no subscription, and may
 * be called any number of times; a failed attempt is retried until one succeeds. After `close` it does nothing.
 * `listens` waits for the pending attempt. `onFirst` is called once it listens; earlier notifications were missed.
 */
export function listenWhenUp(
  database: Listener,
  channel: string,
  onPayload: (payload: string | null) => void,
  onFirst: () => void = () => {},
): { ensure(): void; listens(): Promise<void>; close(): Promise<void> } {
  let subscription: Promise<Subscription> | null = null;
  let closed = false;
  function ensure(): void {
    if (closed || subscription) return;
    subscription = database.listen(channel, onPayload);
    subscription.then(onFirst, () => {
      subscription = null;
      setTimeout(ensure, RETRY_MS).unref();
    });
  }
  return {
    ensure,
    async listens() {
      await subscription?.catch(() => {});
    },
    async close() {
      closed = true;
      await subscription?.then((active) => active.close()).catch(() => {});
    },
  };
}
