import { inTime } from "#backend/memory/in-time.ts";
import { connectDatabase, type Row, type Step } from "../database.ts";
import { DatabaseError, DatabaseUnavailableError } from "../database-error.ts";
import { formatPosition, type Position, parsePosition } from "../position.ts";

/** What a replica says of itself. */
type Look = {
  /** Up to where it shows what was committed; null for one that is none. */
  replayed: Position | null;
  /** By which PostgreSQL knows a cluster and all its copies. */
  system: string;
};

/** Why a read gave nothing: the replica is gone, shows less than it must, or cannot run it. */
export type Miss = "gone" | "behind" | "unfit" | "failed";

export type ReplicaDoor = {
  /** Rows that show everything up to `floor`, or why there are none. Rejects with what the caller did wrong. */
  read(steps: Step[], floor: Position, guest: string | undefined): Promise<Row[] | Miss>;
  /** Rejects where no answer comes in time. */
  look(): Promise<Look>;
  /** Lets go of whatever waits for an answer. */
  close(): void;
};

const ANSWER_WITHIN_MS = 2_000;

const LOOK = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as replayed, system_identifier as system
  from pg_control_system()`;
const SHOWS = "select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as shows";

/** What only a primary runs. */
const UNFIT = /^(0A000|25006|55000)/;
/** A definition that has not come yet, a conflict with what comes, and the server's own faults. */
const FAILED = /^(40001|42703|42704|42883|42P01|53|57P|58|XX)/;

export function openReplica(options: { url: string; max: number; guests: number }): ReplicaDoor {
  const reads = connectDatabase({ ...options, applicationName: "replica", acquireTimeout: ANSWER_WITHIN_MS });
  const looks = connectDatabase({
    url: options.url,
    max: 1,
    applicationName: "replica",
    acquireTimeout: ANSWER_WITHIN_MS,
  });
  const waiting = new Set<() => void>();
  /** Whoever waits for an answer is let go when the door closes. */
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
      const rows = await inTime(orGone(looks.query(LOOK)), ANSWER_WITHIN_MS);
      if (rows === "gone") throw new Error("the connection was given up");
      const [row] = rows;
      return { replayed: row?.replayed ? parsePosition(row.replayed) : null, system: row?.system ?? "" };
    },
    close() {
      for (const letGo of waiting) letGo();
      // One that is gone without a word does not answer to this either.
      for (const each of [reads, looks]) void each.close().catch(() => {});
    },
  };
}

/** Behind what sets the isolation, which must come first. */
const checkAt = (steps: Step[]) => Number(steps[0]?.text.startsWith("SET transaction_isolation") ?? false);

function withCheck(steps: Step[], floor: Position): Step[] {
  return steps.toSpliced(checkAt(steps), 0, { text: SHOWS, values: [formatPosition(floor)] });
}
