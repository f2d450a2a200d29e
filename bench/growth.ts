import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { countHoldings, grow, type Holdings } from "./growth/grow.ts";
import { type Read, readsOf } from "./growth/reads.ts";
import { type Person, signUp } from "./servers/sign-up.ts";
import { startSite } from "./servers/start-site.ts";

const ROUNDS = 20;
/** Requests until plans are cached and code is compiled. */
const WARM_UP = 5;

/** Milliseconds, median and slowest. */
type Times = { median: number; slowest: number };
export type GrowthResult = {
  before: Holdings;
  after: Holdings;
  reads: { what: string; small: Times; grown: Times }[];
};

/** Response times on a new site, and on one with years of data; no response comes from a cache. */
export async function benchGrowth(): Promise<GrowthResult> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ dataDir: join(folder, "database") });
  const client = new Client({ connectionString: postgres.url });
  const settings = { DATA_DIR: join(folder, "site"), DATABASE_URL: postgres.url, WORKERS: "1" };
  const visit = async <T>(use: (site: string) => Promise<T>): Promise<T> => {
    const site = await startSite(settings);
    try {
      return await use(site.url);
    } finally {
      await site.stop();
    }
  };
  try {
    await client.connect();
    const { person, reads, small } = await visit(async (site) => {
      const person = await signUp(site);
      await openBucket(client);
      const { rows } = await client.query<{ slug: string }>("select slug from public.items order by slug");
      const reads = readsOf(rows.map(({ slug }) => slug));
      return { person, reads, small: await timeAll(site, person, reads) };
    });
    const before = await countHoldings(client);
    await grow(client, person.id);
    const after = await countHoldings(client);
    const grown = await visit((site) => timeAll(site, person, reads));
    const timed = reads.map(({ what }, index) => ({
      what,
      small: small[index] as Times,
      grown: grown[index] as Times,
    }));
    return { before, after, reads: timed };
  } finally {
    await client.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export function describeGrowth({ before, after, reads }: GrowthResult): string[] {
  const hold = (holdings: Holdings) =>
    Object.entries(holdings)
      .map(([what, count]) => `${count.toLocaleString("en-US")} ${what}`)
      .join(", ");
  return [
    `  from ${hold(before)}`,
    `  to ${hold(after)}`,
    "  ms, medians (slowest), of answers that were not kept",
    ...reads.map(
      ({ what, small, grown }) =>
        `  ${what.padEnd(38)} ${show(small)} → ${show(grown)}  × ${(grown.median / small.median).toFixed(2)}`,
    ),
  ];
}

const show = ({ median, slowest }: Times) => `${median.toFixed(1)} (${slowest.toFixed(1)})`.padStart(14);

async function openBucket(client: Client): Promise<void> {
  await client.query("insert into storage.buckets (id, name, public) values ('bench', 'bench', true)");
  await client.query(
    "create policy bench on storage.objects for select to authenticated using (bucket_id = 'bench')",
  );
}

async function timeAll(site: string, person: Person, reads: Read[]): Promise<Times[]> {
  const times: Times[] = [];
  for (const read of reads) times.push(await time(site, person, read));
  return times;
}

async function time(site: string, { headers }: Person, { what, ask }: Read): Promise<Times> {
  const taken: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const { path, body } = ask(round);
    const init = body
      ? {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        }
      : { headers: path.includes("/v1/") ? headers : {} };
    const began = performance.now();
    const answer = await fetch(site + path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text.slice(0, 300)}`);
    if (round >= WARM_UP) taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  return { median: taken[ROUNDS >> 1] as number, slowest: taken.at(-1) as number };
}
