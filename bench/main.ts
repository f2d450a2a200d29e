import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ensureBuilt } from "#scripts/build-site.mjs";
import { benchChat } from "./chat.ts";
import type { Comparison } from "./compare.ts";
import { benchCost, describeCost } from "./cost.ts";
import { describeComparisons } from "./describe-comparisons.ts";
import { benchGrowth, describeGrowth } from "./growth.ts";
import { benchLists, describeLists } from "./lists.ts";
import { benchPage } from "./page.ts";
import { describePhone } from "./phone/describe-phone.ts";
import { benchPhone } from "./phone.ts";
import { benchRest } from "./rest.ts";
import { benchSignIn } from "./sign-in.ts";
import { benchStorage } from "./storage.ts";
import { writeReport } from "./write-report.ts";

/** Runs a benchmark and returns its results, also as lines to print. */
type Bench = () => Promise<{ results: unknown; lines: string[] }>;

const bench =
  <T>(run: () => Promise<T>, describe: (results: T) => string[]): Bench =>
  async () => {
    const results = await run();
    return { results, lines: describe(results) };
  };
const compared = (run: () => Promise<Comparison[]>): Bench => bench(run, describeComparisons);

const benches: Record<string, Bench> = {
  page: compared(benchPage),
  phone: bench(benchPhone, describePhone),
  growth: bench(benchGrowth, describeGrowth),
  cost: bench(benchCost, describeCost),
  rest: compared(benchRest),
  chat: compared(benchChat),
  "sign-in": compared(benchSignIn),
  storage: compared(benchStorage),
  lists: bench(benchLists, describeLists),
};

/**
 * `npm run bench [-- page|phone|growth|cost|rest|chat|sign-in|storage|lists …] [--json] [--report]`: runs each benchmark side
 * by side with its baseline. `--report` writes the results into docs/performance.md; if only some are run, only their
 * parts.
 */
async function main(args: string[]): Promise<void> {
  const { values, positionals: names } = parseArgs({
    args,
    allowPositionals: true,
    // Some benchmarks have options of their own.
    strict: false,
    options: { json: { type: "boolean" }, report: { type: "boolean" } },
  });
  const unknown = names.find((name) => !Object.hasOwn(benches, name));
  if (unknown) {
    console.error(`No bench is called ${unknown}; there are ${Object.keys(benches).join(", ")}.`);
    process.exitCode = 1;
    return;
  }
  await ensureBuilt();
  warnIfBusy();
  const began = performance.now();
  const all: { name: string; results: unknown; lines: string[] }[] = [];
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!values.json) console.log(`\n${name}`);
    const { results, lines } = await (benches[name] as Bench)();
    all.push({ name, results, lines });
    if (!values.json) console.log(lines.join("\n"));
  }
  if (values.json)
    console.log(
      JSON.stringify(
        all.map(({ name, results }) => ({ name, results })),
        null,
        2,
      ),
    );
  if (values.report) await writeReport(all, performance.now() - began, names.length === 0);
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < cpus().length) return;
  console.error(
    `The machine is busy (load ${load.toFixed(1)} on ${cpus().length} cores): even the ratios will swing.`,
  );
}

await main(process.argv.slice(2));
