import { expect, test } from "vitest";
import { toIdentity } from "#backend/tokens/identity.ts";
import { readChangeSpec } from "./change-spec.ts";
import { MAX_COMPARED } from "./compared-quota.ts";
import { type Subscriber, type Subscription, SubscriptionRegistry } from "./subscription-registry.ts";

const subscriberOf = (name: string, told: string[] = []): Subscriber => ({
  identity: toIdentity("authenticated", { sub: name }),
  person: name,
  topic: "realtime:room",
  version: "2.0.0",
  send: () => {},
  sendSystem: (_, status, message) => told.push(`${name}: ${status}, ${message}`),
});

test("a person's comparisons are limited over all channels; equal ones count once, and an ended channel's not at all", () => {
  const registry = new SubscriptionRegistry();
  const subscriptionOf = (number: number): Subscription => {
    const filter = Array.from({ length: 20 }, (_, at) => `id=gt.${number * 20 + at}`).join();
    const spec = readChangeSpec({ event: "*", schema: "public", table: "signals", filter });
    const settled = { sqlType: "integer", isPlain: false, pattern: null };
    return { spec, conditions: spec.conditions.map((one) => ({ ...one, ...settled })) };
  };
  const most = Array.from({ length: MAX_COMPARED / 20 }, (_, number) => subscriptionOf(number));
  const [one, another, other] = [subscriberOf("ana"), subscriberOf("ana"), subscriberOf("ben")];
  const [first, late] = [subscriptionOf(0), subscriptionOf(1_000)];
  expect(registry.set(one, most)).toEqual([]);
  expect(registry.set(another, [first, late])).toEqual([late]);
  expect(registry.set(other, [late])).toEqual([]);
  registry.remove(one);
  expect(registry.set(another, [late, ...most])).toEqual(most.slice(-1));
});

test("a canceled subscription ends for those who came since it was found, and tells them", () => {
  const registry = new SubscriptionRegistry();
  const told: string[] = [];
  const subscriptions = [
    { spec: readChangeSpec({ event: "*", schema: "public", table: "signals" }), conditions: [] },
  ];
  const [before, after] = [subscriberOf("ana before", told), subscriberOf("ana after", told)];
  registry.set(before, subscriptions);
  const [evaluated] = registry.find("public", "signals");
  if (!evaluated) throw new Error("no subscription was found");
  registry.remove(before);
  registry.set(after, subscriptions);
  registry.cancel(evaluated, "it took too long");
  expect(told).toEqual(["ana after: error, it took too long"]);
  expect(registry.find("public", "signals")).toEqual([]);
});
