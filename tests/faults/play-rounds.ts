import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
import type { Fault, Need } from "./faults.ts";
import { ACTS, type Act, type Entry, openJournal } from "./journal.ts";
import { type Findings, judge } from "./judge.ts";
import { ownClock } from "./own-clock.ts";
import { openTestBed, type TestBed } from "./test-bed.ts";
import { enterBrowser, openTrader, type Trader } from "./trader.ts";
import { until } from "./until.ts";

export type Round = {
  fault: string;
  workers: number;
  /** Actions that were acknowledged, and those whose outcome the user never learned. */
  acknowledged: number;
  unknown: number;
  /** Milliseconds from the fault until every user had a later request stored and all chats were live again. */
  backMs: number;
  liveMs: number;
  /** The line the operator read. */
  line: string | null;
  findings: Findings;
};

const DISK_MB = 800;

/** A site and its users across successive rounds: damage from one round shows up in all later ones. */
export type Scene = {
  play(fault: Fault): Promise<Round>;
  close(): Promise<void>;
};

export type SceneOptions = {
  workers: number;
  people?: number;
  /** Maximum milliseconds of work before each fault. */
  before?: number;
  needs?: Need | undefined;
  /** An existing data folder; otherwise a first start creates one. */
  dataDir?: string;
};

export async function openScene({
  workers,
  people = 4,
  before = 1_500,
  needs,
  dataDir: ready,
}: SceneOptions): Promise<Scene> {
  const disk = needs === "small disk" ? createSmallDisk(DISK_MB) : null;
  if (disk && !disk.isMounted) throw new Error("only root can mount a disk to fill");
  const dataDir = ready ?? disk?.folder ?? mkdtempSync(join(tmpdir(), "faults-"));
  const clock = needs === "own clock" ? ownClock(dataDir) : {};
  if (!clock) throw new Error("clocks are set by libfaketime, which is not installed");
  const testBed = await openTestBed(workers, dataDir, clock);
  const journal = openJournal(join(mkdtempSync(join(tmpdir(), "faults-log-")), "acknowledged.jsonl"));
  const traders: Trader[] = [];
  for (let number = 0; number < people; number++) traders.push(await openTrader(testBed, journal, number));
  const leaveBrowser = enterBrowser();
  for (const { enter } of traders) enter();
  await until("chats are open", () => areLive(traders));
  return {
    play: (fault) => playRound(fault, { testBed, entries: journal.entries, traders, before }),
    async close() {
      testBed.wake();
      await Promise.all(traders.map((trader) => trader.leave()));
      leaveBrowser();
      await testBed.close();
      disk?.remove();
    },
  };
}

type Cast = { testBed: TestBed; entries: readonly Entry[]; traders: readonly Trader[]; before: number };

async function playRound(fault: Fault, { testBed, entries, traders, before }: Cast): Promise<Round> {
  if (fault.workers && fault.workers !== testBed.workers) {
    await testBed.server.stop();
    await testBed.start(fault.workers);
    await until("chats are open", () => areLive(traders));
  }
  const { workers } = testBed;
  const first = entries.length;
  const printed = testBed.output().length;
  const using = Promise.all(traders.map((trader) => trader.use()));
  const read = () => entries.slice(first);
  await until("everybody is at work", () => traders.every(({ id }) => isAtWork(read(), id)));
  await sleep(Math.random() * before);
  const struckAt = Date.now();
  // A chat that never noticed was live all along.
  let liveAt = struckAt;
  const watch = setInterval(() => {
    if (!areLive(traders)) liveAt = Date.now();
  }, 10);
  await fault.strike(testBed);
  await allGoOn(read, traders, struckAt);
  const lines = () => testBed.output().slice(printed);
  await until("the operator is told", () => !fault.line || fault.line.test(lines())).catch(() => {});
  await until("chats are live", () => areLive(traders)).catch(() => {});
  for (const trader of traders) trader.rest();
  await using;
  const findings = await judge(testBed, entries, traders);
  clearInterval(watch);
  const own = read();
  const line = fault.line?.exec(lines())?.[0] ?? null;
  if (fault.line && !line) findings.push(`the operator was not told: ${lines().slice(-500)}`);
  if (fault.name !== "worker" && lines().includes("A worker process ended unexpectedly"))
    findings.push("a process ended that nobody killed");
  for (const { act, outcome, why } of own)
    if (outcome === "unknown" && (act === "page" ? fault.keepsServing : fault.answersAll))
      findings.push(`no good answer to a ${act}: ${why}`);
  if (findings.length > 0) findings.push(`the site said: ${lines().slice(-1_500)}`);
  return {
    fault: fault.name,
    workers,
    acknowledged: own.filter(({ outcome }) => outcome === "acknowledged").length,
    unknown: own.filter(({ outcome }) => outcome === "unknown").length,
    backMs: Math.max(...traders.map(({ id }) => firstStored(own, id, struckAt))) - struckAt,
    liveMs: liveAt - struckAt,
    line,
    findings,
  };
}

const areLive = (traders: readonly Trader[]) =>
  traders.every(({ room }) => room.current().connection === "connected");

const isAtWork = (entries: readonly Entry[], who: string) =>
  entries.some(({ person, outcome }) => person === who && outcome === "acknowledged");

/** When a user was first told that a request made since then is stored. */
function firstStored(entries: readonly Entry[], who: string, since: number): number {
  const own = entries.filter(({ person, act, at }) => person === who && act !== "page" && at >= since);
  const asked = new Set<string>();
  for (const { act, of, to, outcome, at } of own) {
    if (outcome === "asked") asked.add(`${act} ${of} ${to}`);
    else if (outcome === "acknowledged" && asked.has(`${act} ${of} ${to}`)) return at;
  }
  return Number.NaN;
}

/** Each user and kind of action for which no request made since then has been acknowledged. */
function findMissing(entries: readonly Entry[], traders: readonly Trader[], since: number): string[] {
  const done = new Set<string>();
  const asked = new Map<string, number>();
  for (const { at, person, act, of, to, outcome } of entries) {
    if (outcome === "asked") asked.set(`${person} ${act} ${of} ${to}`, at);
    else if (outcome === "acknowledged" && (asked.get(`${person} ${act} ${of} ${to}`) ?? 0) >= since)
      done.add(`${person} ${act}`);
  }
  const needed = (index: number): readonly Act[] => ACTS.filter((act) => act !== "value" || index === 0);
  return traders.flatMap(({ id }, index) =>
    needed(index)
      .map((act) => `${id} ${act}`)
      .filter((act) => !done.has(act)),
  );
}

/** Waits until every user has had each kind of action requested since then acknowledged. */
async function allGoOn(
  read: () => readonly Entry[],
  traders: readonly Trader[],
  since: number,
): Promise<void> {
  try {
    await until("everybody goes on", () => findMissing(read(), traders, since).length === 0);
  } catch (error) {
    const why = new Set(read().flatMap((entry) => (entry.why ? [`${entry.act}: ${entry.why}`] : [])));
    const missing = findMissing(read(), traders, since);
    throw new Error(`${(error as Error).message}: ${[...missing, ...[...why].slice(-10)].join("; ")}`);
  }
}
