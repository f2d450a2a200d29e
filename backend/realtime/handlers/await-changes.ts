import { setTimeout as pause } from "node:timers/promises";
import type { Prepared } from "../changes/prepare-subscriptions.ts";
import type { Context } from "./context.ts";

/** Why a join that waited for its subscriptions is refused, as sent to the client. */
export class ChangesRefusedError extends Error {
  override name = "ChangesRefusedError";
}

const LOOK_EVERY_MS = 200;

/**
 * For a channel that wants to be joined only once its changes are streaming: resolves with its subscriptions when all
 * are valid and the change feed is live.
 * @throws ChangesRefusedError for an invalid subscription, and on timeout
 */
export async function awaitChanges(
  prepare: () => Promise<Prepared>,
  waitMs: number,
  { isFollowing }: Pick<Context, "isFollowing">,
): Promise<Prepared> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    // Retried while the database is unavailable.
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
