import { expect, test } from "vitest";
import { simulateChat } from "./simulate-chat.ts";
import { simulatePages } from "./simulate-pages.ts";
import { simulateSessions } from "./simulate-sessions.ts";
import { STORIES } from "./stories.ts";

const SEEDS = 8;

test.each([
  ["chat: in the end everybody sees the same, each message once", simulateChat],
  ["session: who is signed out stays out, and nobody else", simulateSessions],
  ["page: who changes a value reads it on the next", simulatePages],
])("whatever processes, connections and clocks fail around a %s", async (_what, simulate) => {
  let said = 0;
  let faults = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const story = await simulate(seed);
    said += story.said;
    faults += story.faults;
  }
  expect(said).toBeGreaterThan(5 * SEEDS);
  expect(faults).toBeGreaterThan(3 * SEEDS);
});

test.each(STORIES)(
  "the same seed is the same story, and another seed a different one: %o",
  async (simulate) => {
    const [first, again, other] = [await simulate(1), await simulate(1), await simulate(2)];
    expect(again).toEqual(first);
    expect(other.trace).not.toBe(first.trace);
  },
);
