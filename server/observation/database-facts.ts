import { connectDatabase } from "#backend/postgres/database.ts";
import type { DatabaseReport, MailReport } from "#domain/operation/operation-report.ts";
import { ARCHIVE_NAME } from "../wal-archive/receive-wal.ts";

/** Statistics from the database. */
export type DatabaseFacts = { database: DatabaseReport; mails: MailReport };

/** Contents of the storage; counted rarely, since that reads every row. */
export type StorageFacts = { objects: number; bytes: number };

export type FactsReader = {
  /** Null if the database does not answer. */
  database(): Promise<DatabaseFacts | null>;
  storage(): Promise<StorageFacts | null>;
  /** Seconds since the WAL archive last reported; null if unknown or not configured. */
  archiveSilence(): Promise<number | null>;
  close(): Promise<void>;
};

const PATIENCE_MS = 2_000;
const STORAGE_EVERY_MS = 5 * 60_000;

const FACTS = `
  select current_setting('server_version') as version,
    pg_database_size(current_database()) as bytes,
    (select count(*) from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections') as max_connections,
    (select greatest(max(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(confirmed_flush_lsn, restart_lsn))), 0)
       from pg_replication_slots) as slot_lag,
    (select count(*) from backend.mail_queue) as mails,
    (select count(*) from backend.mail_queue where tries > 0) as failing_mails,
    (select coalesce(extract(epoch from now() - min(created_at)), 0) from backend.mail_queue) as mail_age,
    (select count(*) from backend.lost_mails where lost_at > now() - interval '7 days') as lost_mails`;

const STORAGE = `
  select count(*) as objects, coalesce(sum((metadata ->> 'size')::bigint), 0) as bytes from storage.objects`;

/** The archiver reports each second, but only while its disk is there. */
const ARCHIVE_SILENCE = `
  select extract(epoch from clock_timestamp() - coalesce(
    (select reply_time from pg_stat_replication where application_name = '${ARCHIVE_NAME}'),
    (select inactive_since from pg_replication_slots where slot_name = '${ARCHIVE_NAME}'))) as seconds`;

/** @param url of the database's owner */
export function createFactsReader(url: string): FactsReader {
  const database = connectDatabase({
    url,
    max: 1,
    applicationName: "metrics",
    acquireTimeout: PATIENCE_MS,
    statementTimeout: PATIENCE_MS,
    answerTimeout: 2 * PATIENCE_MS,
  });
  let storage: StorageFacts | null = null;
  let countedAt = Number.NEGATIVE_INFINITY;
  return {
    async database() {
      const [row] = await database.query(FACTS).catch(() => []);
      if (!row) return null;
      // Measured on the second query: the first may have had to connect.
      const began = performance.now();
      await database.query("select 1").catch(() => []);
      return {
        database: {
          version: row.version ?? "",
          bytes: Number(row.bytes),
          connections: Number(row.connections),
          maxConnections: Number(row.max_connections),
          latencyMs: performance.now() - began,
          slotLagBytes: Number(row.slot_lag),
        },
        mails: {
          waiting: Number(row.mails),
          failing: Number(row.failing_mails),
          oldestSeconds: Number(row.mail_age),
          lost: Number(row.lost_mails),
        },
      };
    },
    async storage() {
      if (performance.now() - countedAt < STORAGE_EVERY_MS) return storage;
      countedAt = performance.now();
      const [row] = await database.query(STORAGE).catch(() => []);
      storage = row ? { objects: Number(row.objects), bytes: Number(row.bytes) } : null;
      return storage;
    },
    async archiveSilence() {
      const [row] = await database.query(ARCHIVE_SILENCE).catch(() => []);
      return row?.seconds == null ? null : Math.max(0, Number(row.seconds));
    },
    close: database.close,
  };
}
