import { inTime } from "#backend/memory/in-time.ts";
import { shareRuns } from "#backend/memory/share-runs.ts";
import {
  connectDatabase,
  type Database,
  DatabaseError,
  DatabaseUnavailableError,
} from "#backend/postgres/database.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import type { Revocations } from "./revocations.ts";

export type RevocationFeed = Revocations & {
  /** Whether the database keeps revocations at all. */
  isKept(): boolean;
  close(): Promise<void>;
};

const CHANNEL = "backend_revocations";
/** A notification may get lost with its connection, so the table is looked at in any case, in milliseconds. */
const LOOK_EVERY = 2_000;
const ANSWER_WITHIN = 2_000;
/** Unable to look for so long, open channels are not left to themselves any more. */
const LOST_AFTER = 3_000;
/** What is forgotten in the table is forgotten here too. */
const READ_ALL_EVERY = 3_600_000;
/** No such table, no such schema, or not for this login. */
const NOT_KEPT = new Set(["42P01", "3F000", "42501"]);

// A row that a transaction still under way wrote is not seen, but is not older than `seen` either: the next look finds it.
const LOOK = `
  select subject, extract(epoch from until) * 1000 as until, seen
  from (select pg_snapshot_xmin(pg_current_snapshot()) as seen) as now
  left join backend.revocations on written_by >= $1::xid8`;

/**
 * Follows `backend.revocations` on connections of its own, so that a busy pool delays nothing. Resolves after the first
 * look, also where that failed: then the next ones go on trying, and meanwhile nothing is current.
 */
export async function openRevocationFeed(url: string, prepared = true): Promise<RevocationFeed> {
  const database = connectDatabase({
    prepared,
    url,
    max: 1,
    acquireTimeout: ANSWER_WITHIN,
    // A pooler knows no such setting of a connection.
    ...(prepared && { statementTimeout: ANSWER_WITHIN }),
    applicationName: "revocations",
  });
  return followRevocations(database);
}

/** The same on connections that are there; they are closed with it. */
export async function followRevocations(database: Database): Promise<RevocationFeed> {
  const table = createTableCopy(database);
  const notifications = listenWhenUp(database, CHANNEL, () => void look());
  const looks = setInterval(() => void look(), LOOK_EVERY);
  looks.unref();

  async function look(): Promise<void> {
    if (table.isKept()) notifications.ensure();
    await table.refresh().catch(() => {});
    if (!table.isKept()) clearInterval(looks);
  }

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

/** What of the table is in force, as of the last time that it could be read. */
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
    const rows = await inTime(database.query(LOOK, [isWhole ? "0" : seen]), ANSWER_WITHIN);
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
    refresh: shareRuns(look).next,
  };
}
