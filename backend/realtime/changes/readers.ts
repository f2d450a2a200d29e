import { inChunks } from "#backend/memory/in-chunks.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { RowText } from "../feed/change-feed.ts";
import { membersOf, type Person, type SubscriptionGroup } from "./subscription-registry.ts";
import type { TableFacts } from "./table-facts.ts";

/** Readers checked per query; delivery to them starts while the next query runs. */
const MAX_READERS = 250;

/** Who shares one visibility check: everyone of a role if its policies do not depend on the user, else one person. */
export type Readers = { asked: Identity; person: Person | null };

export function rolesOf(groups: Iterable<SubscriptionGroup>): string[] {
  return [...new Set(Array.from(groups).flatMap(({ subscribers }) => [...subscribers.keys()]))];
}

export function needsNoCheck(role: string, facts: TableFacts, rows: readonly RowText[]): boolean {
  return (
    rows.length === 0 ||
    !facts.hasRls ||
    facts.keys.length === 0 ||
    facts.unbound.has(role) ||
    !facts.keys.every(({ name }) => facts.readable.get(role)?.has(name))
  );
}

/** Whoever of the role is asked, the answer is the same. */
export function everyoneOf(role: string, groups: Iterable<SubscriptionGroup>): Readers[] {
  for (const { subscribers } of groups) {
    const [anyone] = subscribers.get(role) ?? [];
    if (anyone) return [{ asked: anyone.identity, person: null }];
  }
  return [];
}

/** All of these roles whose visibility must be checked, as many at a time as one query may ask for. */
export function readersOf(
  roles: readonly string[],
  groups: Iterable<SubscriptionGroup>,
  { isPersonal }: TableFacts,
): Readers[][] {
  const readers = roles.flatMap((role) => (isPersonal ? eachOf(role, groups) : everyoneOf(role, groups)));
  return inChunks(readers, MAX_READERS);
}

function eachOf(role: string, groups: Iterable<SubscriptionGroup>): Readers[] {
  const people = Map.groupBy(membersOf(groups, role), ({ identity }) => identity);
  return Array.from(people, ([identity, subscribers]) => ({
    asked: identity,
    person: { identity, subscribers },
  }));
}
