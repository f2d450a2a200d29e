import { setImmediate as nextTurn } from "node:timers/promises";
import { WindowSums } from "../access/window-sums.ts";
import type { RowText } from "../feed/change-feed.ts";
import { refusal } from "./change-spec.ts";
import type { Matches } from "./filter-matcher.ts";
import type { Sees } from "./read-sight.ts";
import type { SubscriptionGroup, SubscriptionRegistry } from "./subscription-registry.ts";

/** How long to match before yielding to the event loop. */
export const TURN_MS = 5;
/** CPU time that one user's patterns may take per window: 5 percent. */
const BUDGET_MS = 250;
const WINDOW_MS = 5_000;

const TOO_SLOW = `The patterns of this person took more than ${BUDGET_MS} ms within ${WINDOW_MS / 1_000} s`;

export const createPatternBudget = () => new WindowSums(WINDOW_MS);

/**
 * Matches pattern conditions of groups that have some, charging the CPU time to the subscribers. Users over budget are
 * notified and their pattern subscriptions end, so that other subscribers need not wait. A row is matched only for
 * subscribers who see it: others would learn what it contains from how long that took, and from their own budget.
 */
export async function matchPatterns(
  groups: readonly SubscriptionGroup[],
  { rows, sees }: { rows: readonly RowText[]; sees: Sees },
  registry: SubscriptionRegistry,
  budget: WindowSums,
): Promise<Matches> {
  const matches: Matches = new Map();
  for (const group of groups) {
    endSpent(group, registry, budget);
    const readers = subscribersOf(group).filter((one) => rows.some((row) => sees(one, row)));
    if (readers.length === 0) continue;
    const people = new Set(readers.map((one) => one.person));
    const seen = rows.filter((row) => readers.some((one) => sees(one, row)));
    for (const ms of matchGroup(group, seen, matches)) {
      for (const person of people) budget.add(person, ms);
      endSpent(group, registry, budget);
      if (group.subscribers.size === 0) break;
      if (ms >= TURN_MS) await nextTurn();
    }
  }
  return matches;
}

function endSpent(group: SubscriptionGroup, registry: SubscriptionRegistry, budget: WindowSums): void {
  for (const subscriber of subscribersOf(group).filter(({ person }) => budget.of(person) >= BUDGET_MS))
    registry.end(group, subscriber, refusal(group.subscription.spec, TOO_SLOW));
}

/** Matches rows, regularly yielding the CPU time spent: thread time, unaffected by load on the machine. */
function* matchGroup(
  { subscription }: SubscriptionGroup,
  rows: readonly RowText[],
  matches: Matches,
): Generator<number> {
  let began = threadMs();
  let turn = performance.now();
  for (const condition of subscription.conditions) {
    const { pattern, column, negated } = condition;
    if (!pattern) continue;
    const ofCondition = new Map<RowText, boolean>();
    matches.set(condition, ofCondition);
    for (const row of rows) {
      const text = row[column];
      const isReadable = typeof text === "string" && text.length <= pattern.maxLength;
      ofCondition.set(row, isReadable && pattern.matches(text) !== negated);
      if (performance.now() - turn < TURN_MS) continue;
      yield threadMs() - began;
      began = threadMs();
      turn = performance.now();
    }
  }
  yield threadMs() - began;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export const hasPatterns = ({ subscription }: SubscriptionGroup) =>
  subscription.conditions.some(({ pattern }) => pattern !== null);

const subscribersOf = ({ subscribers }: SubscriptionGroup) =>
  [...subscribers.values()].flatMap((ofRole) => [...ofRole]);
