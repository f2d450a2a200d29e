import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { toIdentity } from "#backend/tokens/identity.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import type { Relation } from "../change-feed.ts";
import { createFactsReader } from "./table-facts.ts";
import { createJudge } from "./visibility.ts";

let testDatabase: TestDatabase;
let owner: Database;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = connectDatabase({ url: testDatabase.url, max: 1 });
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

test("one query judges rows by keys of any shape and name for people of several roles, each by their own claims", async () => {
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
  const judge = createJudge(database);
  const expected = [
    ["seen", "hidden", "hidden"],
    ["hidden", "seen", "hidden"],
    ["hidden", "seen", "hidden"],
    ["hidden", "hidden", "hidden"],
  ];
  expect(await judge(relation, facts, rows, people)).toEqual(expected);
  expect(await judge(relation, facts, rows.slice(0, 1), people)).toEqual(
    expected.map((one) => one.slice(0, 1)),
  );
  const [after] = await database.query(
    "select current_user, current_setting('request.jwt.claims', true) as claims",
  );
  expect(after).toEqual({ current_user: "authenticator", claims: "" });
});

test("nobody is taken for the one who was asked before: auth.uid() is each one's own, and nobody's without a name", async () => {
  const [ana, ben] = ["a0000000-0000-4000-8000-00000000000a", "b0000000-0000-4000-8000-00000000000b"];
  await owner.query("create table kept (id int primary key, keeper uuid)");
  await owner.query("alter table kept enable row level security");
  await owner.query(`create policy "Keepers" on kept using (keeper = (select auth.uid()))`);
  await owner.query("insert into kept values (1, $1), (2, $2)", [ana, ben]);
  const relation = await tableOf("kept");
  const facts = await createFactsReader(database)(relation, ["authenticated", "anon"]);
  if (!facts) throw new Error("the table is there");
  const people = [person(ana), toIdentity("authenticated", {}), person(ben), toIdentity("anon", {})];
  const judge = createJudge(database);
  const expected = [
    ["seen", "hidden"],
    ["hidden", "hidden"],
    ["hidden", "seen"],
    ["hidden", "hidden"],
  ];
  expect(await judge(relation, facts, [{ id: "1" }, { id: "2" }], people)).toEqual(expected);
  const [after] = await database.query("select current_setting('request.jwt.claim.sub', true) as sub");
  expect(after?.sub).toBe("");
});

test("a policy that fails for one person fails for nobody else", async () => {
  await owner.query("create table counted (id int primary key)");
  await owner.query("alter table counted enable row level security");
  await owner.query(`create policy "Divided" on counted
    using ((select 1 / (current_setting('request.jwt.claims')::jsonb ->> 'sub')::int) is not null)`);
  await owner.query("insert into counted values (1)");
  const relation = await tableOf("counted");
  const facts = await createFactsReader(database)(relation, ["authenticated"]);
  if (!facts) throw new Error("the table is there");
  const people = ["1", "0", "2", "none"].map((sub) => person(sub));
  const verdicts = await createJudge(database)(relation, facts, [{ id: "1" }], people);
  expect(verdicts).toEqual([["seen"], ["failed"], ["seen"], ["failed"]]);
});

test.each([
  ["using (true)", false],
  ["using (own = 'x' and length(own) > 0)", false],
  ["using (case when own is null then false else coalesce(own, 'x') in ('a', 'b') end)", false],
  ["using ((own, own) < ('x', 'y'))", true],
  ["using (own = (select auth.uid())::text)", true],
  ["using (own = current_user)", true],
  ["using (auth.role() = 'authenticated')", true],
  ["using (now() > '2020-01-01')", true],
  ["using (own in (select name from public.categories))", true],
])("a policy that says %s looks at who asks: %s", async (using, isPersonal) => {
  await owner.query("drop table if exists told");
  await owner.query("create table told (own text primary key)");
  await owner.query("alter table told enable row level security");
  await owner.query(`create policy "Some" on told ${using}`);
  const facts = await createFactsReader(database)(await tableOf("told"), ["authenticated"]);
  expect(facts?.isPersonal).toBe(isPersonal);
});
