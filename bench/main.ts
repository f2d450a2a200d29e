import { cpus, loadavg } from "node:os";
import { benchChat } from "./chat.ts";
import type { Comparison } from "./compare.ts";
import { benchGrowth, printGrowth } from "./growth.ts";
import { benchPage } from "./page.ts";
import { printPhone } from "./phone/print-phone.ts";
import { benchPhone } from "./phone.ts";
import { printComparisons } from "./print-comparisons.ts";
import { benchRest } from "./rest.ts";
import { benchSignIn } from "./sign-in.ts";
import { benchStorage } from "./storage.ts";

/** Runs and gives what it measured, and how to print that. */
type Bench = () => Promise<{ results: unknown[]; print: () => void }>;

const compared =
  (bench: () => Promise<Comparison[]>): Bench =>
  async () => {
    const results = await bench();
    return { results, print: () => printComparisons(results) };
  };

const benches: Record<string, Bench> = {
  page: compared(benchPage),
  phone: async () => {
    const result = await benchPhone();
    return { results: [result], print: () => printPhone(result) };
  },
  growth: async () => {
    const result = await benchGrowth();
    return { results: [result], print: () => printGrowth(result) };
  },
  rest: compared(benchRest),
  chat: compared(benchChat),
  "sign-in": compared(benchSignIn),
  storage: compared(benchStorage),
};

/** `npm run bench [-- page|phone|growth|rest|chat|sign-in|storage …] [--json]`: each bench side by side with its floor, in one run. */
async function main(args: string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith("--"));
  const unknown = names.find((name) => !Object.hasOwn(benches, name));
  if (unknown)
    throw new Error(`No bench is called ${unknown}; there are ${Object.keys(benches).join(", ")}.`);
  const asJson = args.includes("--json");
  warnIfBusy();
  const all: unknown[] = [];
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!asJson) console.log(`\n${name}`);
    const { results, print } = await (benches[name] as Bench)();
    all.push(...results);
    if (!asJson) print();
  }
  if (asJson) console.log(JSON.stringify(all, null, 2));
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < cpus().length) return;
  console.error(
    `The machine is busy (load ${load.toFixed(1)} on ${cpus().length} cores): even the ratios will swing.`,
  );
}

await main(process.argv.slice(2));
