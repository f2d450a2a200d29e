import { setTimeout as wait } from "node:timers/promises";
import { describeCause } from "#backend/log/describe-cause.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import type { Database, Row, Step } from "../database.ts";
import { type Position, parsePosition } from "../position.ts";
import { createLagMeter } from "./lag-meter.ts";
import { type Miss, openReplica, type ReplicaClient } from "./replica-client.ts";

export type ReplicaOptions = {
  /** The same login as the primary's. */
  url: string;
  max: number;
  guests: number;
  /** Milliseconds that it may lag behind. */
  maxLag: number;
  primary: Pick<Database, "query">;
  /** Gets a line each time reads move to or from the replica. */
  report: (line: LogText, level: "info" | "warn") => void;
};

/** Replica metrics: whether it is used, its lag, and how many reads it served. */
type ReplicaUse = {
  isUsed: boolean;
  lagSeconds: number;
  lagBytes: number;
  reads: number;
  passedOver: number;
};

/**
 * A streaming replica for reads that may be some milliseconds old, but never older than anything read or announced
 * before: see docs/decisions/0069.
 */
export type Replica = {
  /** Runs a read on the replica, else with `onPrimary`. */
  read(steps: Step[], guest: string | undefined, onPrimary: () => Promise<Row[]>): Promise<Row[]>;
  /**
   * Resolves once every later read shows everything committed on the primary up to this position, or until now: either
   * the replica has replayed it or it is no longer used.
   */
  caughtUp(until?: Position): Promise<void>;
  /** Whether the primary answered the last check. */
  primaryAnswers(): boolean;
  use(): ReplicaUse;
  close(): void;
};

const LOOK_EVERY_MS = 1_000;
/** How long announcing a change is delayed for the replica to catch up. */
const CATCH_UP_MS = 1_000;
/** How long visitors' reads may be held while they move to the replica. */
const GO_OVER_MS = 250;
const POLL_MS = 2;
const ANSWER_WITHIN_MS = 2_000;

// With synchronous_commit off, committed data may not be flushed yet.
const WRITTEN = `
  select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as written, system_identifier as system from pg_control_system()`;

const PAGE = 8_192n;
/** The longest header of a WAL page; a record ends within it only if it began on the page before. */
const HEADER = 40n;

/** The end of the data written so far: a position right after a page header is one that no record ends at. */
function endBefore(position: Position): Position {
  const inPage = position % PAGE;
  return inPage <= HEADER ? position - inPage : position;
}

export function followReplica({ primary, report, maxLag, ...place }: ReplicaOptions): Replica {
  let client: ReplicaClient = openReplica(place);
  let isUsed = false;
  let isClosed = false;
  let primaryAnswers = true;
  /** WAL position that every read must reflect. */
  let floor: Position = 0n;
  /** Set while reads move to the replica. */
  let gate: Promise<void> | null = null;
  let told: "used" | "not used" | null = null;
  const meter = createLagMeter();
  const lag = { seconds: 0, bytes: 0 };
  const counts = { reads: 0, passedOver: 0 };
  const onPrimary = { count: 0 };

  async function written(): Promise<{ position: Position; system: string }> {
    const [row] = await withTimeout(primary.query(WRITTEN), ANSWER_WITHIN_MS);
    return { position: endBefore(parsePosition(row?.written ?? "0/0")), system: row?.system ?? "" };
  }

  function leave(why: LogText): void {
    isUsed = false;
    if (told !== "not used" && !isClosed)
      report(logText`The replica ${why}: visitors' reads go to the primary.`, "warn");
    told = "not used";
  }

  /** Releases reads that wait for the replica; the next check uses new connections. */
  function lose(why: LogText): void {
    leave(why);
    if (isClosed) return;
    client.close();
    client = openReplica(place);
  }

  /** Concurrent waiters share the checks. */
  const looks = coalesceRuns(() => client.look());

  async function reaches(position: Position, within: number): Promise<boolean> {
    const end = performance.now() + within;
    while (!isClosed) {
      const { replayed } = await looks.next();
      if (replayed !== null && replayed >= position) return true;
      if (performance.now() >= end) return false;
      await wait(POLL_MS);
    }
    return false;
  }

  function raise(position: Position): void {
    if (position > floor) floor = position;
  }

  /** Moves reads from the primary to the replica, once the replica shows everything that was read from the primary. */
  async function goOver(): Promise<void> {
    if (!(await reaches((await written()).position, GO_OVER_MS))) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    try {
      const end = performance.now() + GO_OVER_MS;
      while (onPrimary.count > 0 && performance.now() < end) await wait(POLL_MS);
      if (onPrimary.count > 0) return;
      raise((await written()).position);
      let shown: Position;
      // Repeats if a change was announced meanwhile.
      do {
        shown = floor;
        if (!(await reaches(shown, end - performance.now()))) return;
      } while (shown < floor);
      isUsed = true;
      if (told !== "used") report(logText`Visitors' reads go to the replica.`, "info");
      told = "used";
    } finally {
      gate = null;
      resolve();
    }
  }

  async function look(): Promise<void> {
    const primarys = await written().catch(() => null);
    primaryAnswers = primarys !== null;
    try {
      const { replayed, system } = await client.look();
      if (replayed === null) return leave(logText`is not one, it accepts writes`);
      // Without the primary it cannot be judged; what it last showed was current.
      if (!primarys) return;
      if (system !== primarys.system) return leave(logText`belongs to another PostgreSQL`);
      lag.seconds = meter(performance.now(), primarys.position, replayed) / 1_000;
      lag.bytes = Math.max(0, Number(primarys.position - replayed));
      if (lag.seconds * 1_000 > maxLag) return leave(logText`is ${Math.round(lag.seconds)} s behind`);
    } catch (cause) {
      return lose(logText`does not respond (${describeCause(cause)})`);
    }
    if (!isUsed) await goOver().catch(() => {});
  }

  async function keepLooking(): Promise<void> {
    while (!isClosed) {
      await look();
      await wait(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }
  void keepLooking();

  async function readThere(steps: Step[], guest: string | undefined): Promise<Row[] | Miss> {
    const asked = client;
    const rows = await asked.read(steps, floor, guest);
    if (rows === "gone" && asked === client) lose(logText`disconnected`);
    // It was rolled back, or replaced by another server.
    if (rows === "behind") leave(logText`is behind what was already read`);
    return rows;
  }

  return {
    async read(steps, guest, run) {
      while (gate) await gate;
      const found = isUsed ? await readThere(steps, guest) : null;
      if (Array.isArray(found)) {
        counts.reads++;
        return found;
      }
      while (gate) await gate;
      counts.passedOver++;
      onPrimary.count++;
      try {
        const rows = await run();
        // This read's result must be on the replica before the replica is used again.
        if (found === "failed") isUsed = false;
        return rows;
      } finally {
        onPrimary.count--;
      }
    },
    async caughtUp(until) {
      const position = until ?? (await written().catch(() => null))?.position;
      if (position === undefined) return;
      const has = isUsed && (await reaches(position, CATCH_UP_MS).catch(() => false));
      raise(position);
      if (!has && isUsed) leave(logText`is more than ${CATCH_UP_MS / 1_000} s behind`);
    },
    primaryAnswers: () => primaryAnswers,
    use: () => ({ isUsed, lagSeconds: lag.seconds, lagBytes: lag.bytes, ...counts }),
    close() {
      isClosed = true;
      client.close();
    },
  };
}
