import { readOptions } from "#tests/helpers/read-options.ts";
import { STORIES } from "./stories.ts";

const { values, wholeNumber } = readOptions("npm run test:simulation -- [--seeds=10000] [--from=1]", {
  seeds: { type: "string" },
  from: { type: "string" },
});
const seeds = wholeNumber(values.seeds, 1_000);
const from = wholeNumber(values.from, 1);

const sum = { said: 0, faults: 0, steps: 0, failed: 0 };
const began = Date.now();
for (let seed = from; seed < from + seeds; seed++) {
  try {
    for (const simulate of STORIES) {
      const { said, faults, steps } = await simulate(seed);
      sum.said += said;
      sum.faults += faults;
      sum.steps += steps;
    }
  } catch (error) {
    sum.failed += 1;
    console.error((error as Error).message);
  }
}
const seconds = Math.round((Date.now() - began) / 1000);
console.error(
  `${seeds} seeds from ${from} in ${seconds} s: ${sum.said} messages and visits, ${sum.faults} faults, ${sum.steps} steps; ${sum.failed} failed`,
);
process.exitCode = sum.failed > 0 ? 1 : 0;
