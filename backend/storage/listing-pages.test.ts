import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;

beforeAll(async () => {
  testServer = await openStorage();
});
afterAll(() => testServer.close());

/** A folder has one file, or as many as it says. */
type Entry = { name: string; time: number | null; files?: number };
type Walk = {
  /** The level. */
  under: string;
  entries: Entry[];
  column: "created_at" | "updated_at";
  order: "asc" | "desc";
  limit: number;
};

const compare = <T>(a: T, b: T) => (a < b ? -1 : Number(a > b));
const untimed = Number.NEGATIVE_INFINITY;
const isFolder = ({ name }: Entry) => name.endsWith("/");

/** The level as it must be listed: folders by name, then files by time, those without one first. */
function inOrder({ entries, order }: Walk): Entry[] {
  const key = (entry: Entry) => (isFolder(entry) ? untimed : (entry.time ?? untimed));
  const stem = ({ name }: Entry) => name.replace("/", "");
  const sorted = entries.toSorted(
    (a, b) =>
      Number(isFolder(b)) - Number(isFolder(a)) || compare(key(a), key(b)) || compare(stem(a), stem(b)),
  );
  return order === "asc" ? sorted : sorted.reverse();
}

async function fill(bucket: string, { under, entries, column }: Walk): Promise<void> {
  await testServer.query("insert into storage.buckets (id, name) values ($1, $1)", [bucket]);
  const rows = entries.flatMap(({ name, time, files = 1 }) => {
    const at = time === null ? null : new Date(time * 1000).toISOString();
    if (!name.endsWith("/")) return [{ name: under + name, at }];
    return Array.from({ length: files }, (_, n) => ({ name: `${under}${name}file${n}`, at }));
  });
  await testServer.query(
    `insert into storage.objects (bucket_id, name, version, metadata, ${column})
     select $1, name, gen_random_uuid()::text, '{}', at::timestamptz
     from jsonb_to_recordset($2) as object (name text, at text)`,
    [bucket, JSON.stringify(rows)],
  );
}

let buckets = 0;

/** The first list has folders first in both orders, and by name sorts them by their slash. */
function byOffset(walk: Walk): { byTime: Entry[]; byName: Entry[] } {
  const sorted = inOrder(walk);
  const byName = walk.entries.toSorted((a, b) => compare(a.name, b.name));
  return {
    byTime: [...sorted.filter(isFolder), ...sorted.filter((entry) => !isFolder(entry))],
    byName: walk.order === "asc" ? byName : byName.reverse(),
  };
}

/** Pages through the level by both lists, and compares each page with the part of the level that it must show. */
async function walkPages(walk: Walk): Promise<void> {
  const bucket = `level ${buckets++}`;
  await fill(bucket, walk);
  const { under, column, order, limit } = walk;
  const files = testServer.as("server").from(bucket);
  const expected = inOrder(walk);
  const { byTime, byName } = byOffset(walk);
  const names = (entries: Entry[]) => entries.map(({ name }) => under + name);
  const bare = (entries: Entry[]) => entries.map(({ name }) => name.replace("/", ""));
  let cursor: string | undefined;
  for (let start = 0; start === 0 || start < expected.length; start += limit) {
    const end = start + limit;
    const sortBy = { column, order };
    const { data } = await files.listV2({
      prefix: under,
      limit,
      sortBy,
      with_delimiter: true,
      ...(cursor && { cursor }),
    });
    const page = expected.slice(start, end);
    expect([data?.folders, data?.objects].map((list) => list?.map(({ name }) => name))).toEqual([
      names(page.filter(isFolder)),
      names(page.filter((entry) => !isFolder(entry))),
    ]);
    expect(data?.hasNext).toBe(end < expected.length);
    cursor = data?.nextCursor;
    // From the end, so that no page continues another.
    const offset = Math.max(0, expected.length - end);
    const timed = await files.list(under, { limit, offset, sortBy });
    expect(timed.data?.map(({ name }) => name)).toEqual(bare(byTime.slice(offset, offset + limit)));
    const named = await files.list(under, { limit, offset, sortBy: { column: "name", order } });
    expect(named.data?.map(({ name }) => name)).toEqual(bare(byName.slice(offset, offset + limit)));
  }
  const search = walk.entries[0]?.name.slice(0, 1).toLowerCase() ?? "a";
  const sought = bare(byName).filter((name) => name.toLowerCase().startsWith(search));
  const sortBy = { column: "name", order };
  const { data } = await files.list(under, { limit, offset: 2, search, sortBy });
  expect(data?.map(({ name }) => name)).toEqual(sought.slice(2, limit + 2));
}

const choices = {
  // Further down than the index has folders, too.
  under: fc.constantFrom("", "in/", "a/b/c/d/e/"),
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
          under: "",
          column: "created_at",
          order: "asc",
          limit: 1,
        },
      ],
    ],
  });
});

test("so do the pages of a level with many entries", async () => {
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
      examples: [[{ share: 4, limit: 250, under: "in/", column: "updated_at", order: "asc" }]],
    },
  );
});

test("so do the pages of a level where some folders have many files", async () => {
  const files = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 20, max: 90 }));
  const name = fc.stringMatching(/^[abZ-]{2,4}\/?$/);
  const mixed = fc.uniqueArray(fc.record({ name, time: fc.constant(1), files }), {
    minLength: 60,
    maxLength: 140,
    selector: (one) => one.name,
  });
  const walk = fc.record({ entries: mixed, limit: fc.integer({ min: 5, max: 70 }), ...choices });
  await fc.assert(fc.asyncProperty(walk, walkPages), { numRuns: 8 });
});

test("and those of a database without the indexes, such as one created by upstream's migrations", async () => {
  await testServer.query(
    "drop index storage.objects_by_folder_and_created, storage.objects_by_folder_and_updated",
  );
  const walk = fc.record({ entries: level, limit: fc.integer({ min: 1, max: 8 }), ...choices });
  await fc.assert(fc.asyncProperty(walk, walkPages), { numRuns: 10 });
});
