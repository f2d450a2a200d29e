import type { Database } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Change, RowText } from "../change-feed.ts";
import type { Surely } from "./change-delivery.ts";
import { ChangeFrames } from "./change-frames.ts";
import { refusal } from "./change-spec.ts";
import type { ChangeSubscriptions, WishGroup } from "./change-subscriptions.ts";
import { createMatch, type Matcher } from "./filter-matcher.ts";
import type { FactsReader, TableFacts } from "./table-facts.ts";
import { createJudge, type Verdicts } from "./visibility.ts";

export type Deliver = (batch: [Change, ...Change[]], surely: Surely) => Promise<void>;

/** People judged by one query: while the next ones are judged, these are told already. */
const PEOPLE_AT_ONCE = 250;

/** A change, the wishes it meets, and what is said of it. */
type Matched = { change: Change; groups: WishGroup[]; frames: ChangeFrames };

/** Those for whom one answer counts: everyone of a role where policies do not look at the person, else one person. */
type Circle = { asked: Identity; people: Identity[] };

export type DeliverOptions = {
  database: Database;
  readFacts: FactsReader;
  subscriptions: ChangeSubscriptions;
  /** Whose wishes are dealt with here. */
  isOwn: (group: WishGroup) => boolean;
};

/** Matches, judges and tells changes of one table. */
export function createDeliver({ database, readFacts, subscriptions, isOwn }: DeliverOptions): Deliver {
  const judge = createJudge(database);

  /** `verdicts` are those of the rows, in the order of the changes that have one; null is for everything seen. */
  function tell(person: Identity, matched: Matched[], verdicts: Verdicts | null, delivery: number): void {
    let row = 0;
    for (const { change, groups, frames } of matched) {
      const verdict = change.row ? (verdicts?.[row++] ?? "seen") : "seen";
      if (verdict === "hidden") continue;
      subscriptions.visit(groups, person, delivery, (subscriber, its) => {
        const frame = frames.for(subscriber, its, verdict);
        if (frame) subscriber.send(frame);
      });
    }
  }

  return async (batch, surely) => {
    const [{ relation }] = batch;
    const groups = subscriptions.find(relation.schema, relation.name).filter(isOwn);
    const facts = await surely(() => readFacts(relation, rolesOf(groups)));
    if (!facts) return;
    const matcher = await surely(() =>
      createMatch(database, conditionsOf(groups), rowsToMatch(batch, facts)),
    );
    cancelFailed(groups, matcher, subscriptions);
    const delivery = subscriptions.beginDelivery();
    const matched = matchAll(batch, groups, facts, matcher);
    const people = new Set(matched.flatMap((one) => one.groups.flatMap((group) => [...group.people.keys()])));
    const rows = matched.flatMap(({ change }) => (change.row ? [change.row] : []));
    const { free, circles } = drawCircles(facts, [...people], rows);
    for (const person of free) tell(person, matched, null, delivery);
    const chunks = cut(circles, PEOPLE_AT_ONCE);
    const answers = chunks.map((chunk) => {
      const asked = chunk.map((circle) => circle.asked);
      return surely(() => judge(relation, facts, rows, asked));
    });
    // Each is awaited in its turn; until then a failure of a later one is nobody's.
    for (const answer of answers) answer.catch(() => {});
    for (const [at, chunk] of chunks.entries()) {
      const verdicts = await (answers[at] as Promise<Verdicts[]>);
      for (const [index, circle] of chunk.entries()) {
        for (const person of circle.people) tell(person, matched, verdicts[index] as Verdicts, delivery);
      }
    }
  };
}

function rolesOf(groups: WishGroup[]): string[] {
  return [...new Set(groups.flatMap(({ people }) => [...people.keys()].map(({ role }) => role)))];
}

function conditionsOf(groups: WishGroup[]) {
  return groups.flatMap(({ wish }) => wish.conditions);
}

function rowsToMatch(batch: Change[], facts: TableFacts): RowText[] {
  return batch.map((change) => rowToMatch(change, facts));
}

const keysOnly = new WeakMap<RowText, RowText>();

/** What filters look at. Of a deleted row only what is told of it, lest a filter guesses the rest. */
function rowToMatch({ row, oldRow }: Change, facts: TableFacts): RowText {
  if (row) return row;
  if (!oldRow || !facts.hasRls) return oldRow ?? {};
  let keys = keysOnly.get(oldRow);
  if (!keys) {
    keys = Object.fromEntries(facts.keys.map(({ name }) => [name, oldRow[name]]));
    keysOnly.set(oldRow, keys);
  }
  return keys;
}

/** Whoever wished for what cannot be compared is told once, and troubles nobody again. */
function cancelFailed(groups: WishGroup[], { failures }: Matcher, subscriptions: ChangeSubscriptions): void {
  if (failures.size === 0) return;
  for (const group of groups) {
    const failed = group.wish.conditions.find((condition) => failures.has(condition));
    if (failed) subscriptions.cancel(group, refusal(group.wish.spec, failures.get(failed) ?? ""));
  }
}

function matchAll(batch: Change[], groups: WishGroup[], facts: TableFacts, matcher: Matcher): Matched[] {
  return batch.flatMap((change) => {
    const row = rowToMatch(change, facts);
    const met = groups.filter(
      ({ wish: { spec, conditions } }) =>
        (spec.event === "*" || spec.event === change.type) &&
        conditions.every((condition) => matcher.match(condition, row)),
    );
    return met.length > 0 ? [{ change, groups: met, frames: new ChangeFrames(change, facts) }] : [];
  });
}

/** `free`: for whom there is nothing to ask. */
function drawCircles(
  facts: TableFacts,
  people: Identity[],
  rows: RowText[],
): { free: Identity[]; circles: Circle[] } {
  const needsNoAnswer = rows.length === 0 || !facts.hasRls || facts.keys.length === 0;
  const isFree = ({ role }: Identity) =>
    needsNoAnswer ||
    facts.unbound.has(role) ||
    !facts.keys.every(({ name }) => facts.readable.get(role)?.has(name));
  const free = people.filter(isFree);
  const bound = people.filter((person) => !isFree(person));
  if (facts.isPersonal) return { free, circles: bound.map((asked) => ({ asked, people: [asked] })) };
  const byRole = Map.groupBy(bound, ({ role }) => role);
  return { free, circles: [...byRole.values()].map((of) => ({ asked: of[0] as Identity, people: of })) };
}

function cut<T>(list: T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) =>
    list.slice(at * length, (at + 1) * length),
  );
}
