import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withClient } from "#backend/postgres/with-client.ts";
import type { Comparison, Measured } from "./compare.ts";
import { compareRanks } from "./rank-test.ts";
import { readKey, startSite } from "./servers/start-site.ts";
import { median, quantile } from "./statistics.ts";

const PASSWORD = "Correct horse 7 battery!";
const TRIES = 200;
const ROUNDS = 5;
const SECONDS = 2;
const FLOOD_PER_SECOND = 50;
const bareVerifier = fileURLToPath(new URL("load/verify-passwords.ts", import.meta.url));

/** A site with `TRIES` accounts that share one password, and without a rate limit by IP address. */
type Site = { url: string; key: string };

/**
 * Whether the duration of a sign-in reveals who has an account (R8), what it costs beyond the hash, and how a flood of
 * sign-ins affects readers (P14).
 */
export async function benchSignIn(): Promise<Comparison[]> {
  // On all cores, as operators run it: hashing uses other threads than serving.
  const server = await startSite({ GOTRUE_RATE_LIMIT_SIGN_INS: "1000000" }, { isPinned: false });
  try {
    const site = { url: server.url, key: await readKey(server.url) };
    await addAccounts(site, (await readFile(join(server.dataDir, "database-url"), "utf8")).trim());
    return [await compareTiming(site), await compareCost(site), await compareFlood(site)];
  } finally {
    await server.stop();
  }
}

const addressOf = (name: string, i: number) => `${name}${i}@example.org`;

/** Signs up one account through the service and copies it for the others: that many sign-ups would take a minute. */
async function addAccounts(site: Site, databaseUrl: string): Promise<void> {
  await post(site, "/signup", { email: addressOf("known", 0), password: PASSWORD });
  const insert = `
    insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, created_at,
       updated_at, raw_app_meta_data, raw_user_meta_data)
     select instance_id, gen_random_uuid(), aud, role, 'known' || i || '@example.org', encrypted_password, now(), now(),
       now(), raw_app_meta_data, '{}'
     from auth.users, generate_series(1, $1::integer) as i where email = $2`;
  const values = [TRIES - 1, addressOf("known", 0)];
  await withClient(databaseUrl, "bench", (client) => client.query(insert, values));
}

async function post({ url, key }: Site, path: string, body: object): Promise<number> {
  const response = await fetch(`${url}/auth/v1${path}`, {
    method: "POST",
    headers: { apikey: key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Milliseconds of one sign-in. @throws for an unexpected status, such as that of a rate limit */
async function timeSignIn(site: Site, email: string, password: string, status: number): Promise<number> {
  const begin = performance.now();
  const answered = await post(site, "/token?grant_type=password", { email, password });
  const took = performance.now() - begin;
  if (answered !== status) throw new Error(`a sign-in was answered ${answered}, not ${status}`);
  return took;
}

/** Wrong passwords, each address tried once, known and unknown ones alternating in varying order. */
async function compareTiming(site: Site): Promise<Comparison> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < TRIES; i++) {
    const pair = i % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const name of pair) times[name].push(await timeSignIn(site, addressOf(name, i), "wrong", 400));
  }
  const [known, unknown] = [
    summarize("known address", times.known),
    summarize("unknown address", times.unknown),
  ];
  const { z, p } = compareRanks(times.known, times.unknown);
  const apart = (known.p50Ms - unknown.p50Ms) / unknown.p50Ms;
  const verdict = p > 0.01 ? "cannot be told apart" : "CAN BE TOLD APART";
  const note = `medians differ by ${(apart * 100).toFixed(2)} %; Mann-Whitney z ${z.toFixed(2)}, p ${p.toFixed(3)}: ${verdict}`;
  const ratio = Math.min(known.p50Ms, unknown.p50Ms) / Math.max(known.p50Ms, unknown.p50Ms);
  return {
    title: `a refused sign-in, ${TRIES} tries each: the smaller median of the larger`,
    ours: known,
    others: [{ ...unknown, note, ratio, aim: 0.95, met: ratio >= 0.95 && p > 0.01 }],
  };
}

/** Correct passwords, one hash at a time as in the service, compared with the hash alone. */
async function compareCost(site: Site): Promise<Comparison> {
  const ours: Timed[] = [];
  const bare: Timed[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await signInFor(site, SECONDS));
    bare.push(await verifyFor(SECONDS));
  }
  const [mine, floor] = [rate("sign-in", ours), rate("bare argon2id", bare)];
  const ratio = median(mine.rounds.map((value, round) => value / (floor.rounds[round] ?? Number.NaN)));
  return {
    title: "a sign-in against its hash",
    ours: mine,
    others: [{ ...floor, ratio, aim: 0.85, met: ratio >= 0.85 }],
  };
}

type Timed = { latencies: number[]; seconds: number };

/** Two callers, so that one hash runs while the other's session is written. */
async function signInFor(site: Site, seconds: number): Promise<Timed> {
  const latencies: number[] = [];
  const begin = performance.now();
  const caller = async (email: string) => {
    while (performance.now() - begin < seconds * 1000) {
      latencies.push(await timeSignIn(site, email, PASSWORD, 200));
    }
  };
  await Promise.all([caller(addressOf("known", 0)), caller(addressOf("known", 1))]);
  return { latencies, seconds: (performance.now() - begin) / 1000 };
}

async function verifyFor(seconds: number): Promise<Timed> {
  const { stdout } = await promisify(execFile)(process.execPath, [bareVerifier, String(seconds)]);
  return JSON.parse(stdout);
}

/** A reader's page latency, idle and during far more sign-in attempts than can be hashed. */
async function compareFlood(site: Site): Promise<Comparison> {
  await readFor(site, 1);
  const quiet = await readFor(site, 5);
  const flood = new AbortController();
  const flooding = attemptSignIns(site, flood.signal);
  const flooded = await readFor(site, 5);
  flood.abort();
  const answers = await flooding;
  const [ours, other] = [rate("/values in the flood", [flooded]), rate("/values, quiet", [quiet])];
  const ratio = other.p99Ms / ours.p99Ms;
  const note = `${answers.length} sign-ins attempted meanwhile, ${answers.filter((status) => status === 429).length} of them refused with 429`;
  return {
    title: `/values while ${FLOOD_PER_SECOND} sign-ins a second are attempted: p99, quiet of flooded`,
    ours: { ...ours, note },
    others: [{ ...other, ratio, aim: 1 / 3, met: ratio >= 1 / 3 }],
  };
}

const READ_EVERY_MS = 10;

async function readFor({ url }: Site, seconds: number): Promise<Timed> {
  const latencies: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1000) {
    const sent = performance.now();
    await (await fetch(`${url}/values`)).arrayBuffer();
    latencies.push(performance.now() - sent);
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
  return { latencies, seconds: (performance.now() - begin) / 1000 };
}

async function attemptSignIns(site: Site, signal: AbortSignal): Promise<number[]> {
  const answers: Promise<number>[] = [];
  while (!signal.aborted) {
    const email = addressOf("flood", answers.length);
    answers.push(post(site, "/token?grant_type=password", { email, password: "wrong" }));
    await new Promise((resolve) => setTimeout(resolve, 1000 / FLOOD_PER_SECOND));
  }
  return Promise.all(answers);
}

function summarize(name: string, latencies: number[]): Measured {
  const p50Ms = quantile(latencies, 0.5);
  return { name, perSecond: 1000 / p50Ms, rounds: [], p50Ms, p99Ms: quantile(latencies, 0.99) };
}

function rate(name: string, timed: Timed[]): Measured {
  const rounds = timed.map(({ latencies, seconds }) => latencies.length / seconds);
  const all = timed.flatMap(({ latencies }) => latencies);
  return { ...summarize(name, all), perSecond: median(rounds), rounds };
}
