import { readProcessorTime } from "./cost/processor-time.ts";
import { type Load, runLoad } from "./load/run-load.ts";
import { median } from "./statistics.ts";

/** A server that answers the same request as the others it is compared with. */
export type Contestant = {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Its process id, if its processor time is to be measured. */
  pid?: number | undefined;
};

export type Measured = {
  name: string;
  /** Requests per second: the median of the rounds. */
  perSecond: number;
  rounds: number[];
  p50Ms: number;
  p99Ms: number;
  /**
   * Microseconds of processor time per request in the server's own processes, without PostgreSQL's; independent of
   * other load on the machine.
   */
  workUs?: number | null;
  /** Further results, such as memory. */
  note?: string;
};

/** Our server against each of the others, with the target ratio. */
export type Comparison = {
  title: string;
  ours: Measured;
  /** `ratio` is the median of the rounds' ratios: runs close in time see the same load from other processes. */
  others: (Measured & { ratio: number; aim: number | null; met: boolean | null })[];
};

export type Aim = { contestant: Contestant; aim: number | null };

export type Effort = { rounds: number; seconds: number; connections: number };

/**
 * Loads all contestants in turn, round by round, so that other load on the machine affects them alike. Only the ratios
 * are meaningful: absolute numbers vary with the machine.
 */
export async function compare(
  title: string,
  ours: Contestant,
  others: Aim[],
  effort: Effort,
): Promise<Comparison> {
  const all = [ours, ...others.map(({ contestant }) => contestant)];
  await requireSameAnswers(all);
  const results = all.map(() => [] as CountedLoad[]);
  for (const contestant of all) await runLoad(contestant, { ...effort, seconds: 0.5 });
  for (let round = 0; round < effort.rounds; round++) {
    for (const [index, contestant] of all.entries())
      results[index]?.push(await loadCounting(contestant, effort));
  }
  const [measured, ...rest] = all.map(({ name }, index) => summarize(name, results[index] ?? []));
  if (!measured) throw new Error("nothing to compare");
  return {
    title,
    ours: measured,
    others: rest.map((other, index) => {
      const aim = others[index]?.aim ?? null;
      const ratio = median(measured.rounds.map((rate, round) => rate / (other.rounds[round] ?? Number.NaN)));
      return { ...other, ratio, aim, met: aim === null ? null : ratio >= aim };
    }),
  };
}

type CountedLoad = Load & { workMs: number };

async function loadCounting(contestant: Contestant, effort: Effort): Promise<CountedLoad> {
  const spent = () => (contestant.pid === undefined ? Number.NaN : readProcessorTime(contestant.pid).node);
  const before = spent();
  const load = await runLoad(contestant, effort);
  return { ...load, workMs: spent() - before };
}

/** A server with a shorter response would have an unfair advantage. */
async function requireSameAnswers(contestants: Contestant[]): Promise<void> {
  const answers = await Promise.all(
    contestants.map(async ({ url, headers, name }) => {
      const response = await fetch(url, { headers });
      if (response.status !== 200)
        throw new Error(`${name} answers ${response.status}: ${await response.text()}`);
      return response.text();
    }),
  );
  const different = contestants.find((_, index) => answers[index] !== answers[0]);
  if (different) throw new Error(`${different.name} answers something else than ${contestants[0]?.name}`);
}

function summarize(name: string, loads: CountedLoad[]): Measured {
  const rounds = loads.map((load) => Math.round(load.perSecond));
  const sum = (of: "workMs" | "count") => loads.reduce((total, load) => total + load[of], 0);
  const workUs = (sum("workMs") * 1_000) / sum("count");
  return {
    name,
    perSecond: median(rounds),
    rounds,
    p50Ms: median(loads.map((load) => load.p50Ms)),
    p99Ms: median(loads.map((load) => load.p99Ms)),
    workUs: Number.isNaN(workUs) ? null : workUs,
  };
}
