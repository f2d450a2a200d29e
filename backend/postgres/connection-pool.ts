import { Client, type ClientConfig } from "pg";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { createWaitingLines, type Waiter } from "./waiting-lines.ts";

/** A connection, and what the pool knows of it. */
export type PooledConnection = {
  readonly client: Client;
  readonly openedAt: number;
  idleSince: number;
  isLost: boolean;
};

export type ConnectionPool = {
  /** Whoever came first gets the next one; guests wait behind others while they have as many as they may. */
  take(isGuest: boolean): Promise<PooledConnection>;
  /** What `take` gave to a guest, or not; one that is spent is not used again. */
  giveBack(connection: PooledConnection, how: { isGuest: boolean; isSpent: boolean }): void;
  use(): { max: number; available: number; waiting: number };
  /** Resolves when the last one was given back. */
  close(): Promise<void>;
};

export type ConnectionPoolOptions = {
  connection: ClientConfig;
  /** Connections at most, and how many of them guests may have at a time. */
  max: number;
  guests: number;
  /** Milliseconds: for a connection, until an unused one is closed, and until any is replaced. */
  longestWait: number;
  idleFor: number;
  lifetime: number;
};

/** Unused connections are looked at so often in the shortest of their times, and in an hour. */
const LOOKS = 4;
const HOUR_MS = 3_600_000;

/** Connections that requests use in turns, opened when they are needed. */
export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const { connection, max, guests, longestWait, idleFor, lifetime } = options;
  const lines = createWaitingLines<PooledConnection>(longestWait, guests);
  /** The one used last comes last, and is used next. */
  const idle: PooledConnection[] = [];
  const isOld = ({ openedAt }: PooledConnection) => Date.now() - openedAt >= lifetime;
  let open = 0;
  let closing: PromiseWithResolvers<void> | null = null;
  const looks = setInterval(closeUnused, Math.min(idleFor, lifetime, HOUR_MS) / LOOKS).unref();

  function advance(): void {
    while (idle.length > 0 || open < max) {
      const waiter = lines.takeFirst();
      if (!waiter) return;
      const ready = idle.pop();
      if (ready) waiter.resolve(ready);
      else void openFor(waiter);
    }
  }

  async function openFor(waiter: Waiter<PooledConnection>): Promise<void> {
    open++;
    try {
      waiter.resolve(await openConnection(connection, lose));
    } catch (cause) {
      if (waiter.isGuest) lines.guestLeft();
      forget();
      waiter.reject(toDatabaseError(cause));
    }
  }

  function lose(lost: PooledConnection): void {
    lost.isLost = true;
    const at = idle.indexOf(lost);
    if (at < 0) return;
    idle.splice(at, 1);
    end(lost);
  }

  /** The server may be frozen: nobody waits until it has heard. */
  function end({ client }: PooledConnection): void {
    client.end().catch(() => {});
    forget();
  }

  function forget(): void {
    open--;
    if (open === 0) closing?.resolve();
    advance();
  }

  function closeUnused(): void {
    for (const one of [...idle]) if (Date.now() - one.idleSince >= idleFor || isOld(one)) lose(one);
  }

  return {
    take: (isGuest) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(new DatabaseUnavailableError("connection", undefined));
        lines.add({ isGuest, since: Date.now(), resolve, reject });
        advance();
        lines.watch();
      }),
    giveBack(used, { isGuest, isSpent }) {
      if (isGuest) lines.guestLeft();
      if (isSpent || used.isLost || closing || isOld(used)) return end(used);
      used.idleSince = Date.now();
      idle.push(used);
      advance();
    },
    use: () => ({ max, available: max - open + idle.length, waiting: lines.count() }),
    async close() {
      closing = Promise.withResolvers();
      clearInterval(looks);
      lines.refuseAll(new DatabaseUnavailableError("connection", undefined));
      for (const one of [...idle]) lose(one);
      if (open > 0) await closing.promise;
    },
  };
}

async function openConnection(
  config: ClientConfig,
  onLost: (lost: PooledConnection) => void,
): Promise<PooledConnection> {
  const client = new Client(config);
  const opened = { client, openedAt: Date.now(), idleSince: 0, isLost: false };
  // What runs on it meanwhile gets the error too; without a listener it would end the process.
  client.on("error", () => onLost(opened));
  await client.connect();
  return opened;
}
