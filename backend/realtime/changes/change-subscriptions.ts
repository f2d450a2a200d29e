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

/** Who wishes for what, found by table. */
export class ChangeSubscriptions {
  readonly #byTable = new Map<string, Map<number, WishGroup>>();
  readonly #bySubscriber = new Map<Subscriber, { identity: Identity; wishes: Wish[] }>();

  add(subscriber: Subscriber, wishes: Wish[]): void {
    const { identity } = subscriber;
    this.#bySubscriber.set(subscriber, { identity, wishes });
    for (const wish of wishes) {
      const { people } = this.#groupOf(wish);
      const subscribers = people.get(identity);
      if (subscribers) subscribers.add(subscriber);
      else people.set(identity, new Set([subscriber]));
    }
  }

  remove(subscriber: Subscriber): void {
    const known = this.#bySubscriber.get(subscriber);
    if (!known) return;
    this.#bySubscriber.delete(subscriber);
    for (const wish of known.wishes) {
      const group = this.#groupOf(wish);
      const subscribers = group.people.get(known.identity);
      subscribers?.delete(subscriber);
      if (subscribers?.size === 0) group.people.delete(known.identity);
      if (group.people.size === 0) this.#drop(wish.spec);
    }
  }

  /** Those who may want to hear of a change to this table. */
  find(schema: string, table: string): WishGroup[] {
    const places = [`${schema}.${table}`, `${schema}.*`, "*.*", `*.${table}`];
    return places.flatMap((place) => [...(this.#byTable.get(place)?.values() ?? [])]);
  }

  get everyone(): Iterable<Subscriber> {
    return this.#bySubscriber.keys();
  }

  #groupOf(wish: Wish): WishGroup {
    const { id, schema, table } = wish.spec;
    const place = `${schema}.${table}`;
    const groups = this.#byTable.get(place) ?? new Map<number, WishGroup>();
    this.#byTable.set(place, groups);
    const group = groups.get(id) ?? { wish, people: new Map() };
    groups.set(id, group);
    return group;
  }

  #drop({ id, schema, table }: ChangeSpec): void {
    const place = `${schema}.${table}`;
    const groups = this.#byTable.get(place);
    groups?.delete(id);
    if (groups?.size === 0) this.#byTable.delete(place);
  }
}
