import { cpus, loadavg } from "node:os";
import { benchChat } from "./chat.ts";
import type { Comparison } from "./compare.ts";
import { benchPage } from "./page.ts";
import { printComparisons } from "./print-comparisons.ts";
import { benchRest } from "./rest.ts";
import { benchSignIn } from "./sign-in.ts";

const benches: Record<string, () => Promise<Comparison[]>> = {
  page: benchPage,
  rest: benchRest,
  chat: benchChat,
  "sign-in": benchSignIn,
};

/** `npm run bench [-- page|rest|chat|sign-in …] [--json]`: each bench side by side with its floor, in one run. */
async function main(args: string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith("--"));
  const unknown = names.find((name) => !Object.hasOwn(benches, name));
  if (unknown)
    throw new Error(`No bench is called ${unknown}; there are ${Object.keys(benches).join(", ")}.`);
  const asJson = args.includes("--json");
  warnIfBusy();
  const comparisons: Comparison[] = [];
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!asJson) console.log(`\n${name}`);
    for (const comparison of await (benches[name] as () => Promise<Comparison[]>)()) {
      comparisons.push(comparison);
      if (!asJson) printComparisons([comparison]);
    }
  }
  if (asJson) console.log(JSON.stringify(comparisons, null, 2));
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  if (load < cpus().length) return;
  console.error(
    `The machine is busy (load ${load.toFixed(1)} on ${cpus().length} cores): even the ratios will swing.`,
  );
}

await main(process.argv.slice(2));
