import type { Client } from "pg";
import { attempt, becomeOwner, OWNERS, type Owner, type Person } from "#tests/helpers/people.ts";
import type { Reach, TableRights, Verb } from "./rights-matrix.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";
const HOLDERS = Object.keys(OWNERS) as Owner[];

/** The owners of the rows a verb reaches, in order; null for each row of a table without owners. */
type Reached = "refused" | (string | null)[];
type Table = [name: string, definition: TableRights];

/** What a verb reaches for whoever this transaction acts as. */
export async function reachOf(client: Client, verb: Verb, [name, definition]: Table): Promise<Reached> {
  if (verb === "insert") return insertReach(client, [name, definition]);
  if (verb !== "select") return writeReach(client, verb, [name, definition]);
  const result = await unlessRefused(
    client.query(`select ${definition.owner ?? "null"} as owner from public.${name}`),
  );
  return result === "refused" ? result : result.rows.map(({ owner }) => owner).sort();
}

/** Reads no column, as a request without filters: what the user cannot see is protected by the verb's own policy. */
async function writeReach(client: Client, verb: "update" | "delete", [name, definition]: Table) {
  const { owner = "null", rows = `public.${name}`, touch } = definition;
  const listRows = async () => {
    const result = await client.query(`select ctid::text as place, ${owner} as owner from ${rows}`);
    return result.rows as { place: string; owner: string | null }[];
  };
  const before = await asTheOwner(client, listRows);
  const statements = { update: `update public.${name} set ${touch}`, delete: `delete from public.${name}` };
  if ((await unlessRefused(attempt(client, statements[verb]))) === "refused") return "refused";
  const left = new Set((await asTheOwner(client, listRows)).map(({ place }) => place));
  return before
    .filter(({ place }) => !left.has(place))
    .map((row) => row.owner)
    .sort();
}

/** The users in whose name a row can be inserted. */
async function insertReach(client: Client, [name, { newRow, isSingle, owner }]: Table): Promise<Reached> {
  const inserted: string[] = [];
  for (const holder of HOLDERS) {
    await client.query("savepoint clean");
    if (isSingle) {
      const makeWay = `delete from public.${name} where ${owner} = '${OWNERS[holder].id}'`;
      await asTheOwner(client, () => client.query(makeWay));
    }
    if (await canInsert(client, name, newRow(holder))) inserted.push(holder);
    await client.query("rollback to savepoint clean");
  }
  return inserted.length === 0 ? "refused" : inserted;
}

export async function canInsert(client: Client, table: string, row: Record<string, unknown>) {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const statement = `insert into public.${table} (${columns}) values (${places})`;
  return (await unlessRefused(attempt(client, statement, Object.values(row)))) !== "refused";
}

/** What a cell of the matrix says, in the form of `reachOf`. */
export async function expectedReach(
  owner: Client,
  cell: { reach: Reach; person: Person; verb: Verb },
  [name, definition]: Table,
): Promise<Reached> {
  const { reach, person, verb } = cell;
  if (reach === "refused") return "refused";
  if (verb === "insert") return reach === "all" ? HOLDERS : [person];
  const { rows = `public.${name}` } = definition;
  const condition = conditionOf(cell, definition).replaceAll(
    "$1",
    `'${OWNERS[person as Owner]?.id ?? NOBODY}'`,
  );
  const found = await owner.query(
    `select ${definition.owner ?? "null"} as owner, ${condition} as is_reached from ${rows}`,
  );
  return found.rows
    .filter((row) => row.is_reached)
    .map((row) => row.owner)
    .sort();
}

function conditionOf({ reach, person }: { reach: Reach; person: Person }, { owner, some }: TableRights) {
  if (reach === "own") return `${owner} = $1`;
  if (reach === "others") return `${owner} <> $1`;
  if (reach === "some") return (typeof some === "string" ? some : some?.[person]) ?? "false";
  return reach === "all" ? "true" : "false";
}

async function asTheOwner<Result>(client: Client, act: () => Promise<Result>): Promise<Result> {
  const { rows } = await client.query(
    "select current_setting('role') as role, current_setting('request.jwt.claims', true) as claims",
  );
  await becomeOwner(client);
  const result = await act();
  await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    rows[0].role,
    rows[0].claims ?? "",
  ]);
  return result;
}

async function unlessRefused<Result>(trial: Promise<Result>): Promise<Result | "refused"> {
  return trial.catch((error) => {
    if (error.code === "42501") return "refused" as const;
    throw error;
  });
}
