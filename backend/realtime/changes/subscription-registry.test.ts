import { expect, test } from "vitest";
import { toIdentity } from "#backend/tokens/identity.ts";
import { readChangeSpec } from "./change-spec.ts";
import { type Subscriber, SubscriptionRegistry } from "./subscription-registry.ts";

test("a canceled subscription ends for those who came since it was found, and tells them", () => {
  const registry = new SubscriptionRegistry();
  const told: string[] = [];
  const subscriberOf = (name: string): Subscriber => ({
    identity: toIdentity("authenticated", { sub: name }),
    person: name,
    topic: "realtime:room",
    version: "2.0.0",
    send: () => {},
    sendSystem: (_, status, message) => told.push(`${name}: ${status}, ${message}`),
  });
  const subscriptions = [
    { spec: readChangeSpec({ event: "*", schema: "public", table: "signals" }), conditions: [] },
  ];
  const [before, after] = [subscriberOf("ana before"), subscriberOf("ana after")];
  registry.set(before, subscriptions);
  const [evaluated] = registry.find("public", "signals");
  if (!evaluated) throw new Error("no subscription was found");
  registry.remove(before);
  registry.set(after, subscriptions);
  registry.cancel(evaluated, "it took too long");
  expect(told).toEqual(["ana after: error, it took too long"]);
  expect(registry.find("public", "signals")).toEqual([]);
});
