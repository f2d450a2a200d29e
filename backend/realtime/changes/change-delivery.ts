import { setTimeout as wait } from "node:timers/promises";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";
import type { Change } from "../change-feed.ts";
import { sizeOf } from "./change-payload.ts";

/** Tells committed changes to those who wished for them and may see them, in the order of the commits. */
export type ChangeDelivery = { push(change: Change): void; close(): void };

/** Runs what needs the database, again and again while that is away. */
export type Surely = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type DeliveryOptions = {
  /** Whether anybody may wish to hear of it. */
  isWanted: (change: Change) => boolean;
  /** Tells some changes of one table to everyone; those after them wait for it. */
  deliver: (batch: [Change, ...Change[]], surely: Surely) => Promise<void>;
  /** Some changes were not told to those who wished for them, and never will be. */
  onLoss: (reason: string) => void;
};

/** Changes that may wait while the database judges; beyond it, it is better to say that some were missed. */
const MOST_WAITING = 20_000;
const MOST_WAITING_LETTERS = 64 * 1_048_576;
/** Changes of one table that are judged together, when they come faster than one by one. */
const AT_ONCE = 100;
const TRIES = 40;
const TRY_AGAIN_MS = 250;

export function createChangeDelivery({ isWanted, deliver, onLoss }: DeliveryOptions): ChangeDelivery {
  let waiting: Change[] = [];
  let waitingLetters = 0;
  let working = false;
  let closed = false;

  const surely: Surely = async (work) => {
    for (let left = TRIES; ; left--) {
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof DatabaseUnavailableError) || left === 0 || closed) throw cause;
        await wait(TRY_AGAIN_MS, undefined, { ref: false });
      }
    }
  };

  async function work(): Promise<void> {
    working = true;
    for (let batch = takeBatch(); batch; batch = takeBatch()) {
      await deliver(batch, surely).catch((cause: Error) => {
        if (!closed) onLoss(cause.message);
      });
    }
    working = false;
  }

  /** The next changes of one table. */
  function takeBatch(): [Change, ...Change[]] | null {
    const [first] = waiting;
    if (!first) return null;
    const other = waiting.findIndex(({ relation }) => relation !== first.relation);
    const batch = waiting.splice(0, Math.min(AT_ONCE, other < 0 ? waiting.length : other));
    for (const change of batch) waitingLetters -= sizeOf(change);
    return batch as [Change, ...Change[]];
  }

  function forgetAll(): void {
    waiting = [];
    waitingLetters = 0;
  }

  return {
    push(change) {
      if (change.type === "TRUNCATE" || !isWanted(change)) return;
      if (waiting.length >= MOST_WAITING || waitingLetters > MOST_WAITING_LETTERS) {
        onLoss(`${waiting.length} changes of ${waitingLetters} letters were waiting`);
        forgetAll();
      }
      waiting.push(change);
      waitingLetters += sizeOf(change);
      if (!working) void work();
    },
    close() {
      closed = true;
      forgetAll();
    },
  };
}
