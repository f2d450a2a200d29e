import type { Chance } from "#tests/helpers/chance.ts";
import { type FuzzRequest, get, send, type Who } from "../fuzz-request.ts";
import { mutateRequest } from "../mutate.ts";
import { oddText } from "../odd-values.ts";

type Column = { name: string; type: string };
/** What the database exposes, read from its own catalog. */
export type Schema = {
  tables: { name: string; columns: Column[]; related: string[] }[];
  functions: { name: string; parameters: Column[] }[];
};

const OF_ALL = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "is",
  "isdistinct",
  "eq(any)",
  "not.eq",
  "not.in",
  "not.is",
];
const OF_TEXTS = [
  "like",
  "ilike",
  "match",
  "imatch",
  "fts",
  "plfts",
  "phfts(english)",
  "wfts",
  "like(all)",
  "ilike(any)",
];
const OF_LISTS = ["cs", "cd", "ov"];
const OF_RANGES = ["sl", "sr", "nxr", "nxl", "adj"];
const PREFER = [
  "count=exact",
  "count=planned",
  "count=estimated",
  "return=representation",
  "return=minimal",
  "return=headers-only",
  "resolution=merge-duplicates",
  "resolution=ignore-duplicates",
  "missing=default",
];
const ACCEPT = [
  "application/json",
  "text/csv",
  "application/vnd.pgrst.object+json",
  "application/vnd.pgrst.array+json;nulls=stripped",
  "application/geo+json",
];

const ENDS_ACCOUNT = /\/(delete_|end_own_session|decide_as_parent)/;

/** Valid reads, writes and calls in PostgREST's grammar on existing tables and functions; then mutated. */
export function fuzzRest(chance: Chance, schema: Schema): FuzzRequest {
  const roll = chance.random();
  const request =
    roll < 0.5
      ? readTable(chance, schema)
      : roll < 0.75
        ? writeTable(chance, schema)
        : callFunction(chance, schema);
  request.who = ENDS_ACCOUNT.test(request.path)
    ? "Cal"
    : chance.pick<Who>(["visitor", "visitor", "Ana", "Ana", "Ben", "Eve"]);
  if (chance.chance(0.2)) request.headers.accept = chance.pick(ACCEPT);
  if (chance.chance(0.3)) request.headers.prefer = chance.pick(PREFER);
  return mutateRequest(chance, request);
}

type Table = Schema["tables"][number];

function readTable(chance: Chance, { tables }: Schema): FuzzRequest {
  const table = chance.pick(tables);
  const query = filters(chance, table, chance.pick([0, 0, 1, 1, 2, 3]));
  if (chance.chance(0.6)) query.push(["select", selection(chance, table, 2)]);
  if (chance.chance(0.3))
    query.push([
      "order",
      `${chance.pick(table.columns).name}${chance.pick(["", ".desc", ".asc.nullslast"])}`,
    ]);
  if (chance.chance(0.7)) query.push(["limit", String(chance.pick([0, 1, 5, 20]))]);
  if (chance.chance(0.1)) query.push(["offset", String(chance.pick([0, 1, 100]))]);
  return get(`/rest/v1/${table.name}`, query);
}

function writeTable(chance: Chance, { tables }: Schema): FuzzRequest {
  const table = chance.pick(tables);
  const method = chance.pick(["POST", "POST", "PATCH", "PUT", "DELETE"]);
  const row = () =>
    Object.fromEntries(
      table.columns.filter(() => chance.chance(0.6)).map(({ name, type }) => [name, fitting(chance, type)]),
    );
  const rows = method === "POST" && chance.chance(0.3) ? [row(), row()] : row();
  const request = send(method, `/rest/v1/${table.name}`, rows);
  if (method === "DELETE") delete request.body;
  // Filters by one value of one column: a request that empties a table leaves later ones nothing to find.
  if (method !== "POST")
    request.query = [filter(chance, table, "eq"), ...filters(chance, table, chance.pick([0, 1]))];
  if (method === "POST" && chance.chance(0.2))
    request.query.push(["on_conflict", chance.pick(table.columns).name]);
  if (chance.chance(0.2)) request.query.push(["columns", table.columns.map(({ name }) => name).join()]);
  if (chance.chance(0.2)) request.query.push(["select", selection(chance, table, 1)]);
  return request;
}

function callFunction(chance: Chance, { functions }: Schema): FuzzRequest {
  const { name, parameters } = chance.pick(functions);
  const given = parameters.filter(() => chance.chance(0.9));
  if (chance.chance(0.3))
    return get(
      `/rest/v1/rpc/${name}`,
      given.map((each) => [each.name, literal(chance, each.type)]),
    );
  return send(
    "POST",
    `/rest/v1/rpc/${name}`,
    Object.fromEntries(given.map((each) => [each.name, fitting(chance, each.type)])),
  );
}

function filters(chance: Chance, table: Table, count: number): [string, string][] {
  return Array.from({ length: count }, () =>
    chance.chance(0.2) ? group(chance, table) : filter(chance, table),
  );
}

function filter(chance: Chance, table: Table, chosen?: string): [string, string] {
  const { name, type } = chance.pick(table.columns);
  const operator = chosen ?? operatorFor(chance, type);
  return [name, `${operator}.${operand(chance, operator, type)}`];
}

/** Usually one that the type supports. */
function operatorFor(chance: Chance, type: string): string {
  if (chance.chance(0.05)) return chance.pick([...OF_TEXTS, ...OF_LISTS, ...OF_RANGES]);
  if (type.endsWith("[]")) return chance.pick([...OF_LISTS, "eq"]);
  if (type === "jsonb") return chance.pick(["cs", "cd", "eq", "is"]);
  if (type.endsWith("range")) return chance.pick(OF_RANGES);
  return chance.pick(type === "text" ? [...OF_ALL, ...OF_TEXTS] : OF_ALL);
}

function operand(chance: Chance, operator: string, type: string): string {
  if (operator.endsWith("in")) return `(${literal(chance, type)},${literal(chance, type)})`;
  if (operator.endsWith("is"))
    return chance.pick(type === "boolean" ? ["true", "unknown"] : ["null", "not_null"]);
  if (type === "jsonb") return '{"a":1}';
  if (type.endsWith("[]")) return literal(chance, type);
  if (OF_LISTS.includes(operator) || /\((any|all)\)/.test(operator)) return `{${literal(chance, type)}}`;
  return literal(chance, type);
}

function group(chance: Chance, table: Table, depth = 3): [string, string] {
  const members = Array.from({ length: chance.between(1, 3) }, () => {
    const isDeeper = depth > 0 && chance.chance(0.2);
    const [name, condition] = isDeeper ? group(chance, table, depth - 1) : filter(chance, table);
    return isDeeper ? `${name}${condition}` : `${name}.${condition}`;
  });
  return [chance.pick(["and", "or", "not.and", "not.or"]), `(${members.join()})`];
}

function selection(chance: Chance, table: Table, depth: number): string {
  const parts = Array.from({ length: chance.between(1, 4) }, () => {
    const { name, type } = chance.pick(table.columns);
    if (depth > 0 && table.related.length > 0 && chance.chance(0.3)) {
      const other = chance.pick(table.related);
      return `${chance.pick(["", "x:", "..."])}${other}${chance.pick(["", "!inner", "!left"])}(${chance.pick(["*", "*", "id", ""])})`;
    }
    return `${chance.pick(["", "", "a:"])}${name}${chance.pick(type === "jsonb" ? ["", "->a", "->>0"] : ["", "", "", "::text"])}`;
  });
  return chance.chance(0.2) ? "*" : parts.join();
}

/** A JSON value that a column of this type accepts. */
function fitting(chance: Chance, type: string): unknown {
  if (chance.chance(0.05)) return null;
  if (type.endsWith("[]"))
    return Array.from({ length: chance.between(0, 3) }, () => fitting(chance, type.slice(0, -2)));
  if (type === "jsonb" || type === "json")
    return chance.pick<unknown>([{}, [], { you: [], them: [] }, { a: 1 }, "x"]);
  if (type === "boolean") return chance.chance(0.5);
  if (/^(integer|bigint|smallint|numeric|double precision|real)$/.test(type))
    return chance.pick([0, 1, 5, 100, 1_000_000, -1, 0.5]);
  return literal(chance, type);
}

/** The same, as text. */
function literal(chance: Chance, type: string): string {
  if (chance.chance(0.05)) return oddText(chance);
  if (type.endsWith("[]")) return `{${literal(chance, type.slice(0, -2))}}`;
  if (type === "uuid")
    return chance.pick([
      "{{Ana.id}}",
      "{{Ben.id}}",
      "{{Eve.id}}",
      "{{item}}",
      "{{category}}",
      "a0000000-0000-4000-8000-00000000000a",
    ]);
  if (type === "boolean") return chance.pick(["true", "false"]);
  if (/^(integer|bigint|smallint|numeric|double precision|real)$/.test(type))
    return chance.pick(["0", "1", "5", "100", "1000000", "-1"]);
  if (type.startsWith("timestamp") || type === "date")
    return chance.pick(["2026-11-22", "2026-11-22T04:00:00Z", "2027-01-01T00:00:00+02:00", "now"]);
  if (type === "interval") return "1 day";
  return chance.pick([
    "kitsune",
    "hello",
    "trade",
    "value",
    "en",
    "13-or-older",
    "pending",
    "https://example.org/a.png",
    "SwiftOtter100",
    "a*b",
  ]);
}
