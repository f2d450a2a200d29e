import type { Identity } from "#backend/tokens/identity.ts";
import type { Frame, Version } from "../protocol/message.ts";
import type { ChangeSpec } from "./change-spec.ts";
import type { SettledCondition } from "./filter-matcher.ts";

/** Who is told of changes: a joined channel. */
export type Subscriber = {
  identity: Identity;
  topic: string;
  version: Version;
  send(frame: Frame): void;
  tell(extension: "postgres_changes", status: "ok" | "error", message: string): void;
};

/** A wish that was found good. */
export type Wish = { spec: ChangeSpec; conditions: SettledCondition[] };

/** All who wish for the same. */
export type WishGroup = { wish: Wish; people: Map<Identity, Set<Subscriber>> };

type Teller = (subscriber: Subscriber, groups: WishGroup[]) => void;

type Entry = { identity: Identity; wishes: Wish[]; renewed: Identity | null };

/** Who wishes for what, found by table. */
export class ChangeSubscriptions {
  readonly #byTable = new Map<string, Map<number, WishGroup>>();
  readonly #bySubscriber = new Map<Subscriber, Entry>();
  /** By the token that was renewed: who brought it, and during which delivery. */
  readonly #renewed = new Map<Identity, Map<Subscriber, number>>();
  #deliveries = 0;

  /**
   * In place of what the subscriber wished for before. When it only renews its token, deliveries that began with the
   * old one still find it.
   */
  set(subscriber: Subscriber, wishes: Wish[]): void {
    const { identity } = subscriber;
    const before = this.#bySubscriber.get(subscriber)?.identity;
    this.remove(subscriber);
    if (wishes.length === 0) return;
    const renewed = before && before !== identity && isSamePerson(before, identity) ? before : null;
    this.#bySubscriber.set(subscriber, { identity, wishes, renewed });
    if (renewed) addTo(this.#renewed, renewed, () => new Map()).set(subscriber, this.#deliveries);
    for (const wish of wishes) addTo(this.#groupOf(wish).people, identity, () => new Set()).add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    const known = this.#bySubscriber.get(subscriber);
    if (!known) return;
    this.#bySubscriber.delete(subscriber);
    if (known.renewed) removeFrom(this.#renewed, known.renewed, subscriber);
    for (const wish of known.wishes) {
      const { people } = this.#groupOf(wish);
      removeFrom(people, known.identity, subscriber);
      if (people.size === 0) this.#drop(wish.spec);
    }
  }

  /** Those who may want to hear of a change to this table. */
  find(schema: string, table: string): WishGroup[] {
    const places = [`${schema}.${table}`, `${schema}.*`, "*.*", `*.${table}`];
    return places.flatMap((place) => [...(this.#byTable.get(place)?.values() ?? [])]);
  }

  /** To be told at the start of each delivery; the mark says which it is. */
  beginDelivery(): number {
    return ++this.#deliveries;
  }

  /** Each subscriber once that is this person, or was when the delivery began, with those of the groups it is in. */
  visit(groups: WishGroup[], person: Identity, delivery: number, tell: Teller): void {
    const [only, ...others] = groups;
    // As nearly always, and a full room is told thousands of times a second.
    if (only && others.length === 0 && !this.#renewed.has(person)) {
      for (const subscriber of only.people.get(person) ?? []) tell(subscriber, groups);
    } else for (const [subscriber, its] of this.#find(groups, person, delivery)) tell(subscriber, its);
  }

  #find(groups: WishGroup[], person: Identity, delivery: number): Map<Subscriber, WishGroup[]> {
    const found = new Map<Subscriber, WishGroup[]>();
    for (const group of groups) {
      for (const subscriber of group.people.get(person) ?? []) addTo(found, subscriber, () => []).push(group);
    }
    for (const [subscriber, since] of this.#renewed.get(person) ?? []) {
      if (since < delivery) continue;
      const still = groups.filter(({ people }) => people.get(subscriber.identity)?.has(subscriber));
      if (still.length > 0) found.set(subscriber, still);
    }
    return found;
  }

  /** Ends a wish for everyone, who are told why. */
  cancel({ wish, people }: WishGroup, reason: string): void {
    this.#drop(wish.spec);
    for (const subscribers of people.values()) {
      for (const subscriber of subscribers) subscriber.tell("postgres_changes", "error", reason);
    }
  }

  get everyone(): Iterable<Subscriber> {
    return this.#bySubscriber.keys();
  }

  #groupOf(wish: Wish): WishGroup {
    const { id, schema, table } = wish.spec;
    const groups = addTo(this.#byTable, `${schema}.${table}`, () => new Map<number, WishGroup>());
    return addTo(groups, id, () => ({ wish, people: new Map() }));
  }

  #drop({ id, schema, table }: ChangeSpec): void {
    removeFrom(this.#byTable, `${schema}.${table}`, id);
  }
}

/** Whoever has another token of the same account and role: it was renewed. */
function isSamePerson(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.claims.sub === other.claims.sub;
}

function addTo<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

/** What is left empty goes. */
function removeFrom<Key, Item>(
  map: Map<Key, { delete(item: Item): boolean; size: number }>,
  key: Key,
  item: Item,
): void {
  const items = map.get(key);
  items?.delete(item);
  if (items?.size === 0) map.delete(key);
}
