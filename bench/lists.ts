import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { readProcessorTime } from "./cost/processor-time.ts";
import { type StartedServer, startServer } from "./servers/start-server.ts";
import { median } from "./statistics.ts";

const OBJECTS = 1_000_000;
const ROUNDS = 10;
/** Requests until plans are cached. */
const WARM_UP = 7;
const jwtSecret = "only this bench signs with this secret";

/** Levels to list, each in a bucket of as many objects; `name` is SQL for the name of object `n`. */
const LEVELS = [
  {
    level: "shelf/",
    what: "1,000 folders of 1,000 files",
    name: "'shelf/' || n % 1000 || '/' || md5(n::text)",
  },
  { level: "flat/", what: "files of one folder", name: "'flat/' || md5(n::text)" },
  { level: "single/", what: "folders of one file", name: "'single/' || md5(n::text) || '/file'" },
  {
    level: "mixed/",
    what: "files beside 500 folders",
    name: "'mixed/' || case n % 2 when 0 then '' else md5((n % 1000)::text) || '/' end || md5(n::text)",
  },
];

type Page = { what: string; path: "list" | "list-v2"; body: (level: string) => object };

const by = (column: string, order: "asc" | "desc" = "asc") => ({ sortBy: { column, order } });
const folder = (more: object) => (level: string) => ({ prefix: level, limit: 100, ...more });
const sorted = (column: string): Page[] => [
  { what: `by ${column}`, path: "list", body: folder(by(column)) },
  { what: `by ${column}, descending`, path: "list", body: folder(by(column, "desc")) },
  { what: `by ${column}, 1,000`, path: "list", body: folder({ ...by(column), limit: 1000 }) },
  { what: `by ${column}, searched`, path: "list", body: folder({ ...by(column), search: "ab" }) },
  { what: `by ${column}, from the 600th`, path: "list", body: folder({ ...by(column), offset: 600 }) },
  {
    what: `by ${column}, from the 100,000th`,
    path: "list",
    body: folder({ ...by(column), offset: 100_000 }),
  },
  {
    what: `by ${column}, second version, next page`,
    path: "list-v2",
    body: folder({ ...by(column), with_delimiter: true }),
  },
  { what: `by ${column}, every name, next page`, path: "list-v2", body: folder(by(column)) },
];
const PAGES = [
  ...["name", "created_at", "updated_at"].flatMap(sorted),
  // The second version does not sort by it.
  ...sorted("last_accessed_at").filter(({ path }) => path === "list"),
];

/** Milliseconds of a page: the fastest, the median, and the processor time of both processes. */
type Timed = { level: string; page: string; fastest: number; median: number; work: number };

/** Pages of lists of a million objects, as a user whose policy is asked about each object. */
export async function benchLists(): Promise<Timed[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ dataDir: join(folder, "database") });
  try {
    const { authenticatorPassword, authenticatorUrl: databaseUrl } = postgres;
    await applyBackendSchema(postgres.url, { authenticatorPassword });
    await fill(postgres.url);
    const ours = await startServer("storage", {
      databaseUrl,
      jwtSecret,
      workFolder: join(folder, "storage"),
    });
    try {
      const timed: Timed[] = [];
      for (const { level } of LEVELS)
        for (const page of PAGES) timed.push(await time(ours, postgres.pid, level, page));
      return timed;
    } finally {
      await ours.stop();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create policy bench on storage.objects for select to authenticated
     using (owner_id is null or owner_id = auth.uid()::text)`,
  );
  for (const { level, name } of LEVELS) {
    await client.query("insert into storage.buckets (id, name) values ($1, $1)", [bucketOf(level)]);
    await client.query(
      `insert into storage.objects (bucket_id, name, version, metadata, created_at, updated_at)
       select $1, ${name}, gen_random_uuid()::text, '{"size": 1000, "mimetype": "image/png"}',
         now() - n::bigint * 7919 % 1000003 * interval '1 second', now() - n::bigint * 104729 % 1000003 * interval '1 second'
       from generate_series(1, $2::int) n order by 2`,
      [bucketOf(level), OBJECTS],
    );
  }
  await client.query("vacuum analyze");
  await client.end();
}

const bucketOf = (level: string) => level.slice(0, -1);

async function time(
  { url, pid }: StartedServer,
  postmaster: number,
  level: string,
  { what, path, body }: Page,
): Promise<Timed> {
  const authorization = `Bearer ${await signToken({ role: "authenticated" }, jwtSecret)}`;
  const taken: number[] = [];
  const spent = () =>
    [pid, postmaster].map(readProcessorTime).reduce((sum, { node, postgres }) => sum + node + postgres, 0);
  let cursor: string | undefined;
  let before = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    if (round === WARM_UP) before = spent();
    const asked: { offset?: number } = body(level);
    // A page that follows the one before is found without its offset.
    if (asked.offset) asked.offset += round;
    const began = performance.now();
    const answer = await fetch(`${url}/storage/v1/object/${path}/${bucketOf(level)}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ ...asked, ...(cursor && { cursor }) }),
    });
    const found = (await answer.json()) as { nextCursor?: string };
    if (!answer.ok) throw new Error(`${level} ${what}: ${answer.status} ${JSON.stringify(found)}`);
    if (round >= WARM_UP) taken.push(performance.now() - began);
    cursor = found.nextCursor ?? cursor;
  }
  const work = (spent() - before) / ROUNDS;
  return { level, page: what, fastest: Math.min(...taken), median: median(taken), work };
}

export function describeLists(timed: Timed[]): string[] {
  return LEVELS.flatMap(({ level, what }) => [
    "",
    `  ${OBJECTS.toLocaleString("en-US")} objects: ${what}; 100 entries, ms, the fastest (median), processor time`,
    ...timed
      .filter((one) => one.level === level)
      .map(
        ({ page, fastest, median: middle, work }) =>
          `    ${page.padEnd(46)}${fastest.toFixed(1).padStart(8)} (${middle.toFixed(1)})`.padEnd(70) +
          work.toFixed(0).padStart(6),
      ),
  ]);
}
