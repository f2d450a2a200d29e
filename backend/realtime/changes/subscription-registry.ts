import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Frame, Version } from "../protocol/message.ts";
import type { ChangeSpec } from "./change-spec.ts";
import type { SettledCondition } from "./filter-matcher.ts";

/** A joined channel that receives changes. */
export type Subscriber = {
  identity: Identity;
  /** Key that CPU time is charged to: an account, or a network for anonymous clients. */
  person: string;
  topic: string;
  version: Version;
  send(frame: Frame): void;
  sendSystem(extension: "postgres_changes", status: "ok" | "error", message: string): void;
};

/** A validated subscription. */
export type Subscription = { spec: ChangeSpec; conditions: SettledCondition[] };

/** All subscribers with an equal subscription. */
export type SubscriptionGroup = { subscription: Subscription; people: Map<Identity, Set<Subscriber>> };

type Visitor = (subscriber: Subscriber, groups: SubscriptionGroup[]) => void;

type Entry = { identity: Identity; subscriptions: Subscription[]; renewed: Identity | null };

/** Subscriptions by table and by subscriber. */
export class SubscriptionRegistry {
  readonly #byTable = new Map<string, Map<number, SubscriptionGroup>>();
  readonly #bySubscriber = new Map<Subscriber, Entry>();
  /** By the identity before a token renewal: the subscribers that renewed it, and the delivery number at that time. */
  readonly #renewed = new Map<Identity, Map<Subscriber, number>>();
  #deliveries = 0;

  /**
   * Replaces a subscriber's subscriptions. If only its token was renewed, deliveries that began with the old token
   * still reach it.
   */
  set(subscriber: Subscriber, subscriptions: Subscription[]): void {
    const { identity } = subscriber;
    const before = this.#bySubscriber.get(subscriber)?.identity;
    this.remove(subscriber);
    if (subscriptions.length === 0) return;
    const renewed = before && before !== identity && isSameAccount(before, identity) ? before : null;
    this.#bySubscriber.set(subscriber, { identity, subscriptions, renewed });
    if (renewed) getOrMake(this.#renewed, renewed, () => new Map()).set(subscriber, this.#deliveries);
    for (const subscription of subscriptions)
      getOrMake(this.#groupOf(subscription).people, identity, () => new Set()).add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    const known = this.#bySubscriber.get(subscriber);
    if (!known) return;
    this.#bySubscriber.delete(subscriber);
    if (known.renewed) removeFrom(this.#renewed, known.renewed, subscriber);
    for (const subscription of known.subscriptions) {
      const { people } = this.#groupOf(subscription);
      removeFrom(people, known.identity, subscriber);
      if (people.size === 0) this.#drop(subscription.spec);
    }
  }

  /** Subscriptions that may match a change to this table. */
  find(schema: string, table: string): SubscriptionGroup[] {
    const keys = [`${schema}.${table}`, `${schema}.*`, "*.*", `*.${table}`];
    return keys.flatMap((key) => [...(this.#byTable.get(key)?.values() ?? [])]);
  }

  /** Must be called at the start of each delivery; returns its number. */
  beginDelivery(): number {
    return ++this.#deliveries;
  }

  /**
   * Calls `tell` once for each subscriber that has this identity, or had it when the delivery began, with those of
   * `groups` that it is in.
   */
  visit(groups: SubscriptionGroup[], person: Identity, delivery: number, tell: Visitor): void {
    const [only, ...others] = groups;
    // The common case, and the hot path: a busy room receives thousands of frames per second.
    if (only && others.length === 0 && !this.#renewed.has(person)) {
      for (const subscriber of only.people.get(person) ?? []) tell(subscriber, groups);
    } else for (const [subscriber, its] of this.#find(groups, person, delivery)) tell(subscriber, its);
  }

  #find(
    groups: SubscriptionGroup[],
    person: Identity,
    delivery: number,
  ): Map<Subscriber, SubscriptionGroup[]> {
    const found = new Map<Subscriber, SubscriptionGroup[]>();
    for (const group of groups) {
      for (const subscriber of group.people.get(person) ?? [])
        getOrMake(found, subscriber, () => []).push(group);
    }
    for (const [subscriber, since] of this.#renewed.get(person) ?? []) {
      if (since < delivery) continue;
      const still = groups.filter(({ people }) => people.get(subscriber.identity)?.has(subscriber));
      if (still.length > 0) found.set(subscriber, still);
    }
    return found;
  }

  /** Ends a subscription for all its subscribers, with a reason. */
  cancel({ subscription, people }: SubscriptionGroup, reason: string): void {
    this.#drop(subscription.spec);
    for (const subscribers of people.values()) {
      for (const subscriber of subscribers) subscriber.sendSystem("postgres_changes", "error", reason);
    }
  }

  /** Ends a subscription for one subscriber, with a reason. */
  end({ subscription, people }: SubscriptionGroup, subscriber: Subscriber, reason: string): void {
    removeFrom(people, this.#bySubscriber.get(subscriber)?.identity ?? subscriber.identity, subscriber);
    if (people.size === 0) this.#drop(subscription.spec);
    subscriber.sendSystem("postgres_changes", "error", reason);
  }

  get everyone(): Iterable<Subscriber> {
    return this.#bySubscriber.keys();
  }

  #groupOf(subscription: Subscription): SubscriptionGroup {
    const { id, schema, table } = subscription.spec;
    const groups = getOrMake(this.#byTable, `${schema}.${table}`, () => new Map<number, SubscriptionGroup>());
    return getOrMake(groups, id, () => ({ subscription, people: new Map() }));
  }

  #drop({ id, schema, table }: ChangeSpec): void {
    removeFrom(this.#byTable, `${schema}.${table}`, id);
  }
}

/** Whether one is a renewed token of the other: same account and role. */
function isSameAccount(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.claims.sub === other.claims.sub;
}

/** Deletes `item` from the collection at `key`, and the collection once it is empty. */
function removeFrom<Key, Item>(
  map: Map<Key, { delete(item: Item): boolean; size: number }>,
  key: Key,
  item: Item,
): void {
  const items = map.get(key);
  items?.delete(item);
  if (items?.size === 0) map.delete(key);
}
