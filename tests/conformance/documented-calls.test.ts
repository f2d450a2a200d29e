import { stripTypeScriptTypes } from "node:module";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DocumentedExample, readDocumentedExamples } from "./documented-examples.ts";
import { openFixture, type RestTestServer } from "./rest-server.ts";

const examples = readDocumentedExamples();
let server: RestTestServer;
let owner: Client;

beforeAll(async () => {
  server = await openFixture({ schemas: ["public", "myschema"], rest: { aggregates: true } });
  owner = new Client({ connectionString: server.databaseUrl });
  await owner.connect();
  await owner.query(`create schema extensions;
    create function extensions.uuid_generate_v4() returns uuid language sql as 'select gen_random_uuid()';
    grant usage on schema extensions to anon`);
});
afterAll(async () => {
  await owner.end();
  await server.close();
});

/** Where the client's documentation differs from what its service does: PostgREST's actual answer. */
const MISTAKES: Record<string, DocumentedExample["answer"]> = {
  // An upsert that inserted nothing returns 200, not 201 Created.
  "upsert(): Upsert your data": { status: 200 },
  "select(): With `upsert()`": { status: 200 },
  "is(): Checking for nullness, true or false": { data: [{ id: 2, name: null }] },
  // The database generates the id.
  "select(): Switching schemas per query": { data: [{ id: expect.any(String), data: "mydata" }] },
  // The call renames the section.
  "order(): Order parent table by a referenced table": {
    data: [
      { name: "violin", section: { name: "strings" } },
      { name: "flute", section: { name: "woodwinds" } },
    ],
  },
  // No order is given, so the first row is the one inserted first.
  "limit(): On a referenced table": { data: [{ name: "strings", instruments: [{ name: "harp" }] }] },
};

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (supabase: unknown) => Promise<object>;

test("the installed client documents dozens of calls with their answers, and each listed mistake is one of them", () => {
  const titles = examples.map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(60);
  expect(titles).toEqual(expect.arrayContaining(Object.keys(MISTAKES)));
});

test.each(examples)("$title", async ({ title, sql, code, answer }) => {
  await recreate(sql);
  const body = stripTypeScriptTypes(code).replace(
    /(?:const|let) (?:\{[^}]*\}|\w+) = await /g,
    "result = await ",
  );
  const call = new AsyncFunction("supabase", `let result;\n${body}\nreturn result;`);
  const { statusText: _, ...promised } = { statusText: "", ...answer, ...MISTAKES[title] };
  expect(await call(server.as("visitor"))).toMatchObject(promised);
});

let markers = 0;

/** Creates the example's database and waits until it is served. */
async function recreate(sql: string): Promise<void> {
  const marker = `marker_${markers++}`;
  await owner.query(
    `drop schema public cascade; create schema public; drop schema if exists myschema cascade`,
  );
  await owner.query(sql);
  await owner.query(`create schema if not exists myschema; create table public.${marker} ();
    grant usage on schema public, myschema to anon;
    grant all on all tables in schema public, myschema to anon;
    grant all on all sequences in schema public to anon;
    notify pgrst, 'reload schema'`);
  await expect.poll(async () => (await server.request(`/${marker}`)).status).toBe(200);
}
