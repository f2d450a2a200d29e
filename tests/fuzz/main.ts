import { parseArgs } from "node:util";
import { ensureBuilt } from "#scripts/build-site.mjs";
import { type ServiceName, TURNS } from "./make-fuzz.ts";
import { runFuzz, summarize } from "./run-fuzz.ts";
import { openTestBed } from "./test-bed.ts";

// usage: npm run test:fuzz -- [--requests=1000000] [--seed=1] [--from=0] [--only=rest,auth,storage,realtime,functions,pages]
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { requests: text, seed: text, from: text, only: text } });
const only = (values.only?.split(",") ?? []) as ServiceName[];
const unknown = only.find((name) => !TURNS.includes(name));
if (unknown) throw new Error(`There is no service ${unknown}.`);
await ensureBuilt();

const testBed = await openTestBed();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void testBed.close().finally(() => process.exit(130)));
const began = Date.now();
const seed = Number(values.seed ?? 1);
const requests = Number(values.requests ?? 20_000);
try {
  const result = await runFuzz(testBed, {
    seed,
    requests,
    from: Number(values.from ?? 0),
    only,
    report: (fault) => console.error(fault),
  });
  console.error(JSON.stringify(result.statuses));
  console.error(`Seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s: ${summarize(result)}`);
  process.exitCode = result.faults.length > 0 ? 1 : 0;
} finally {
  await testBed.close();
}
