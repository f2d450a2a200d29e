import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { asPerson, OWNERS, type Owner, type Person } from "#tests/helpers/people.ts";
import { canInsert, expectedReach, reachOf } from "./reach.ts";
import { FIXTURE } from "./rights-fixture.ts";
import { MATRIX, type Reach, type TableRights, VERBS } from "./rights-matrix.ts";

const PEOPLE: Person[] = ["visitor", "Guest", "Ana", "Ben", "Eve", "Mia", "Ned", "server"];

let database: TestDatabase;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(FIXTURE);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

test("the matrix names every table of the schema public", async () => {
  const { rows } = await owner.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1",
  );
  expect(Object.keys(MATRIX)).toEqual(rows.map(({ name }) => name));
});

// Refusals first, then increasing reach.
const ORDER: Reach[] = ["refused", "none", "own", "others", "some", "all"];
const cells = Object.entries(MATRIX)
  .flatMap(([table, { rights }]) =>
    PEOPLE.flatMap((person) => VERBS.map((verb) => ({ table, person, verb, reach: rights[person][verb] }))),
  )
  .sort((a, b) => ORDER.indexOf(a.reach) - ORDER.indexOf(b.reach));

describe("rows that each person may read and write", () => {
  test.each(cells)("$person $verb $table: $reach", async ({ table, person, verb, reach }) => {
    const definition = MATRIX[table] as TableRights;
    const { touch, touchOfAll = touch } = definition;
    const row: [string, TableRights] = [
      table,
      { ...definition, touch: person === "server" ? touchOfAll : touch },
    ];
    const reached = await asPerson(database.url, person, (client) => reachOf(client, verb, row));
    expect(reached).toEqual(await expectedReach(owner, { reach, person, verb }, row));
  });

  const wrong = Object.entries(MATRIX).flatMap(([table, { wrongRow }]) =>
    (Object.keys(OWNERS) as Owner[]).flatMap((person) =>
      wrongRow ? [{ table, person, row: wrongRow(person) }] : [],
    ),
  );
  test.each(wrong)("$person cannot insert $row into $table", async ({ table, person, row }) => {
    expect(await asPerson(database.url, person, (client) => canInsert(client, table, row))).toBe(false);
  });
});

const ROLES: Record<Person, string> = {
  visitor: "anon",
  Guest: "authenticated",
  Ana: "authenticated",
  Ben: "authenticated",
  Eve: "authenticated",
  Mia: "authenticated",
  Ned: "authenticated",
  server: "service_role",
};

describe("columns that each person may read and write", () => {
  test.each(Object.entries(MATRIX))("%s has exactly the listed ones", async (table, { columns }) => {
    expect(await columnsOf(table)).toEqual(columns.split(" "));
  });

  const asked = Object.entries(MATRIX).flatMap(([table, definition]) =>
    PEOPLE.flatMap((person) =>
      (["select", "insert", "update"] as const).map((verb) => ({ table, definition, person, verb })),
    ),
  );
  test.each(asked)("$person may $verb of $table", async ({ table, definition, person, verb }) => {
    const may = await columnsOf(table, { role: ROLES[person], verb });
    const allowed = allowedColumns(definition, person, verb);
    if (allowed === "any") expect(may.length).toBeGreaterThan(0);
    else expect(may).toEqual(allowed);
  });
});

/** "any" is for the server's writes, which are limited by table privileges and triggers, not by column. */
function allowedColumns(definition: TableRights, person: Person, verb: "select" | "insert" | "update") {
  const { rights, columns, hidden = "", hiddenFromVisitors = "", writes } = definition;
  const isRefused = rights[person][verb] === "refused";
  if (verb === "select") {
    if (isRefused) return [];
    const unseen = [
      ...(person === "server" ? [] : hidden.split(" ")),
      ...(person === "visitor" ? hiddenFromVisitors.split(" ") : []),
    ];
    return columns.split(" ").filter((column) => !unseen.includes(column));
  }
  if (person === "server") return isRefused ? [] : "any";
  if (person === "visitor" && rights.visitor[verb] === "refused") return [];
  return writes[verb].split(" ").filter(Boolean);
}

/** In alphabetical order; all columns, or those a role has the privilege for. */
async function columnsOf(table: string, may?: { role: string; verb: string }): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and ($2::text is null or has_column_privilege($2::name, attrelid, attnum, $3::text))
     order by attname collate "C"`,
    [`public.${table}`, may?.role ?? null, may?.verb ?? null],
  );
  return rows.map(({ name }) => name);
}

test("a new table is closed to visitors and users until it grants something", async () => {
  await owner.query("begin");
  await owner.query("create table public.forgotten (id integer)");
  const { rows } = await owner.query(
    `select role from unnest('{anon,authenticated}'::text[]) as role, unnest('{select,insert,update,delete}'::text[]) as verb
     where has_table_privilege(role, 'public.forgotten', verb)`,
  );
  await owner.query("rollback");
  expect(rows).toEqual([]);
});
