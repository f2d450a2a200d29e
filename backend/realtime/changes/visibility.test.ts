import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { toIdentity } from "#backend/tokens/identity.ts";
import { createTestDatabase, GRANT_NEW_TABLES, type TestDatabase } from "#tests/helpers/database.ts";
import type { Relation } from "../feed/change-feed.ts";
import { createFactsReader } from "./table-facts.ts";
import { createVisibilityCheck } from "./visibility.ts";

let testDatabase: TestDatabase;
let owner: Database;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = connectDatabase({ url: testDatabase.url, max: 1 });
  await owner.query(GRANT_NEW_TABLES);
  database = connectDatabase({ url: testDatabase.authenticatorUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.close();
  await testDatabase.drop();
});

const person = (sub: string, role = "authenticated") => toIdentity(role, { sub });

async function tableOf(name: string): Promise<Relation> {
  const [row] = await owner.query("select $1::text::regclass::oid as oid", [`"${name}"`]);
  return { oid: Number(row?.oid), schema: "public", name };
}

test("one query checks rows with arbitrary keys and names for users of several roles, each with their own claims", async () => {
  await owner.query(
    `create table "odd $judge$ 'table'" (own_0 text, "keys_0" int, marks text, primary key (own_0, "keys_0"))`,
  );
  await owner.query(`alter table "odd $judge$ 'table'" enable row level security`);
  await owner.query(`create policy "Everyone sees their own" on "odd $judge$ 'table'"
    using (own_0 = (select current_setting('request.jwt.claims')::jsonb ->> 'sub'))`);
  await owner.query(`insert into "odd $judge$ 'table'" values ('ana', 1), ('ben', 1), ('ben', 2)`);
  const relation = await tableOf("odd $judge$ 'table'");
  const facts = await createFactsReader(database)(relation, ["authenticated", "anon", "service_role"]);
  if (!facts) throw new Error("the table is there");
  expect(facts).toMatchObject({ hasRls: true, isPersonal: true, unbound: new Set(["service_role"]) });
  const rows = [
    { own_0: "ana", keys_0: "1" },
    { own_0: "ben", keys_0: "2" },
    { own_0: "gone", keys_0: "3" },
  ];
  const people = [person("ana"), person("ben"), person("ben", "anon"), person("eve")];
  const checkVisibility = createVisibilityCheck(database);
  const expected = [
    ["seen", "hidden", "hidden"],
    ["hidden", "seen", "hidden"],
    ["hidden", "seen", "hidden"],
    ["hidden", "hidden", "hidden"],
  ];
  const verdicts = async (of = rows) =>
    (await checkVisibility(relation, facts, of, people)).map((one) => one.verdicts);
  expect(await verdicts()).toEqual(expected);
  expect(await verdicts(rows.slice(0, 1))).toEqual(expected.map((one) => one.slice(0, 1)));
  const [after] = await database.query(
    "select current_user, current_setting('request.jwt.claims', true) as claims",
  );
  expect(after).toEqual({ current_user: "authenticator", claims: "" });
});

test("auth.uid() is each subscriber's own, never the previous one's, and null for visitors", async () => {
  const [ana, ben] = ["a0000000-0000-4000-8000-00000000000a", "b0000000-0000-4000-8000-00000000000b"];
  await owner.query("create table kept (id int primary key, keeper uuid)");
  await owner.query("alter table kept enable row level security");
  await owner.query(`create policy "Keepers" on kept using (keeper = (select auth.uid()))`);
  await owner.query("insert into kept values (1, $1), (2, $2)", [ana, ben]);
  const relation = await tableOf("kept");
  const facts = await createFactsReader(database)(relation, ["authenticated", "anon"]);
  if (!facts) throw new Error("the table is there");
  const people = [person(ana), toIdentity("authenticated", {}), person(ben), toIdentity("anon", {})];
  const checkVisibility = createVisibilityCheck(database);
  const expected = [
    ["seen", "hidden"],
    ["hidden", "hidden"],
    ["hidden", "seen"],
    ["hidden", "hidden"],
  ];
  const visibilities = await checkVisibility(relation, facts, [{ id: "1" }, { id: "2" }], people);
  expect(visibilities.map(({ verdicts }) => verdicts)).toEqual(expected);
  const [after] = await database.query("select current_setting('request.jwt.claim.sub', true) as sub");
  expect(after?.sub).toBe("");
});

test("a policy that fails for one user fails for no other", async () => {
  await owner.query("create table counted (id int primary key)");
  await owner.query("alter table counted enable row level security");
  await owner.query(`create policy "Divided" on counted
    using ((select 1 / (current_setting('request.jwt.claims')::jsonb ->> 'sub')::int) is not null)`);
  await owner.query("insert into counted values (1)");
  const relation = await tableOf("counted");
  const facts = await createFactsReader(database)(relation, ["authenticated"]);
  if (!facts) throw new Error("the table is there");
  const people = ["1", "0", "2", "none"].map((sub) => person(sub));
  const visibilities = await createVisibilityCheck(database)(relation, facts, [{ id: "1" }], people);
  expect(visibilities.map(({ verdicts }) => verdicts)).toEqual([["seen"], ["failed"], ["seen"], ["failed"]]);
});

test("a visible row is read in the log's format, with only the columns that the reader may read", async () => {
  await owner.query(`create table logged (id int primary key, secret text, yes boolean, width char(5), at timestamptz,
    day date, since interval, half float8, bytes bytea, host inet, tags text[], paper json, nothing text)`);
  await owner.query("alter table logged enable row level security");
  await owner.query(`create policy "All" on logged using (true)`);
  await owner.query("revoke all on logged from authenticated");
  await owner.query(
    `grant select (id, yes, width, at, day, since, half, bytes, host, tags, paper, nothing) on logged to authenticated`,
  );
  const row = {
    ...{ id: "1", yes: "t", width: "ab   ", at: "2026-11-21 14:30:00.5+00", day: "2026-11-21" },
    ...{ since: "1 day 02:00:00", half: "0.1", bytes: "\\xff00", host: "10.0.0.1", tags: '{a,"b c"}' },
    ...{ paper: '{ "a": 1.0 }', nothing: null },
  };
  const written = { ...row, secret: "x" };
  await owner.query("insert into logged select * from json_populate_record(null::logged, $1)", [
    JSON.stringify({ ...written, paper: { a: 1 } }),
  ]);
  await owner.query("update logged set paper = $1", [row.paper]);
  const relation = await tableOf("logged");
  const facts = await createFactsReader(database)(relation, ["authenticated"]);
  if (!facts) throw new Error("the table is there");
  const [ana, ben] = await createVisibilityCheck(database)(
    relation,
    facts,
    [written],
    [person("ana"), person("ben")],
  );
  expect(ana).toEqual({ verdicts: ["seen"], rows: new Map([[0, row]]) });
  expect(ben?.rows).toBe(ana?.rows);
});

test.each([
  ["using (true)", false],
  ["using (own = 'x' and length(own) > 0)", false],
  ["using (case when own is null then false else coalesce(own, 'x') in ('a', 'b') end)", false],
  ["using ((own, own) < ('x', 'y'))", false],
  ["using (own = (select auth.uid())::text)", true],
  ["using (own = current_user)", true],
  ["using (current_setting('request.jwt.claims', true) like '%' || own || '%')", true],
  ["using (exists (select from pg_settings where name = own))", true],
  ["using (query_to_xml(own, false, false, '') is not null)", true],
  ["using (public.own_words() = own)", true],
  ["using (probed.* is not null)", true],
  ["using (auth.role() = 'authenticated')", true],
  ["using (now() > '2020-01-01')", true],
  ["using (own in (select name from public.categories))", true],
])("a policy %s depends on the user: %s", async (using, isPersonal) => {
  await owner.query("drop table if exists probed");
  await owner.query("create table probed (own text primary key)");
  // Declared immutable, but is not.
  await owner.query(`create or replace function public.own_words() returns text immutable language sql
    as $$ select current_setting('request.jwt.claims', true) $$`);
  await owner.query("alter table probed enable row level security");
  await owner.query(`create policy "Some" on probed ${using}`);
  const facts = await createFactsReader(database)(await tableOf("probed"), ["authenticated"]);
  expect(facts?.isPersonal).toBe(isPersonal);
});

test("one of several policies depending on the user is enough; in the chat none does", async () => {
  const readFacts = createFactsReader(database);
  const isPersonal = async (table: string) =>
    (await readFacts(await tableOf(table), ["authenticated"]))?.isPersonal;
  await owner.query("create table shared (own text primary key)");
  await owner.query("alter table shared enable row level security");
  await owner.query(`create policy "Some" on shared using (own = 'x')`);
  await owner.query(`create policy "Others" on shared using (own = current_user)`);
  expect(await isPersonal("shared")).toBe(true);
  await owner.query(`drop policy "Others" on shared`);
  expect(await isPersonal("shared")).toBe(false);
  expect(await isPersonal("profiles")).toBe(true);
  expect(await isPersonal("chat_messages")).toBe(false);
});
