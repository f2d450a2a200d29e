import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { playRounds } from "./play-rounds.ts";

const IN_SHORT = ["worker", "postmaster", "both"];

test("kill -9 of a worker, of PostgreSQL, and of both: nothing acknowledged is lost, doubled or half done", async () => {
  const faults = IN_SHORT.map(
    (name) => FAULTS.find((fault) => fault.name === name) as (typeof FAULTS)[number],
  );
  const rounds = await playRounds({ faults, people: 2, before: 100 });
  expect(rounds.map(({ fault, findings }) => [fault, findings])).toEqual(IN_SHORT.map((name) => [name, []]));
  for (const { acknowledged } of rounds) expect(acknowledged).toBeGreaterThan(10);
});
