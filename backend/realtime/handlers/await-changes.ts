import { setTimeout as pause } from "node:timers/promises";
import type { Prepared } from "../changes/prepare-subscriptions.ts";
import { RefusedError } from "../refused-error.ts";
import type { Context } from "./context.ts";

const LOOK_EVERY_MS = 200;

type Wait = {
  prepare: () => Promise<Prepared>;
  waitMs: number;
  /** Whether the client still waits. */
  isWanted: () => boolean;
};

/**
 * For a channel that wants to be joined only once its changes are streaming: resolves with its subscriptions when all
 * are valid and the change feed is live, or with null when the client no longer waits.
 * @throws RefusedError for an invalid subscription, and on timeout
 */
export async function awaitChanges(
  { prepare, waitMs, isWanted }: Wait,
  context: Context,
): Promise<Prepared | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const prepared = await prepareLive(prepare, context);
    if (prepared || !isWanted()) return prepared;
    const left = deadline - performance.now();
    if (left <= 0)
      throw new RefusedError(
        `PostgresChangesSubscribeTimeout: Timed out after ${waitMs}ms waiting for the postgres_changes subscription`,
      );
    await pause(Math.min(LOOK_EVERY_MS, left));
  }
}

/**
 * The subscriptions, or null while the change feed or the database is away.
 * @throws RefusedError for an invalid subscription
 */
export async function prepareLive(
  prepare: () => Promise<Prepared>,
  { isFollowing }: Context,
): Promise<Prepared | null> {
  const prepared = await prepare().catch(() => null);
  const [problem] = prepared?.problems ?? [];
  if (problem) throw new RefusedError(`RealtimeDisabledForConfiguration: ${problem}`);
  return isFollowing() ? prepared : null;
}
