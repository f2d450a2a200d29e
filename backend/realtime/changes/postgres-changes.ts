import type { Database } from "#backend/postgres/database.ts";
import type { Change } from "../change-feed.ts";
import { createChangeDelivery } from "./change-delivery.ts";
import { ChangeSubscriptions, type Subscriber, type Wish } from "./change-subscriptions.ts";
import { createDeliver } from "./deliver-changes.ts";
import { createPrepareWishes, type PrepareWishes } from "./prepare-wishes.ts";
import { createFactsReader } from "./table-facts.ts";

/** Follows tables for clients: wishes in, changes through, each to those who may see it. */
export type PostgresChanges = {
  prepare: PrepareWishes;
  add(subscriber: Subscriber, wishes: Wish[]): void;
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
  const delivery = createChangeDelivery({
    isWanted: ({ schema, table }) => schema !== HIDDEN_SCHEMA && subscriptions.find(schema, table).length > 0,
    deliver: createDeliver(database, readFacts, subscriptions),
    onLoss(reason) {
      log(`realtime: changes were not told (${reason}); clients are asked to read again`);
      onLoss();
    },
  });
  return {
    prepare: createPrepareWishes(database, readFacts, publication),
    add: (subscriber, wishes) => subscriptions.add(subscriber, wishes),
    remove: (subscriber) => subscriptions.remove(subscriber),
    push: delivery.push,
    everyone: () => subscriptions.everyone,
    close: delivery.close,
  };
}
