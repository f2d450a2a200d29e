import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { WindowSums } from "../access/window-sums.ts";
import type { Change, RowText } from "../feed/change-feed.ts";
import type { Retry } from "./change-delivery.ts";
import { wholeRow } from "./change-payload.ts";
import { refusal } from "./change-spec.ts";
import { createMatch, type Matcher } from "./filter-matcher.ts";
import { matchPatterns } from "./match-patterns.ts";
import { MatchedChange } from "./matched-change.ts";
import type { SubscriptionGroup, SubscriptionRegistry } from "./subscription-registry.ts";
import type { FactsReader, TableFacts } from "./table-facts.ts";
import { createVisibilityCheck, type Visibility } from "./visibility.ts";

export type Deliver = (batch: [Change, ...Change[]], retry: Retry) => Promise<void>;

/** Readers checked per query; delivery to them starts while the next query runs. */
const MAX_READERS = 250;

/** Readers who share one visibility check: all of a role if its policies do not depend on the user, else one user. */
type ReaderGroup = { asked: Identity; people: Identity[] };

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

  /** `visibility` covers the changes that have a row, in order; null means all are visible. */
  function tell(
    person: Identity,
    matched: MatchedChange[],
    visibility: Visibility | null,
    delivery: number,
  ): void {
    let row = 0;
    for (const one of matched) {
      const at = one.change.row ? row++ : null;
      const verdict = at === null || !visibility ? "seen" : (visibility.verdicts[at] ?? "hidden");
      const seen = at === null || !visibility || verdict === "failed" ? one : one.as(visibility.rows.get(at));
      if (verdict === "hidden" || !seen) continue;
      registry.visit(seen.groups, person, delivery, (subscriber, its) => {
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
    const patterns = await matchPatterns(groups, toMatch, registry, budget);
    const conditions = groups.flatMap(({ subscription }) => subscription.conditions);
    const matcher = await retry(() => createMatch(database, conditions, toMatch, patterns));
    cancelFailed(groups, matcher, registry);
    const delivery = registry.beginDelivery();
    const matched = matchAll(batch, groups, facts, matcher);
    const people = new Set(matched.flatMap((one) => one.groups.flatMap((group) => [...group.people.keys()])));
    const rows = matched.flatMap(({ change }) => (change.row ? [wholeRow(change)] : []));
    const { free, readerGroups } = groupReaders(facts, [...people], rows);
    for (const person of free) tell(person, matched, null, delivery);
    const chunks = cut(readerGroups, MAX_READERS);
    const answers = chunks.map((chunk) => {
      const asked = chunk.map((readerGroup) => readerGroup.asked);
      return retry(() => checkVisibility(relation, facts, rows, asked));
    });
    // Each is awaited in turn; without this, a rejection before its turn would count as unhandled.
    for (const answer of answers) answer.catch(() => {});
    for (const [at, chunk] of chunks.entries()) {
      const visibilities = await (answers[at] as Promise<Visibility[]>);
      for (const [index, readerGroup] of chunk.entries()) {
        for (const person of readerGroup.people)
          tell(person, matched, visibilities[index] as Visibility, delivery);
      }
    }
  };
}

function rolesOf(groups: SubscriptionGroup[]): string[] {
  return [...new Set(groups.flatMap(({ people }) => [...people.keys()].map(({ role }) => role)))];
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

function matchAll(
  batch: Change[],
  groups: SubscriptionGroup[],
  facts: TableFacts,
  matcher: Matcher,
): MatchedChange[] {
  return batch.flatMap((change) => {
    const row = rowToMatch(change, facts);
    const met = groups.filter(
      ({ subscription: { spec, conditions } }) =>
        (spec.event === "*" || spec.event === change.type) &&
        conditions.every((condition) => matcher.match(condition, row)),
    );
    return met.length > 0 ? [new MatchedChange(change, met, facts)] : [];
  });
}

/** `free`: users who need no visibility check. */
function groupReaders(
  facts: TableFacts,
  people: Identity[],
  rows: RowText[],
): { free: Identity[]; readerGroups: ReaderGroup[] } {
  const needsNoAnswer = rows.length === 0 || !facts.hasRls || facts.keys.length === 0;
  const isFree = ({ role }: Identity) =>
    needsNoAnswer ||
    facts.unbound.has(role) ||
    !facts.keys.every(({ name }) => facts.readable.get(role)?.has(name));
  const free = people.filter(isFree);
  const bound = people.filter((person) => !isFree(person));
  if (facts.isPersonal) return { free, readerGroups: bound.map((asked) => ({ asked, people: [asked] })) };
  const byRole = Map.groupBy(bound, ({ role }) => role);
  return { free, readerGroups: [...byRole.values()].map((of) => ({ asked: of[0] as Identity, people: of })) };
}

function cut<T>(list: T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) =>
    list.slice(at * length, (at + 1) * length),
  );
}
