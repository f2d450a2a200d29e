import type { Database } from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import type { Identity } from "#backend/tokens/identity.ts";

/** Notified when rights change: the payload is the id of a person, or empty for everybody. */
const CHANNEL = "realtime_rights";
const TICK = 1_000;
/** Without a notification, rights are refreshed this often, a few at a time, the longest unchecked first. */
const REFRESH_EVERY = 3_000;
const MAX_PER_TICK = 10;
const PAUSE_AFTER_FAILURE = 10_000;

type Holder = {
  identity: Identity;
  /** By `performance.now()`: a clock that is set back puts no check off. */
  rightsCheckedAt: number;
};

type Watch<H extends Holder> = {
  database: Database;
  /** Those whose rights follow from policies. */
  holders(): Iterable<H>;
  /** Rejects when the database does not answer. */
  refresh(holder: H): Promise<void>;
};

/**
 * Refreshes the rights of open channels: at once after a notification, and all in turns, since a policy may read what
 * nothing notifies of. A refresh costs writes that are rolled back, hence the limit.
 */
export function watchRights<H extends Holder>({ database, holders, refresh }: Watch<H>): () => void {
  let pausedUntil = 0;

  async function refreshAll(chosen: readonly H[]): Promise<void> {
    const results = await Promise.allSettled(chosen.map(refresh));
    if (results.some(({ status }) => status === "rejected"))
      pausedUntil = performance.now() + PAUSE_AFTER_FAILURE;
  }

  const notifications = listenWhenUp(database, CHANNEL, (payload) => {
    // Null: the listener was away and may have missed something.
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
