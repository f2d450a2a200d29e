import type { Identity } from "#backend/tokens/identity.ts";
import type { Change, RowText } from "../feed/change-feed.ts";
import type { Retry } from "./change-delivery.ts";
import { wholeRow } from "./change-payload.ts";
import { needsNoCheck, readersOf, rolesOf } from "./readers.ts";
import type { Subscriber, SubscriptionGroup } from "./subscription-registry.ts";
import type { TableFacts } from "./table-facts.ts";
import type { VisibilityCheck } from "./visibility.ts";

/** Whether a subscriber may read a changed row. Of a deleted one everyone gets the key, and nothing else. */
export type Sees = (subscriber: Subscriber, row: RowText) => boolean;

type Question = {
  patterned: readonly SubscriptionGroup[];
  batch: [Change, ...Change[]];
  facts: TableFacts;
  retry: Retry;
};

/** Checks which subscribers of groups with patterns may read which rows of a batch, before any pattern does. */
export async function readSight(check: VisibilityCheck, question: Question): Promise<Sees> {
  const { patterned, batch, facts, retry } = question;
  // Every change comes by here, and hardly any subscription has patterns.
  if (patterned.length === 0) return () => true;
  const changed = batch.filter(({ row }) => row);
  const rows = changed.map(wholeRow);
  const bound = rolesOf(patterned).filter((role) => !needsNoCheck(role, facts, rows));
  const seen = new Map<Identity | string, Set<RowText | null>>();
  for (const readers of readersOf(bound, patterned, facts)) {
    const asked = readers.map((one) => one.asked);
    const visibilities = await retry(() => check(batch[0].relation, facts, rows, asked));
    for (const [at, { asked: identity, person }] of readers.entries()) {
      const verdicts = visibilities[at]?.verdicts ?? [];
      const read = changed.filter((_, row) => verdicts[row] === "seen").map(({ row }) => row);
      seen.set(person ? identity : identity.role, new Set(read));
    }
  }
  const checked = new Set(changed.map(({ row }) => row));
  return ({ identity }, row) =>
    !bound.includes(identity.role) ||
    !checked.has(row) ||
    seen.get(facts.isPersonal ? identity : identity.role)?.has(row) === true;
}
