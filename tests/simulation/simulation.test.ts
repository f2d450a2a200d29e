import { expect, test } from "vitest";
import { simulateChat } from "./simulate-chat.ts";

const SEEDS = 10;

test("whatever fails in a chat, of processes, lines and clocks: in the end everybody sees the same", async () => {
  let said = 0;
  let faults = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const story = await simulateChat(seed);
    said += story.said;
    faults += story.faults;
  }
  expect(said).toBeGreaterThan(5 * SEEDS);
  expect(faults).toBeGreaterThan(5 * SEEDS);
});

test("the same seed is the same story, and another seed is another one", async () => {
  const [first, again, other] = [await simulateChat(1), await simulateChat(1), await simulateChat(2)];
  expect(again).toEqual(first);
  expect(other.trace).not.toBe(first.trace);
});
