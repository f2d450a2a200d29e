import type { Client } from "pg";
import { Client as PgClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { asPerson, becomeOwner, OWNERS, type Owner, type Person } from "#tests/helpers/people.ts";
import { FIXTURE, MATRIX, type Reach, type TableRights, VERBS, type Verb } from "./rights-matrix.ts";

const PEOPLE: Person[] = ["visitor", "Guest", "Ana", "Ben", "Eve", "Mia", "Ned", "server"];
const HOLDERS = Object.keys(OWNERS) as Owner[];

let database: TestDatabase;
let owner: PgClient;

beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  owner = new PgClient({ connectionString: database.url });
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
const ORDER: Reach[] = ["refused", "none", "own", "all"];
const cells = Object.entries(MATRIX)
  .flatMap(([table, { rights }]) =>
    PEOPLE.flatMap((person) => VERBS.map((verb) => ({ table, person, verb, reach: rights[person][verb] }))),
  )
  .sort((a, b) => ORDER.indexOf(a.reach) - ORDER.indexOf(b.reach));

describe("rows that each person may read and write", () => {
  test.each(cells)("$person $verb $table: $reach", async ({ table, person, verb, reach }) => {
    const definition = MATRIX[table] as TableRights;
    const reached = await asPerson(database.url, person, (client) =>
      verb === "insert" ? insertReach(client, table, definition) : reachOf(client, verb, table, definition),
    );
    expect(reached).toEqual(await expectedReach(reach, person, verb, table, definition));
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
  if (person === "visitor" && !(verb === "insert" && definition === MATRIX.contact_messages)) return [];
  return writes[verb].split(" ").filter(Boolean);
}

/** The owners of the rows a verb reaches; null for each row of a table without owners. */
type Reached = "refused" | (string | null)[];

async function reachOf(client: Client, verb: Verb, table: string, definition: TableRights): Promise<Reached> {
  const row = definition.owner ?? "null";
  const returning = definition.owner ? `returning ${definition.owner} as owner` : "";
  const statements = {
    select: `select ${row} as owner from public.${table}`,
    update: `update public.${table} set ${definition.touch} = ${definition.touch} ${returning}`,
    delete: `delete from public.${table} ${returning}`,
  };
  const result = await unlessRefused(client.query(statements[verb as keyof typeof statements]));
  if (result === "refused") return result;
  return definition.owner
    ? result.rows.map((found) => found.owner).sort()
    : Array<null>(result.rowCount ?? 0).fill(null);
}

/** The users in whose name a row can be inserted. */
async function insertReach(client: Client, table: string, definition: TableRights) {
  const inserted: string[] = [];
  for (const holder of HOLDERS) {
    const row = definition.newRow(holder);
    const columns = Object.keys(row);
    await client.query("savepoint attempt");
    const result = await unlessRefused(
      client.query(
        `insert into public.${table} (${columns}) values (${columns.map((_, index) => `$${index + 1}`)})`,
        Object.values(row),
      ),
    );
    if (result !== "refused") inserted.push(holder);
    await client.query("rollback to savepoint attempt");
  }
  return inserted.length === 0 ? "refused" : inserted;
}

async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | "refused"> {
  return attempt.catch((error) => {
    if (error.code === "42501") return "refused" as const;
    throw error;
  });
}

async function expectedReach(
  reach: Reach,
  person: Person,
  verb: Verb,
  table: string,
  definition: TableRights,
): Promise<Reached> {
  if (reach === "refused") return "refused";
  if (reach === "none") return [];
  if (verb === "insert") return reach === "all" ? HOLDERS : [person];
  const { rows } = await owner.query(`select ${definition.owner ?? "null"} as owner from public.${table}`);
  const owners = rows.map((row) => row.owner as string | null).sort();
  return reach === "all" ? owners : owners.filter((id) => id === OWNERS[person as Owner].id);
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

describe("the pictures of items", () => {
  const insert = "insert into storage.objects (bucket_id, name) values ('item-images', 'a.png')";

  test.each(["visitor", "Guest", "Ana", "Mia", "Ned"] as const)(
    "%s neither sees, adds, replaces nor removes one",
    async (person) => {
      await asPerson(database.url, person, async (client) => {
        await becomeOwner(client);
        await client.query(insert.replace("a.png", "there.png"));
        await client.query("select set_config('role', $1, true)", [
          person === "visitor" ? "anon" : "authenticated",
        ]);
        expect((await client.query("select from storage.objects")).rowCount).toBe(0);
        expect((await client.query("update storage.objects set name = 'b.png'")).rowCount).toBe(0);
        expect((await client.query("delete from storage.objects")).rowCount).toBe(0);
        await expect(client.query(insert)).rejects.toMatchObject({ code: "42501" });
      });
    },
  );

  test("Eve does all four", async () => {
    await asPerson(database.url, "Eve", async (client) => {
      await client.query(insert);
      expect((await client.query("select from storage.objects")).rowCount).toBe(1);
      expect((await client.query("update storage.objects set name = 'b.png'")).rowCount).toBe(1);
      expect((await client.query("delete from storage.objects")).rowCount).toBe(1);
    });
  });

  test("Eve writes to no other bucket", async () => {
    await owner.query("insert into storage.buckets (id, name) values ('other', 'other')");
    await asPerson(database.url, "Eve", async (client) => {
      await expect(client.query(insert.replace("item-images", "other"))).rejects.toMatchObject({
        code: "42501",
      });
    });
  });
});
