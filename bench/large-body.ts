import { Client } from "pg";
import type { Comparison, Measured } from "./compare.ts";
import { readProcessorTime } from "./cost/processor-time.ts";
import type { StartedServer } from "./servers/start-server.ts";
import { median } from "./statistics.ts";

const BYTES = 9_900_000;
const ROW_BYTES = 1_000;
const ROUNDS = 9;
const TABLE = "bench_large_body";

type Servers = Record<"ours" | "postgrest", StartedServer>;
type Posted = { ms: number; workMs: number };

/** An insert of as many 1 KB rows as one request may contain, compared with PostgREST itself. */
export async function compareLargeBody(
  servers: Servers,
  ownerUrl: string,
  headers: Record<string, string>,
): Promise<Comparison> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`create table public.${TABLE} (id bigint generated always as identity primary key, name text,
      amount numeric, done boolean, at timestamptz, note text)`);
    await owner.query(`grant select, insert on public.${TABLE} to anon, service_role`);
    await owner.query("notify pgrst, 'reload schema'");
    return await measure(owner, servers, headers);
  } finally {
    await owner.query(`drop table if exists public.${TABLE}`);
    await owner.end();
  }
}

async function measure(
  owner: Client,
  { ours, postgrest }: Servers,
  headers: Record<string, string>,
): Promise<Comparison> {
  const body = makeBody();
  const post = async ({ pid }: StartedServer, url: string): Promise<Posted> => {
    await owner.query(`truncate public.${TABLE}`);
    const before = readProcessorTime(pid).node;
    const begin = performance.now();
    const sent = { ...headers, "content-type": "application/json", prefer: "return=minimal" };
    const answer = await fetch(url, { method: "POST", headers: sent, body });
    const text = await answer.text();
    const ms = performance.now() - begin;
    if (answer.status !== 201) throw new Error(`a large body was answered ${answer.status}: ${text}`);
    return { ms, workMs: readProcessorTime(pid).node - before };
  };
  const rounds: { ours: Posted; theirs: Posted }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const posted = {
      ours: await post(ours, `${ours.url}/rest/v1/${TABLE}`),
      theirs: await post(postgrest, `${postgrest.url}/${TABLE}`),
    };
    // The first round is a warm-up.
    if (round > 0) rounds.push(posted);
  }
  const ratio = median(rounds.map((round) => round.theirs.ms / round.ours.ms));
  const others = {
    ...summarize(
      "PostgREST",
      rounds.map((round) => round.theirs),
    ),
    ratio,
    aim: 1,
    met: ratio >= 1,
  };
  return {
    title: `rest/v1, a POST of ${(body.length / 1e6).toFixed(1)} MB of rows`,
    ours: summarize(
      "rest/v1",
      rounds.map((round) => round.ours),
    ),
    others: [others],
  };
}

function makeBody(): string {
  const row = (n: number) => ({
    name: `row ${n}`,
    amount: n / 7,
    done: n % 2 === 0,
    at: "2026-01-01T00:00:00Z",
    note: `"quoted" and long: ${"value ".repeat(ROW_BYTES)}`.slice(0, ROW_BYTES - 150),
  });
  const rows: string[] = [];
  for (let bytes = 0; bytes < BYTES - ROW_BYTES; bytes += (rows.at(-1)?.length ?? 0) + 1)
    rows.push(JSON.stringify(row(rows.length)));
  return `[${rows.join(",")}]`;
}

function summarize(name: string, posted: Posted[]): Measured {
  const times = posted.map(({ ms }) => ms).sort((a, b) => a - b);
  const p50Ms = median(times);
  const workUs = (posted.reduce((sum, { workMs }) => sum + workMs, 0) / posted.length) * 1_000;
  return { name, perSecond: 1_000 / p50Ms, rounds: times, p50Ms, p99Ms: times.at(-1) ?? Number.NaN, workUs };
}
