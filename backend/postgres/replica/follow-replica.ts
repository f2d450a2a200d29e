import { setTimeout as wait } from "node:timers/promises";
import { describeCause } from "#backend/log/describe-cause.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import type { Database, Row, Step } from "../database.ts";
import { endBefore, type Lsn, parseLsn } from "../lsn.ts";
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
  caughtUp(until?: Lsn): Promise<void>;
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

export function followReplica(options: ReplicaOptions): Replica {
  const follower = new Follower(options);
  void follower.keepLooking();
  return follower;
}

class Follower implements Replica {
  readonly #options: Pick<ReplicaOptions, "primary" | "report" | "maxLag">;
  readonly #place: Pick<ReplicaOptions, "url" | "max" | "guests">;
  readonly #meter = createLagMeter();
  readonly #lag = { seconds: 0, bytes: 0 };
  readonly #counts = { reads: 0, passedOver: 0 };
  #client: ReplicaClient;
  #isUsed = false;
  #isClosed = false;
  #primaryAnswers = true;
  /** WAL position that every read must reflect. */
  #floor: Lsn = 0n;
  /** Set while reads move to the replica. */
  #gate: Promise<void> | null = null;
  #reported: "used" | "not used" | null = null;
  /** Reads that are running on the primary. */
  #onPrimary = 0;
  /** Concurrent waiters share the checks. */
  readonly #looks = coalesceRuns(() => this.#client.look());

  constructor({ primary, report, maxLag, ...place }: ReplicaOptions) {
    this.#options = { primary, report, maxLag };
    this.#place = place;
    this.#client = openReplica(place);
  }

  async read(steps: Step[], guest: string | undefined, onPrimary: () => Promise<Row[]>): Promise<Row[]> {
    while (this.#gate) await this.#gate;
    const found = this.#isUsed ? await this.#readThere(steps, guest) : null;
    if (Array.isArray(found)) {
      this.#counts.reads++;
      return found;
    }
    while (this.#gate) await this.#gate;
    this.#counts.passedOver++;
    this.#onPrimary++;
    try {
      const rows = await onPrimary();
      // This read's result must be on the replica before the replica is used again.
      if (found === "failed") this.#isUsed = false;
      return rows;
    } finally {
      this.#onPrimary--;
    }
  }

  async caughtUp(until?: Lsn): Promise<void> {
    const position = until ?? (await this.#written().catch(() => null))?.position;
    if (position === undefined) return;
    const has = this.#isUsed && (await this.#reaches(position, CATCH_UP_MS).catch(() => false));
    this.#raise(position);
    if (!has && this.#isUsed) this.#leave(logText`is more than ${CATCH_UP_MS / 1_000} s behind`);
  }

  primaryAnswers(): boolean {
    return this.#primaryAnswers;
  }

  use(): ReplicaUse {
    return {
      isUsed: this.#isUsed,
      lagSeconds: this.#lag.seconds,
      lagBytes: this.#lag.bytes,
      ...this.#counts,
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }

  async keepLooking(): Promise<void> {
    while (!this.#isClosed) {
      await this.#look();
      await wait(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  async #look(): Promise<void> {
    const primarys = await this.#written().catch(() => null);
    this.#primaryAnswers = primarys !== null;
    try {
      const { replayed, system } = await this.#client.look();
      if (replayed === null) return this.#leave(logText`is not one, it accepts writes`);
      // Without the primary it cannot be judged; what it last showed was current.
      if (!primarys) return;
      if (system !== primarys.system) return this.#leave(logText`belongs to another PostgreSQL`);
      const { seconds } = this.#measure(primarys.position, replayed);
      if (seconds * 1_000 > this.#options.maxLag)
        return this.#leave(logText`is ${Math.round(seconds)} s behind`);
    } catch (cause) {
      return this.#lose(logText`does not respond (${describeCause(cause)})`);
    }
    if (!this.#isUsed) await this.#switchToReplica().catch(() => {});
  }

  #measure(written: Lsn, replayed: Lsn) {
    this.#lag.seconds = this.#meter(performance.now(), written, replayed) / 1_000;
    this.#lag.bytes = Math.max(0, Number(written - replayed));
    return this.#lag;
  }

  /** Moves reads from the primary to the replica, once the replica shows everything that was read from the primary. */
  async #switchToReplica(): Promise<void> {
    if (!(await this.#reaches((await this.#written()).position, GO_OVER_MS))) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    try {
      const end = performance.now() + GO_OVER_MS;
      while (this.#onPrimary > 0 && performance.now() < end) await wait(POLL_MS);
      if (this.#onPrimary > 0) return;
      this.#raise((await this.#written()).position);
      let shown: Lsn;
      // Repeats if a change was announced meanwhile.
      do {
        shown = this.#floor;
        if (!(await this.#reaches(shown, end - performance.now()))) return;
      } while (shown < this.#floor);
      this.#isUsed = true;
      if (this.#reported !== "used")
        this.#options.report(logText`Visitors' reads go to the replica.`, "info");
      this.#reported = "used";
    } finally {
      this.#gate = null;
      resolve();
    }
  }

  async #readThere(steps: Step[], guest: string | undefined): Promise<Row[] | Miss> {
    const asked = this.#client;
    const rows = await asked.read(steps, this.#floor, guest);
    if (rows === "gone" && asked === this.#client) this.#lose(logText`disconnected`);
    // It was rolled back, or replaced by another server.
    if (rows === "behind") this.#leave(logText`is behind what was already read`);
    return rows;
  }

  async #written(): Promise<{ position: Lsn; system: string }> {
    const [row] = await withTimeout(this.#options.primary.query(WRITTEN), ANSWER_WITHIN_MS);
    return { position: endBefore(parseLsn(row?.written ?? "0/0")), system: row?.system ?? "" };
  }

  async #reaches(position: Lsn, within: number): Promise<boolean> {
    const end = performance.now() + within;
    while (!this.#isClosed) {
      const { replayed } = await this.#looks.next();
      if (replayed !== null && replayed >= position) return true;
      if (performance.now() >= end) return false;
      await wait(POLL_MS);
    }
    return false;
  }

  #raise(position: Lsn): void {
    if (position > this.#floor) this.#floor = position;
  }

  #leave(why: LogText): void {
    this.#isUsed = false;
    if (this.#reported !== "not used" && !this.#isClosed)
      this.#options.report(logText`The replica ${why}: visitors' reads go to the primary.`, "warn");
    this.#reported = "not used";
  }

  /** Releases reads that wait for the replica; the next check uses new connections. */
  #lose(why: LogText): void {
    this.#leave(why);
    if (this.#isClosed) return;
    this.#client.close();
    this.#client = openReplica(this.#place);
  }
}
