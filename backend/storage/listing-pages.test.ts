import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;

beforeAll(async () => {
  testServer = await openStorage();
});
afterAll(() => testServer.close());

type Entry = { name: string; time: number | null };
type Walk = { entries: Entry[]; column: "created_at" | "updated_at"; order: "asc" | "desc"; limit: number };

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const untimed = Number.NEGATIVE_INFINITY;
const isFolder = ({ name }: Entry) => name.endsWith("/");

/** The level as it must be listed: folders have no time, and what has no time precedes all times. */
function inOrder({ entries, order }: Walk): Entry[] {
  const sorted = entries.toSorted((a, b) => {
    const [left, right] = [a, b].map((entry) => (isFolder(entry) ? untimed : (entry.time ?? untimed)));
    return left === right ? compare(a.name, b.name) : Number(left) - Number(right);
  });
  return order === "asc" ? sorted : sorted.reverse();
}

async function fill(bucket: string, { entries, column }: Walk): Promise<void> {
  await testServer.query("insert into storage.buckets (id, name) values ($1, $1)", [bucket]);
  const rows = entries.map((entry) => ({
    name: isFolder(entry) ? `${entry.name}file` : entry.name,
    at: entry.time === null ? null : new Date(entry.time * 1000).toISOString(),
  }));
  await testServer.query(
    `insert into storage.objects (bucket_id, name, version, metadata, ${column})
     select $1, name, gen_random_uuid()::text, '{}', at::timestamptz
     from jsonb_to_recordset($2) as object (name text, at text)`,
    [bucket, JSON.stringify(rows)],
  );
}

let buckets = 0;

/** Pages through the level, and compares each page with the part of the level that it must show. */
async function walkPages(walk: Walk): Promise<void> {
  const bucket = `level ${buckets++}`;
  await fill(bucket, walk);
  const { column, order, limit } = walk;
  const expected = inOrder(walk);
  const names = (entries: Entry[]) => entries.map(({ name }) => name);
  let cursor: string | undefined;
  for (let start = 0; start === 0 || start < expected.length; start += limit) {
    const { data } = await testServer
      .as("server")
      .from(bucket)
      .listV2({ limit, sortBy: { column, order }, with_delimiter: true, ...(cursor && { cursor }) });
    const page = expected.slice(start, start + limit);
    expect([data?.folders, data?.objects].map((list) => list?.map(({ name }) => name))).toEqual([
      names(page.filter(isFolder)),
      names(page.filter((entry) => !isFolder(entry))),
    ]);
    expect(data?.hasNext).toBe(start + limit < expected.length);
    cursor = data?.nextCursor;
  }
}

const choices = {
  column: fc.constantFrom("created_at" as const, "updated_at" as const),
  order: fc.constantFrom("asc" as const, "desc" as const),
};
// Few names and times, so that folders and files, and entries of the same time, meet.
const name = fc.stringMatching(/^[abZ-]{1,3}\/?$/);
const entry = fc.record({ name, time: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 4 }) });
const level = fc.uniqueArray(entry, { maxLength: 24, selector: (one) => one.name });

test("all pages of a level by time together show each entry once and in order", async () => {
  const walk = fc.record({ entries: level, limit: fc.integer({ min: 1, max: 8 }), ...choices });
  await fc.assert(fc.asyncProperty(walk, walkPages), {
    numRuns: 40,
    examples: [
      [
        {
          entries: [
            { name: "z/", time: 1 },
            { name: "a.txt", time: 2 },
          ],
          column: "created_at",
          order: "asc",
          limit: 1,
        },
      ],
    ],
  });
});

test("so do the pages of a level with more entries than are sorted at once", async () => {
  const share = fc.integer({ min: 2, max: 9 });
  const walk = fc.record({ share, limit: fc.integer({ min: 90, max: 999 }), ...choices });
  await fc.assert(
    fc.asyncProperty(walk, ({ share: every, ...asked }) => {
      const entries = Array.from({ length: 1_900 }, (_, n) => ({
        name: `${(n * 7919) % 1_900}${n % every === 0 ? "/" : ""}`,
        time: n % 50 === 1 ? null : 1 + ((n * 31) % 700),
      }));
      return walkPages({ ...asked, entries });
    }),
    {
      numRuns: 8,
      examples: [[{ share: 4, limit: 250, column: "updated_at", order: "asc" }]],
    },
  );
});
