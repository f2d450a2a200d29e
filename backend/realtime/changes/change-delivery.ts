import { setTimeout as wait } from "node:timers/promises";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";
import type { Change } from "../feed/change-feed.ts";
import { sizeOf } from "./change-payload.ts";

/** Delivers committed changes, in commit order, to subscribers who may see them. */
export type ChangeDelivery = { push(change: Change): void; close(): void };

/** Runs work that needs the database, retrying while it is unavailable. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type DeliveryOptions = {
  /** Whether the change has any subscribers. */
  isWanted: (change: Change) => boolean;
  /** Delivers a batch of one table's changes; later batches wait for it. */
  deliver: (batch: [Change, ...Change[]], retry: Retry) => Promise<void>;
  /** Changes were dropped; `since` is the commit time of the first. */
  onLoss: (reason: string, since: number) => void;
};

/** Queue limit while policies are being evaluated; beyond it, changes are dropped and subscribers told to re-read. */
const MAX_WAITING = 20_000;
const MAX_WAITING_CHARACTERS = 64 * 1_048_576;
/** Changes of one table that are evaluated together when they arrive faster than one at a time. */
const MAX_BATCH = 100;
/** Characters per batch: every check reads the rows again. */
const MAX_BATCH_CHARACTERS = 2 * 1_048_576;
const TRIES = 40;
const RETRY_DELAY_MS = 250;

export function createChangeDelivery({ isWanted, deliver, onLoss }: DeliveryOptions): ChangeDelivery {
  let waiting: Change[] = [];
  let waitingCharacters = 0;
  let working = false;
  let closed = false;

  const retry: Retry = async (work) => {
    for (let left = TRIES; ; left--) {
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof DatabaseUnavailableError) || left === 0 || closed) throw cause;
        await wait(RETRY_DELAY_MS, undefined, { ref: false });
      }
    }
  };

  async function work(): Promise<void> {
    working = true;
    for (let batch = takeBatch(); batch; batch = takeBatch()) {
      await deliver(batch, retry).catch((cause: Error) => {
        if (!closed) onLoss(cause.message, batch[0].committedAt);
      });
    }
    working = false;
  }

  /** Takes the next run of changes to one table. */
  function takeBatch(): [Change, ...Change[]] | null {
    const [first] = waiting;
    if (!first) return null;
    let characters = 0;
    const other = waiting.findIndex((change, at) => {
      characters += sizeOf(change);
      return (
        change.relation !== first.relation ||
        (at > 0 && characters > MAX_BATCH_CHARACTERS) ||
        at === MAX_BATCH
      );
    });
    const batch = waiting.splice(0, other < 0 ? waiting.length : other);
    for (const change of batch) waitingCharacters -= sizeOf(change);
    return batch as [Change, ...Change[]];
  }

  function forgetAll(): void {
    waiting = [];
    waitingCharacters = 0;
  }

  return {
    push(change) {
      if (change.type === "TRUNCATE" || !isWanted(change)) return;
      if (waiting.length >= MAX_WAITING || waitingCharacters > MAX_WAITING_CHARACTERS) {
        onLoss(
          `${waiting.length} changes of ${waitingCharacters} characters were waiting`,
          (waiting[0] ?? change).committedAt,
        );
        forgetAll();
      }
      waiting.push(change);
      waitingCharacters += sizeOf(change);
      if (!working) void work();
    },
    close() {
      closed = true;
      forgetAll();
    },
  };
}
