import { setTimeout as pause } from "node:timers/promises";
import type { Prepared } from "../changes/prepare-subscriptions.ts";
import type { Context } from "./context.ts";

/** Why a join that waited for its subscriptions is refused, as the client receives it. */
export class ChangesRefusedError extends Error {
  override name = "ChangesRefusedError";
}

const LOOK_EVERY_MS = 200;

/**
 * Of a channel that wants to be joined only once its changes are told: the subscriptions, when all of them are good and
 * the changes arrive.
 * @throws ChangesRefusedError for a subscription that is none, and when the time is over
 */
export async function awaitChanges(
  prepare: () => Promise<Prepared>,
  waitMs: number,
  { isFollowing }: Pick<Context, "isFollowing">,
): Promise<Prepared> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    // While the database does not answer, this is asked again.
    const prepared = await prepare().catch(() => null);
    const [problem] = prepared?.problems ?? [];
    if (problem) throw new ChangesRefusedError(`RealtimeDisabledForConfiguration: ${problem}`);
    if (prepared && isFollowing()) return prepared;
    const left = deadline - performance.now();
    if (left <= 0)
      throw new ChangesRefusedError(
        `PostgresChangesSubscribeTimeout: Timed out after ${waitMs}ms waiting for the postgres_changes subscription`,
      );
    await pause(Math.min(LOOK_EVERY_MS, left));
  }
}
