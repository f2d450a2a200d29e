import { parseArgs } from "node:util";
import { ensureBuilt } from "#scripts/build-site.mjs";
import { FAULTS, type Fault, type Need } from "./faults.ts";
import { openScene, type Round } from "./play-rounds.ts";

// usage: npm run test:faults -- [--rounds=20] [--only=node,worker]
const { values } = parseArgs({ options: { rounds: { type: "string" }, only: { type: "string" } } });
const only = values.only?.split(",");
const kinds = FAULTS.filter(({ name }) => !only || only.includes(name));
if (kinds.length === 0) throw new Error(`there is none of ${values.only}: ${FAULTS.map(({ name }) => name)}`);
const count = Number(values.rounds ?? kinds.length);
await ensureBuilt();

const faults = Array.from(
  { length: count },
  (_, index) => kinds[index % kinds.length] as (typeof kinds)[number],
);
const began = Date.now();
const rounds: Round[] = [];
for (const needs of [undefined, "small disk", "own clock"] as const) {
  const own = faults.filter((fault) => fault.needs === needs);
  if (own.length > 0) await play(own, needs).catch(giveUp);
}
const bad = rounds.filter(({ findings }) => findings.length > 0);

console.error(
  `\n| fault | rounds | acknowledged | without an answer | back, ms | chats live, ms | findings |`,
);
console.error("| --- | --- | --- | --- | --- | --- | --- |");
for (const { name } of kinds) {
  const own = rounds.filter(({ fault }) => fault === name);
  if (own.length === 0) continue;
  const sum = (of: (round: Round) => number) => own.reduce((total, round) => total + of(round), 0);
  const findings = sum(({ findings }) => findings.length);
  console.error(
    `| ${name} | ${own.length} | ${sum(({ acknowledged }) => acknowledged)} | ${sum(({ unknown }) => unknown)} | ${spread(own.map(({ backMs }) => backMs))} | ${spread(own.map(({ liveMs }) => liveMs))} | ${findings} |`,
  );
}
console.error(
  `${rounds.length} rounds in ${Math.round((Date.now() - began) / 1000)} s, ${bad.length} with findings`,
);
process.exit(bad.length > 0 ? 1 : 0);

function describe({ fault, workers, acknowledged, unknown, backMs, liveMs, line, findings }: Round): void {
  console.error(
    `${fault} (${workers}): ${acknowledged} acknowledged, ${unknown} without an answer, back after ${backMs} ms, chats after ${liveMs} ms${line ? `; "${line}"` : ""}`,
  );
  for (const finding of findings) console.error(`  ${finding}`);
}

async function play(own: readonly Fault[], needs: Need | undefined): Promise<void> {
  const scene = await openScene({ workers: own[0]?.workers ?? 1, needs });
  for (const fault of own) {
    const round = await scene.play(fault);
    rounds.push(round);
    describe(round);
  }
  await scene.close();
}

function giveUp(error: unknown): never {
  console.error(error);
  process.exit(1);
}

/** The median and the longest. */
function spread(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `${sorted[Math.floor(sorted.length / 2)]}, at most ${sorted.at(-1)}`;
}
