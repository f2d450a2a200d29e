import { setTimeout as wait } from "node:timers/promises";
import { describeCause } from "#backend/log/describe-cause.ts";
import { type Sentence, sentence } from "#backend/log/sentence.ts";
import { inTime } from "#backend/memory/in-time.ts";
import { shareRuns } from "#backend/memory/share-runs.ts";
import type { Database, Row, Step } from "../database.ts";
import { type Position, parsePosition } from "../position.ts";
import { createLagMeter } from "./lag-meter.ts";
import { type Miss, openReplica, type ReplicaDoor } from "./replica-door.ts";

export type ReplicaOptions = {
  /** The same login as the primary's. */
  url: string;
  max: number;
  guests: number;
  /** Milliseconds that it may be behind. */
  maxLag: number;
  primary: Pick<Database, "query">;
  /** Gets a line for each change of where is read. */
  report: (line: Sentence, level: "info" | "warn") => void;
};

/** How a replica goes, and how often it was read. */
type ReplicaUse = {
  isUsed: boolean;
  lagSeconds: number;
  lagBytes: number;
  reads: number;
  passedOver: number;
};

/**
 * A streaming replica for reads that may be some milliseconds old, and never older than what was read or announced
 * before: see docs/decisions/0069.
 */
export type Replica = {
  /** Runs a read there, else `onPrimary`. */
  read(steps: Step[], guest: string | undefined, onPrimary: () => Promise<Row[]>): Promise<Row[]>;
  /**
   * Resolves when every later read shows what was committed on the primary up to this place, or until now: the replica has
   * it, or is not read any more.
   */
  caughtUp(until?: Position): Promise<void>;
  /** Whether the primary answered when it was last asked. */
  primaryAnswers(): boolean;
  use(): ReplicaUse;
  close(): void;
};

const LOOK_EVERY_MS = 1_000;
/** For so long a change is kept from the pages until the replica has it. */
const CATCH_UP_MS = 1_000;
/** For so long visitors' reads wait when they go over to the replica. */
const GO_OVER_MS = 250;
const POLL_MS = 2;
const ANSWER_WITHIN_MS = 2_000;

// Without waiting for the disk, what is committed is not flushed yet.
const WRITTEN = `
  select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as written, system_identifier as system from pg_control_system()`;

const PAGE = 8_192n;
/** The longest header of a page of the log; no record ends within it but one that began on the page before. */
const HEADER = 40n;

/** Where what is written so far ends: a place behind a page's header is one that no record comes to. */
function endBefore(position: Position): Position {
  const inPage = position % PAGE;
  return inPage <= HEADER ? position - inPage : position;
}

export function followReplica({ primary, report, maxLag, ...place }: ReplicaOptions): Replica {
  let door: ReplicaDoor = openReplica(place);
  let isUsed = false;
  let isClosed = false;
  let primaryAnswers = true;
  /** What every read has to show. */
  let floor: Position = 0n;
  /** Set while reads go over to the replica. */
  let gate: Promise<void> | null = null;
  let told: "used" | "not used" | null = null;
  const meter = createLagMeter();
  const lag = { seconds: 0, bytes: 0 };
  const counts = { reads: 0, passedOver: 0 };
  const onPrimary = { count: 0 };

  async function written(): Promise<{ position: Position; system: string }> {
    const [row] = await inTime(primary.query(WRITTEN), ANSWER_WITHIN_MS);
    return { position: endBefore(parsePosition(row?.written ?? "0/0")), system: row?.system ?? "" };
  }

  function leave(why: Sentence): void {
    isUsed = false;
    if (told !== "not used" && !isClosed)
      report(sentence`The replica ${why}: visitors' reads go to the primary.`, "warn");
    told = "not used";
  }

  /** What waits there is let go, and the next look is by other connections. */
  function lose(why: Sentence): void {
    leave(why);
    if (isClosed) return;
    door.close();
    door = openReplica(place);
  }

  /** Whoever waits for the replica shares the looks. */
  const looks = shareRuns(() => door.look());

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

  /** From the primary to the replica: only when that shows all that was read of the primary. */
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
      // What is announced meanwhile counts too.
      do {
        shown = floor;
        if (!(await reaches(shown, end - performance.now()))) return;
      } while (shown < floor);
      isUsed = true;
      if (told !== "used") report(sentence`Visitors' reads go to the replica.`, "info");
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
      const { replayed, system } = await door.look();
      if (replayed === null) return leave(sentence`is none, it takes writes`);
      // Alone it cannot be judged, and what it shows was true.
      if (!primarys) return;
      if (system !== primarys.system) return leave(sentence`is of another PostgreSQL`);
      lag.seconds = meter(performance.now(), primarys.position, replayed) / 1_000;
      lag.bytes = Math.max(0, Number(primarys.position - replayed));
      if (lag.seconds * 1_000 > maxLag) return leave(sentence`is ${Math.round(lag.seconds)} s behind`);
    } catch (cause) {
      return lose(sentence`does not answer (${describeCause(cause)})`);
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
    const asked = door;
    const rows = await asked.read(steps, floor, guest);
    if (rows === "gone" && asked === door) lose(sentence`went away`);
    // It was set back, or is not the same any more.
    if (rows === "behind") leave(sentence`shows less than before`);
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
        // What was read here now must be there before the next read is.
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
      if (!has && isUsed) leave(sentence`is more than ${CATCH_UP_MS / 1_000} s behind`);
    },
    primaryAnswers: () => primaryAnswers,
    use: () => ({ isUsed, lagSeconds: lag.seconds, lagBytes: lag.bytes, ...counts }),
    close() {
      isClosed = true;
      door.close();
    },
  };
}
