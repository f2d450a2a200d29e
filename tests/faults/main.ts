import { ensureBuilt } from "#scripts/build-site.mjs";
import { readOptions } from "#tests/helpers/read-options.ts";
import { FAULTS, type Fault, type Need } from "./faults.ts";
import { openScene, type Round } from "./play-rounds.ts";
import { openUpgrades } from "./upgrades/play-upgrade.ts";
import { RELEASED_STATES, type ReleasedState } from "./upgrades/released-states.ts";

const UPGRADE = "upgrade";
const names = [...FAULTS.map(({ name }) => name), UPGRADE];
const { values, wholeNumber, refuse } = readOptions(
  `npm run test:faults -- [--rounds=20] [--only=${names}]`,
  { rounds: { type: "string" }, only: { type: "string" } },
);
const only = values.only?.split(",") ?? names;
if (only.some((name) => !names.includes(name))) refuse();
const kinds = names.filter((name) => only.includes(name));
const count = wholeNumber(values.rounds, kinds.length);
await ensureBuilt();

/** What is open, to be closed on an interrupt. */
let open: Promise<{ close(): unknown }> | null = null;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void interrupt());

const chosen = Array.from({ length: count }, (_, index) => kinds[index % kinds.length] as string);
const faults = chosen.flatMap((name) => FAULTS.filter((fault) => fault.name === name));
const began = Date.now();
const rounds: Round[] = [];
for (const needs of [undefined, "small disk", "own clock"] as const) {
  const own = faults.filter((fault) => fault.needs === needs);
  if (own.length > 0) await play(own, needs).catch(giveUp);
}
await playUpgrades(chosen.filter((name) => name === UPGRADE).length).catch(giveUp);
const bad = rounds.filter(({ findings }) => findings.length > 0);

console.error(
  `\n| fault | rounds | acknowledged | without an answer | back, ms | chats live, ms | findings |`,
);
console.error("| --- | --- | --- | --- | --- | --- | --- |");
for (const name of kinds) {
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
  const opening = openScene({ workers: own[0]?.workers ?? 1, needs });
  open = opening;
  const scene = await opening;
  for (const fault of own) {
    const round = await scene.play(fault);
    rounds.push(round);
    describe(round);
  }
  open = null;
  await scene.close();
}

/** One upgrade after another, from each release in turn. */
async function playUpgrades(times: number): Promise<void> {
  if (times === 0) return;
  const upgrades = openUpgrades();
  open = Promise.resolve(upgrades);
  for (let time = 0; time < times; time++) {
    const state = RELEASED_STATES[time % RELEASED_STATES.length] as ReleasedState;
    const { rows, done, todo, backMs, findings } = await upgrades.play(state);
    const line = `${state.name}, killed after ${done} of ${todo} migrations`;
    const round = { fault: UPGRADE, workers: 1, acknowledged: rows, unknown: 0, backMs, liveMs: backMs };
    rounds.push({ ...round, line, findings });
    describe({ ...round, line, findings });
  }
  open = null;
  upgrades.close();
}

/** Stops the site under test and cleans up; a second signal exits without waiting. */
async function interrupt(): Promise<void> {
  if (isInterrupted) process.exit(130);
  isInterrupted = true;
  console.error("Interrupted: the site is ended.");
  await open?.then((opened) => opened.close()).catch(() => {});
  process.exit(130);
}

async function giveUp(error: unknown): Promise<never> {
  // The current round fails because its site is being stopped; `interrupt` does the rest.
  if (isInterrupted) return await new Promise(() => {});
  console.error(error);
  process.exit(1);
}

/** The median and the maximum. */
function spread(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `${sorted[Math.floor(sorted.length / 2)]}, at most ${sorted.at(-1)}`;
}
