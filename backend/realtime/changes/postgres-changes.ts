import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { Change } from "../feed/change-feed.ts";
import type { Journal } from "../journal/journal.ts";
import { type ChangeDelivery, createChangeDelivery } from "./change-delivery.ts";
import { refusal } from "./change-spec.ts";
import { MAX_COMPARED } from "./compared-quota.ts";
import { createDeliver } from "./deliver-changes.ts";
import { createPatternBudget } from "./match-patterns.ts";
import { createPrepareSubscriptions, type PrepareSubscriptions } from "./prepare-subscriptions.ts";
import {
  type Subscriber,
  type Subscription,
  type SubscriptionGroup,
  SubscriptionRegistry,
} from "./subscription-registry.ts";
import { createFactsReader } from "./table-facts.ts";

/** Manages table subscriptions and sends each change to the subscribers who may see it. */
export type PostgresChanges = {
  prepare: PrepareSubscriptions;
  /** Replaces a subscriber's subscriptions; returns the error messages for the refused ones. */
  follow(subscriber: Subscriber, subscriptions: Subscription[]): string[];
  remove(subscriber: Subscriber): void;
  push(change: Change): void;
  /** Asks all subscribers to re-read changes since this time (milliseconds since 1970); null for everything. */
  announceGap(since: number | null): void;
  /** Counts of gaps (changes may have been missed) and drops (changes could not be sent). */
  losses(): { gaps: number; dropped: number };
  close(): void;
};

/** The service's own schema is never published. */
const HIDDEN_SCHEMA = "realtime";

const TOO_MANY_COMPARED = `The filters of this person have more than ${MAX_COMPARED} comparisons`;

const missed = (since: number | null) =>
  `Changes may have been missed${since === null ? "" : ` since ${new Date(since).toISOString()}`}: read the tables again`;

export type PostgresChangesOptions = {
  database: Database;
  publication: string;
  log: (line: LogText) => void;
  journal: Journal;
};

export function createPostgresChanges({
  database,
  publication,
  log,
  journal,
}: PostgresChangesOptions): PostgresChanges {
  const readFacts = createFactsReader(database);
  const registry = new SubscriptionRegistry();
  const budget = createPatternBudget();

  const losses = { gaps: 0, dropped: 0 };

  function announceGap(since: number | null): void {
    losses.gaps++;
    const subscribers = [...registry.everyone];
    if (subscribers.length > 0)
      journal.note(logText`changes may have been missed; subscribers were told to reload their data`);
    for (const subscriber of subscribers) {
      subscriber.sendSystem("postgres_changes", "error", missed(since));
      subscriber.sendSystem("postgres_changes", "ok", "Subscribed to PostgreSQL");
    }
  }

  function openLane(isOwn: (group: SubscriptionGroup) => boolean): ChangeDelivery {
    return createChangeDelivery({
      isWanted: ({ schema, table }) => schema !== HIDDEN_SCHEMA && registry.find(schema, table).some(isOwn),
      deliver: createDeliver({ database, readFacts, registry, budget, isOwn }),
      onLoss(reason, since) {
        losses.dropped++;
        log(
          logText`changes were not sent (${quoteScrubbed(reason)}); clients were told to reload their data`,
        );
        announceGap(since);
      },
    });
  }

  // Separate lanes, so that slow filters do not delay the others.
  const lanes = LANES.map((lane) => openLane((group) => laneOf(group) === lane));

  return {
    prepare: createPrepareSubscriptions(database, readFacts, publication),
    follow: (subscriber, subscriptions) =>
      registry.set(subscriber, subscriptions).map(({ spec }) => refusal(spec, TOO_MANY_COMPARED)),
    remove: (subscriber) => registry.remove(subscriber),
    push: (change) => lanes.forEach((lane) => void lane.push(change)),
    announceGap,
    losses: () => ({ ...losses }),
    close: () => lanes.forEach((lane) => void lane.close()),
  };
}

const LANES = ["plain", "compared", "patterns"] as const;

function laneOf({ subscription: { conditions } }: SubscriptionGroup): (typeof LANES)[number] {
  if (conditions.some(({ pattern }) => pattern)) return "patterns";
  return conditions.every(({ isPlain }) => isPlain) ? "plain" : "compared";
}
