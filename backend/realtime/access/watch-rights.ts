import type { Database } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import type { Identity } from "#backend/tokens/identity.ts";

/** Notified when rights change; the payload is a user id, or empty for all users. */
const CHANNEL = "realtime_rights";
const TICK = 1_000;
/** Without a notification, rights are refreshed this often, a few channels per tick, least recently checked first. */
const REFRESH_EVERY = 3_000;
const MAX_PER_TICK = 10;
const PAUSE_AFTER_FAILURE = 10_000;

type Holder = {
  identity: Identity;
  /** From `performance.now()`, so that setting the system clock back delays no check. */
  rightsCheckedAt: number;
};

type Watch<H extends Holder> = {
  database: Database;
  /** Channels whose rights depend on policies. */
  holders(): Iterable<H>;
  /** Rejects when the database does not answer. */
  refresh(holder: H): Promise<void>;
};

/**
 * Refreshes the rights of open channels: immediately after a notification, and all of them periodically, since a policy
 * may depend on data that triggers no notification. A refresh costs writes that are rolled back, hence the limit per
 * tick.
 */
export function watchRights<H extends Holder>({ database, holders, refresh }: Watch<H>): () => void {
  let pausedUntil = 0;

  async function refreshAll(chosen: readonly H[]): Promise<void> {
    const results = await Promise.allSettled(chosen.map(refresh));
    if (results.some(({ status }) => status === "rejected"))
      pausedUntil = performance.now() + PAUSE_AFTER_FAILURE;
  }

  const notifications = listenWhenUp(database, CHANNEL, (payload) => {
    // Null: the listener was disconnected and may have missed notifications.
    const isMeant = ({ identity }: H) => !payload || identity.claims.sub === payload;
    void refreshAll([...holders()].filter(isMeant));
  });

  function tick(): void {
    notifications.ensure();
    const now = performance.now();
    if (now < pausedUntil) return;
    const due = [...holders()].filter(({ rightsCheckedAt }) => now - rightsCheckedAt >= REFRESH_EVERY);
    void refreshAll(due.sort((a, b) => a.rightsCheckedAt - b.rightsCheckedAt).slice(0, MAX_PER_TICK));
  }

  notifications.ensure();
  const timer = setInterval(tick, TICK);
  timer.unref();
  return () => {
    clearInterval(timer);
    void notifications.close();
  };
}
