import type { Database } from "#backend/postgres/database.ts";
import type { Change } from "../change-feed.ts";
import { type ChangeDelivery, createChangeDelivery } from "./change-delivery.ts";
import { ChangeSubscriptions, type Subscriber, type Wish, type WishGroup } from "./change-subscriptions.ts";
import { createDeliver } from "./deliver-changes.ts";
import { createPrepareWishes, type PrepareWishes } from "./prepare-wishes.ts";
import { createFactsReader } from "./table-facts.ts";

/** Follows tables for clients: wishes in, changes through, each to those who may see it. */
export type PostgresChanges = {
  prepare: PrepareWishes;
  /** From now on the subscriber wishes for these, and for nothing else. */
  follow(subscriber: Subscriber, wishes: Wish[]): void;
  remove(subscriber: Subscriber): void;
  push(change: Change): void;
  /** Everyone who follows a table. */
  everyone(): Iterable<Subscriber>;
  close(): void;
};

/** The service's own schema is nobody's business. */
const HIDDEN_SCHEMA = "realtime";

export type PostgresChangesOptions = {
  database: Database;
  publication: string;
  log: (line: string) => void;
  /** Some changes were not told, and never will be. */
  onLoss: () => void;
};

export function createPostgresChanges({
  database,
  publication,
  log,
  onLoss,
}: PostgresChangesOptions): PostgresChanges {
  const readFacts = createFactsReader(database);
  const subscriptions = new ChangeSubscriptions();

  function openLane(isOwn: (group: WishGroup) => boolean): ChangeDelivery {
    return createChangeDelivery({
      isWanted: ({ schema, table }) =>
        schema !== HIDDEN_SCHEMA && subscriptions.find(schema, table).some(isOwn),
      deliver: createDeliver({ database, readFacts, subscriptions, isOwn }),
      onLoss(reason) {
        log(`changes were not told (${reason}); clients are asked to read again`);
        onLoss();
      },
    });
  }

  // A pattern may take PostgreSQL long: whoever brings one keeps nobody waiting who has none.
  const lanes = [openLane(isPlain), openLane((group) => !isPlain(group))];

  return {
    prepare: createPrepareWishes(database, readFacts, publication),
    follow: (subscriber, wishes) => subscriptions.set(subscriber, wishes),
    remove: (subscriber) => subscriptions.remove(subscriber),
    push: (change) => lanes.forEach((lane) => void lane.push(change)),
    everyone: () => subscriptions.everyone,
    close: () => lanes.forEach((lane) => void lane.close()),
  };
}

function isPlain({ wish }: WishGroup): boolean {
  return wish.conditions.every((condition) => condition.isPlain);
}
