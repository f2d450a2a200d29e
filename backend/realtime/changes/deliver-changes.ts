import { setImmediate as nextTurn } from "node:timers/promises";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { WindowSums } from "../access/window-sums.ts";
import type { Change, RowText } from "../feed/change-feed.ts";
import type { Retry } from "./change-delivery.ts";
import { wholeRow } from "./change-payload.ts";
import { refusal } from "./change-spec.ts";
import { createMatch, type Matcher } from "./filter-matcher.ts";
import { hasPatterns, matchPatterns, TURN_MS } from "./match-patterns.ts";
import { MatchedChange } from "./matched-change.ts";
import { readSight } from "./read-sight.ts";
import { everyoneOf, needsNoCheck, type Readers, readersOf, rolesOf } from "./readers.ts";
import type { SubscriptionGroup, SubscriptionRegistry, Visitor } from "./subscription-registry.ts";
import type { FactsReader, TableFacts } from "./table-facts.ts";
import { createVisibilityCheck, type Visibility } from "./visibility.ts";

export type Deliver = (batch: [Change, ...Change[]], retry: Retry) => Promise<void>;

export type DeliverOptions = {
  database: Database;
  readFacts: FactsReader;
  registry: SubscriptionRegistry;
  /** CPU time used by each user's patterns. */
  budget: WindowSums;
  /** Which subscription groups this delivery handles. */
  isOwn: (group: SubscriptionGroup) => boolean;
};

/** Creates a delivery that matches, authorizes and sends a batch of one table's changes. */
export function createDeliver({ database, readFacts, registry, budget, isOwn }: DeliverOptions): Deliver {
  const checkVisibility = createVisibilityCheck(database);

  function visit({ asked, person }: Readers, groups: SubscriptionGroup[], visitor: Visitor): void {
    if (person) registry.visitPerson(groups, person, visitor);
    else registry.visitRole(groups, asked.role, visitor);
  }

  /** `visibility` covers the changes that have a row, in order; null means all are visible. */
  function tell(readers: Readers, matched: MatchedChange[], visibility: Visibility | null): void {
    let row = 0;
    for (const one of matched) {
      const at = one.change.row ? row++ : null;
      const verdict = at === null || !visibility ? "seen" : (visibility.verdicts[at] ?? "hidden");
      const seen = at === null || !visibility || verdict === "failed" ? one : one.as(visibility.rows.get(at));
      if (verdict === "hidden" || !seen) continue;
      visit(readers, seen.groups, (subscriber, its) => {
        const frame = seen.frameFor(subscriber, its, verdict);
        if (frame) subscriber.send(frame);
      });
    }
  }

  return async (batch, retry) => {
    const [{ relation }] = batch;
    const groups = registry.find(relation.schema, relation.name).filter(isOwn);
    const facts = await retry(() => readFacts(relation, rolesOf(groups)));
    if (!facts) return;
    const toMatch = batch.map((change) => rowToMatch(change, facts));
    const patterned = groups.filter(hasPatterns);
    const sees = await readSight(checkVisibility, { patterned, batch, facts, retry });
    const patterns = await matchPatterns(patterned, { rows: toMatch, sees }, registry, budget);
    const conditions = groups.flatMap(({ subscription }) => subscription.conditions);
    const matcher = await retry(() => createMatch(database, conditions, toMatch, patterns));
    cancelFailed(groups, matcher, registry);
    const matched = await matchAll(batch, groups, facts, matcher);
    const met = new Set(matched.flatMap((one) => one.groups));
    const rows = matched.flatMap(({ change }) => (change.row ? [wholeRow(change)] : []));
    const [free, bound] = partition(rolesOf(met), (role) => needsNoCheck(role, facts, rows));
    for (const readers of free.flatMap((role) => everyoneOf(role, met))) tell(readers, matched, null);
    const chunks = readersOf(bound, met, facts);
    const answers = chunks.map((chunk) => {
      const asked = chunk.map((readers) => readers.asked);
      return retry(() => checkVisibility(relation, facts, rows, asked));
    });
    // Each is awaited in turn; without this, a rejection before its turn would count as unhandled.
    for (const answer of answers) answer.catch(() => {});
    for (const [at, chunk] of chunks.entries()) {
      const visibilities = await (answers[at] as Promise<Visibility[]>);
      for (const [index, readers] of chunk.entries())
        tell(readers, matched, visibilities[index] as Visibility);
    }
  };
}

const keysOnly = new WeakMap<RowText, RowText>();

/**
 * The row that filters compare. With RLS, a deleted row has only its key, so that filters cannot probe unsent values.
 */
function rowToMatch({ row, oldRow }: Change, facts: TableFacts): RowText {
  if (row) return row;
  if (!oldRow || !facts.hasRls) return oldRow ?? {};
  return getOrMake(keysOnly, oldRow, () =>
    Object.fromEntries(facts.keys.map(({ name }) => [name, oldRow[name]])),
  );
}

/** Ends subscriptions whose filter failed to evaluate, with an error message. */
function cancelFailed(
  groups: SubscriptionGroup[],
  { failures }: Matcher,
  registry: SubscriptionRegistry,
): void {
  if (failures.size === 0) return;
  for (const group of groups) {
    const failed = group.subscription.conditions.find((condition) => failures.has(condition));
    if (failed) registry.cancel(group, refusal(group.subscription.spec, failures.get(failed) ?? ""));
  }
}

async function matchAll(
  batch: Change[],
  groups: SubscriptionGroup[],
  facts: TableFacts,
  matcher: Matcher,
): Promise<MatchedChange[]> {
  const matched: MatchedChange[] = [];
  let turn = performance.now();
  for (const change of batch) {
    if (performance.now() - turn > TURN_MS) {
      await nextTurn();
      turn = performance.now();
    }
    const row = rowToMatch(change, facts);
    const met = groups.filter(
      ({ subscription: { spec, conditions } }) =>
        (spec.event === "*" || spec.event === change.type) &&
        conditions.every((condition) => matcher.match(condition, row)),
    );
    if (met.length > 0) matched.push(new MatchedChange(change, met, facts));
  }
  return matched;
}

function partition<T>(list: T[], isFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))];
}
