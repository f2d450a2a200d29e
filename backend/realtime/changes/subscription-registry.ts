import { getOrMake } from "#backend/memory/get-or-make.ts";
import { removeFrom } from "#backend/memory/remove-from.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { Frame, Version } from "../protocol/message.ts";
import type { ChangeSpec } from "./change-spec.ts";
import { ComparedQuota } from "./compared-quota.ts";
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

/** All subscribers with an equal subscription, by role: most policies decide the same for everyone of a role. */
export type SubscriptionGroup = { subscription: Subscription; subscribers: Map<string, Set<Subscriber>> };

/** One account, and which of its subscribers there were when the delivery began. */
export type Person = { identity: Identity; subscribers: Subscriber[] };

export type Visitor = (subscriber: Subscriber, groups: SubscriptionGroup[]) => void;

type Entry = { role: string; person: string; subscriptions: Subscription[] };

/** Subscriptions by table and by subscriber. */
export class SubscriptionRegistry {
  readonly #byTable = new Map<string, Map<number, SubscriptionGroup>>();
  readonly #bySubscriber = new Map<Subscriber, Entry>();
  readonly #quota = new ComparedQuota();

  /**
   * Replaces a subscriber's subscriptions; to be called whenever its identity changes. Returns those that are refused
   * because its person has too many comparisons.
   */
  set(subscriber: Subscriber, wanted: Subscription[]): Subscription[] {
    const { role } = subscriber.identity;
    const { person } = subscriber;
    const left = this.#leave(subscriber);
    const subscriptions = wanted.filter((subscription) => this.#quota.take(person, subscription));
    if (subscriptions.length > 0) this.#bySubscriber.set(subscriber, { role, person, subscriptions });
    for (const subscription of subscriptions)
      getOrMake(this.#groupOf(subscription).subscribers, role, () => new Set()).add(subscriber);
    // Only now, so that a delivery under way still finds a group's only subscriber in it.
    this.#dropEmpty(left);
    return subscriptions.length < wanted.length
      ? wanted.filter((subscription) => !subscriptions.includes(subscription))
      : [];
  }

  remove(subscriber: Subscriber): void {
    this.#dropEmpty(this.#leave(subscriber));
  }

  /** Subscriptions that may match a change to this table. */
  find(schema: string, table: string): SubscriptionGroup[] {
    const keys = [`${schema}.${table}`, `${schema}.*`, "*.*", `*.${table}`];
    return keys.flatMap((key) => [...(this.#byTable.get(key)?.values() ?? [])]);
  }

  /** Calls `tell` once for each subscriber of this role, with those of `groups` that it is in. */
  visitRole(groups: SubscriptionGroup[], role: string, tell: Visitor): void {
    const [only, ...others] = groups;
    // The common case, and the hot path: a busy room receives thousands of frames per second.
    if (only && others.length === 0) {
      for (const subscriber of only.subscribers.get(role) ?? []) tell(subscriber, groups);
    } else visitEach(groups, role, membersOf(groups, role), tell);
  }

  /** The same for those of a person's subscribers that are still that person's: a renewed token changes nothing. */
  visitPerson(groups: SubscriptionGroup[], { identity, subscribers }: Person, tell: Visitor): void {
    const still = subscribers.filter((subscriber) => isSameAccount(subscriber.identity, identity));
    visitEach(groups, identity.role, still, tell);
  }

  /** Ends a subscription for all its subscribers, also those since the group was found, with a reason. */
  cancel({ subscription }: SubscriptionGroup, reason: string): void {
    const { subscribers } = this.#groupOf(subscription);
    this.#drop(subscription.spec);
    for (const ofRole of subscribers.values()) {
      for (const subscriber of ofRole) subscriber.sendSystem("postgres_changes", "error", reason);
    }
  }

  /** Ends a subscription for one subscriber, with a reason. */
  end(group: SubscriptionGroup, subscriber: Subscriber, reason: string): void {
    removeFrom(group.subscribers, subscriber.identity.role, subscriber);
    this.#dropEmpty([group]);
    subscriber.sendSystem("postgres_changes", "error", reason);
  }

  get everyone(): Iterable<Subscriber> {
    return this.#bySubscriber.keys();
  }

  #groupOf(subscription: Subscription): SubscriptionGroup {
    const { id, schema, table } = subscription.spec;
    const groups = getOrMake(this.#byTable, `${schema}.${table}`, () => new Map<number, SubscriptionGroup>());
    return getOrMake(groups, id, () => ({ subscription, subscribers: new Map() }));
  }

  /** Returns the groups that the subscriber was in. */
  #leave(subscriber: Subscriber): SubscriptionGroup[] {
    const known = this.#bySubscriber.get(subscriber);
    if (!known) return [];
    this.#bySubscriber.delete(subscriber);
    for (const subscription of known.subscriptions) this.#quota.giveBack(known.person, subscription);
    const groups = known.subscriptions.map((subscription) => this.#groupOf(subscription));
    for (const { subscribers } of groups) removeFrom(subscribers, known.role, subscriber);
    return groups;
  }

  #dropEmpty(groups: SubscriptionGroup[]): void {
    for (const { subscription, subscribers } of groups)
      if (subscribers.size === 0) this.#drop(subscription.spec);
  }

  #drop({ id, schema, table }: ChangeSpec): void {
    removeFrom(this.#byTable, `${schema}.${table}`, id);
  }
}

function visitEach(
  groups: SubscriptionGroup[],
  role: string,
  each: Iterable<Subscriber>,
  tell: Visitor,
): void {
  for (const subscriber of each) {
    const its = groups.filter(({ subscribers }) => subscribers.get(role)?.has(subscriber));
    if (its.length > 0) tell(subscriber, its.length === groups.length ? groups : its);
  }
}

/** Everyone of a role in these groups, each once. */
export function membersOf(groups: Iterable<SubscriptionGroup>, role: string): Set<Subscriber> {
  return new Set(Array.from(groups).flatMap(({ subscribers }) => [...(subscribers.get(role) ?? [])]));
}

/** Whether one is a renewed token of the other: same account and role. */
function isSameAccount(one: Identity, other: Identity): boolean {
  return one.role === other.role && one.claims.sub === other.claims.sub;
}
