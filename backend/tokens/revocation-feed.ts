import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import {
  connectDatabase,
  type Database,
  DatabaseError,
  DatabaseUnavailableError,
} from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import type { Revocations } from "./revocations.ts";

export type RevocationFeed = Revocations & {
  /** Whether the database has a revocations table at all. */
  isKept(): boolean;
  close(): Promise<void>;
};

const CHANNEL = "backend_revocations";
/** Polling interval in milliseconds, since notifications may be lost with their connection. */
const LOOK_EVERY = 2_000;
const ANSWER_WITHIN = 2_000;
/** Once the table has been unreadable for this long, open channels are no longer trusted. */
const LOST_AFTER = 3_000;
/** A full read also drops entries that were deleted from the table. */
const READ_ALL_EVERY = 3_600_000;
/** Undefined table, undefined schema, or insufficient privilege. */
const NOT_KEPT = new Set(["42P01", "3F000", "42501"]);

// A row of a transaction in progress is not visible, but its xid is not below `seen`, so the next poll finds it.
const LOOK = `
  select subject, extract(epoch from until) * 1000 as until, seen
  from (select pg_snapshot_xmin(pg_current_snapshot()) as seen) as now
  left join backend.revocations on written_by >= $1::xid8`;

/**
 * Follows `backend.revocations` on dedicated connections, so that a busy pool causes no delay. Resolves after the first
 * poll, even if it failed: polling continues, and until one succeeds the feed is not current.
 */
export async function openRevocationFeed(url: string, prepared = true): Promise<RevocationFeed> {
  const database = connectDatabase({
    prepared,
    url,
    max: 1,
    acquireTimeout: ANSWER_WITHIN,
    answerTimeout: 2 * ANSWER_WITHIN,
    // A pooler does not support this connection parameter.
    ...(prepared && { statementTimeout: ANSWER_WITHIN }),
    applicationName: "revocations",
  });
  return followRevocations(database);
}

/** The same with an existing database, which is closed with the feed. */
export async function followRevocations(database: Database): Promise<RevocationFeed> {
  const table = createTableCopy(database);
  const notifications = listenWhenUp(database, CHANNEL, () => void look());
  const looks = setInterval(() => void look(), LOOK_EVERY);
  looks.unref();

  async function look(): Promise<void> {
    await table.refresh().catch(() => {});
    if (!table.isKept()) clearInterval(looks);
  }

  notifications.ensure();
  await look();
  return {
    ...table,
    async close() {
      clearInterval(looks);
      await notifications.close();
      await database.close();
    },
  };
}

/** An in-memory copy of the revocations, as of the last successful read. */
function createTableCopy(database: Database): Omit<RevocationFeed, "close"> {
  let revoked = new Map<string, number>();
  let seen = "0";
  let readAllAt = Number.NEGATIVE_INFINITY;
  let isCurrent = false;
  let isKept = true;
  let lostSince = performance.now();

  async function look(): Promise<void> {
    try {
      if (isKept) await read();
    } catch (cause) {
      const isAbsent = readAllAt < 0 && cause instanceof DatabaseError && NOT_KEPT.has(cause.code);
      if (!isAbsent) {
        if (isCurrent) lostSince = performance.now();
        isCurrent = false;
        throw new DatabaseUnavailableError("connection", cause);
      }
      isKept = false;
    }
    isCurrent = true;
  }

  async function read(): Promise<void> {
    const isWhole = performance.now() - readAllAt > READ_ALL_EVERY;
    const rows = await withTimeout(database.query(LOOK, [isWhole ? "0" : seen]), ANSWER_WITHIN);
    if (isWhole) {
      revoked = new Map();
      readAllAt = performance.now();
    }
    for (const { subject, until } of rows) if (subject) revoked.set(subject, Number(until));
    seen = rows[0]?.seen ?? seen;
  }

  return {
    has: ({ session_id: session, sub }) => {
      const now = Date.now();
      const isRevoked = (id: unknown) => typeof id === "string" && (revoked.get(id) ?? 0) > now;
      return isRevoked(session) || isRevoked(sub);
    },
    isCurrent: () => isCurrent,
    isLost: () => !isCurrent && performance.now() - lostSince > LOST_AFTER,
    isKept: () => isKept,
    refresh: coalesceRuns(look).next,
  };
}
