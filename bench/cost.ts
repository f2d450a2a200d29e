import { type ProcessorTime, readProcessorTime } from "./cost/processor-time.ts";
import { runLoad } from "./load/run-load.ts";
import { readKey, type StartedSite, startSite } from "./servers/start-site.ts";

const WORKERS = [1, 2];
const LOAD = { seconds: 3, connections: 32 };
const RENDERINGS = 60;

export type CostResult = {
  workers: number;
  what: string;
  perSecond: number;
  /** Microseconds of processor time per request, in the site's processes and in PostgreSQL's. */
  each: ProcessorTime;
};

/**
 * The processor time of a request. Unlike requests per second it does not depend on other load on the cores, so it
 * tells how much more cores would carry.
 */
export async function benchCost(): Promise<CostResult[]> {
  const results: CostResult[] = [];
  for (const workers of WORKERS) {
    const site = await startSite({ WORKERS: String(workers) }, { isPinned: false });
    try {
      for (const cost of await costOfAll(site)) results.push({ workers, ...cost });
    } finally {
      await site.stop();
    }
  }
  return results;
}

const CORES = 2;

/**
 * Requests per second that two cores would carry if the load came from elsewhere: each of our processes uses one
 * thread, and PostgreSQL runs on the same cores.
 */
function carriedByTwoCores({ workers, each: { node, postgres } }: CostResult): number {
  return Math.min((workers * 1e6) / node, (CORES * 1e6) / (node + postgres));
}

export function describeCost(results: CostResult[]): string[] {
  const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString("en-US").padStart(8)}/s`;
  return [
    "  microseconds of processor time a request: node, PostgreSQL; what two cores would carry, and how much more than by one",
    "  process; a second measured here, beside the load",
    ...results.map((result) => {
      const { workers, what, perSecond, each } = result;
      const alone = results.find((other) => other.workers === 1 && other.what === what);
      const more = alone && workers > 1 ? carriedByTwoCores(result) / carriedByTwoCores(alone) : null;
      return [
        `  WORKERS=${workers}  ${what.padEnd(30)}`,
        `${each.node.toFixed(0).padStart(7)}`,
        `${each.postgres.toFixed(0).padStart(7)}`,
        rate(carriedByTwoCores(result)),
        more === null ? "      " : `× ${more.toFixed(2)}`,
        rate(perSecond),
      ].join("  ");
    }),
  ];
}

async function costOfAll(site: StartedSite): Promise<Omit<CostResult, "workers">[]> {
  const apikey = await readKey(site.url);
  const keyed = { apikey, authorization: `Bearer ${apikey}`, accept: "application/json" };
  const loads = [
    { what: "a page that is kept", path: "/values", headers: { "accept-encoding": "br" } },
    { what: "rest/v1, one row", path: "/rest/v1/items?select=*&slug=eq.kitsune", headers: keyed },
    { what: "rest/v1, 86 rows", path: "/rest/v1/items?select=*&order=name", headers: keyed },
  ];
  const results = [];
  for (const { what, path, headers } of loads) {
    const load = () => runLoad({ url: site.url + path, headers }, LOAD);
    await load();
    const before = readProcessorTime(site.pid);
    const { perSecond } = await load();
    results.push({ what, perSecond, each: spent(before, site.pid, perSecond * LOAD.seconds) });
  }
  return [...results, await costOfRendering(site)];
}

/** Of pages that were never requested before. */
async function costOfRendering(site: StartedSite): Promise<Omit<CostResult, "workers">> {
  const render = async (word: string) => {
    for (let n = 0; n < RENDERINGS; n++) {
      const answer = await fetch(`${site.url}/community?q=${word}${n}`);
      if (!answer.ok) throw new Error(`a page was answered ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await render("warm");
  const before = readProcessorTime(site.pid);
  const began = performance.now();
  await render("new");
  const perSecond = (RENDERINGS * 1000) / (performance.now() - began);
  return { what: "a page rendered anew", perSecond, each: spent(before, site.pid, RENDERINGS) };
}

function spent(before: ProcessorTime, pid: number, requests: number): ProcessorTime {
  const after = readProcessorTime(pid);
  const each = (ms: number) => (ms * 1000) / requests;
  return { node: each(after.node - before.node), postgres: each(after.postgres - before.postgres) };
}
