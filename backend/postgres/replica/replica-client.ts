import { withTimeout } from "#backend/memory/with-timeout.ts";
import { connectDatabase, type Row, type Step } from "../database.ts";
import { DatabaseError, DatabaseUnavailableError } from "../database-error.ts";
import { formatLsn, type Lsn, parseLsn } from "../lsn.ts";

/** The replica's state. */
type Look = {
  /** Up to where commits are visible; null if it is not a replica. */
  replayed: Lsn | null;
  /** PostgreSQL's system identifier, shared by a cluster and its replicas. */
  system: string;
};

/** Why a read returned nothing: the replica is gone, behind `floor`, or cannot run the statement. */
export type Miss = "gone" | "behind" | "unfit" | "failed";

export type ReplicaClient = {
  /**
   * Rows that reflect everything up to `floor`, or why there are none. Rejects with errors that are the caller's fault.
   */
  read(steps: Step[], floor: Lsn, guest: string | undefined): Promise<Row[] | Miss>;
  /** Rejects on timeout. */
  look(): Promise<Look>;
  /** Releases everything that waits for an answer. */
  close(): void;
};

const ANSWER_WITHIN_MS = 2_000;

const LOOK = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as replayed, system_identifier as system
  from pg_control_system()`;
const SHOWS = "select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as shows";

/** Errors of statements that only a primary can run. */
const UNFIT = /^(0A000|25006|55000)/;
/** Missing definitions that may not have been replayed yet, conflicts with recovery, and the server's own failures. */
const FAILED = /^(40001|42703|42704|42883|42P01|53|57P|58|XX)/;

export function openReplica(options: { url: string; max: number; guests: number }): ReplicaClient {
  const reads = connectDatabase({ ...options, applicationName: "replica", acquireTimeout: ANSWER_WITHIN_MS });
  const looks = connectDatabase({
    url: options.url,
    max: 1,
    applicationName: "replica",
    acquireTimeout: ANSWER_WITHIN_MS,
  });
  const waiting = new Set<() => void>();
  /** Resolves with "gone" if the replica is closed before the answer. */
  const orGone = <T>(answer: Promise<T>) =>
    new Promise<T | "gone">((resolve, reject) => {
      const letGo = () => resolve("gone");
      waiting.add(letGo);
      answer.then(resolve, reject).finally(() => waiting.delete(letGo));
    });
  return {
    async read(steps, floor, guest) {
      try {
        const all = await orGone(reads.run(withCheck(steps, floor), { guest }));
        if (all === "gone") return all;
        const [shows] = all[checkAt(steps)] ?? [];
        return shows?.shows === "t" ? (all.at(-1) ?? []) : "behind";
      } catch (cause) {
        if (cause instanceof DatabaseUnavailableError) return "gone";
        const { code } = cause as DatabaseError;
        if (!(cause instanceof DatabaseError)) throw cause;
        if (UNFIT.test(code)) return "unfit";
        if (FAILED.test(code)) return "failed";
        throw cause;
      }
    },
    async look() {
      const rows = await withTimeout(orGone(looks.query(LOOK)), ANSWER_WITHIN_MS);
      if (rows === "gone") throw new Error("the connection was given up");
      const [row] = rows;
      return { replayed: row?.replayed ? parseLsn(row.replayed) : null, system: row?.system ?? "" };
    },
    close() {
      for (const letGo of waiting) letGo();
      // An unresponsive server does not answer the termination either.
      for (const each of [reads, looks]) void each.close().catch(() => {});
    },
  };
}

/** The check follows the step that sets the isolation level, which must come first. */
const checkAt = (steps: Step[]) => Number(steps[0]?.text.startsWith("SET transaction_isolation") ?? false);

function withCheck(steps: Step[], floor: Lsn): Step[] {
  return steps.toSpliced(checkAt(steps), 0, { text: SHOWS, values: [formatLsn(floor)] });
}
