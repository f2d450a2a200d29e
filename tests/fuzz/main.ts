import { ensureBuilt } from "#scripts/build-site.mjs";
import { readOptions } from "#tests/helpers/read-options.ts";
import { type ServiceName, TURNS } from "./make-fuzz.ts";
import { runFuzz, summarize } from "./run-fuzz.ts";
import { openTestBed } from "./test-bed.ts";

const text = { type: "string" } as const;
const { values, wholeNumber, refuse } = readOptions(
  `npm run test:fuzz -- [--requests=1000000] [--seed=1] [--from=0] [--only=${[...new Set(TURNS)]}]`,
  { requests: text, seed: text, from: text, only: text },
);
const only = (values.only?.split(",") ?? []) as ServiceName[];
if (only.some((name) => !TURNS.includes(name))) refuse();
const seed = wholeNumber(values.seed, 1);
const requests = wholeNumber(values.requests, 20_000);
const from = wholeNumber(values.from, 0);
await ensureBuilt();

const testBed = await openTestBed();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void testBed.close().finally(() => process.exit(130)));
const began = Date.now();
try {
  const result = await runFuzz(testBed, {
    seed,
    requests,
    from,
    only,
    report: (fault) => console.error(fault),
  });
  console.error(JSON.stringify(result.statuses));
  console.error(`Seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s: ${summarize(result)}`);
  process.exitCode = result.faults.length > 0 ? 1 : 0;
} finally {
  await testBed.close();
}
