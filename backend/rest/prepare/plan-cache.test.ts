import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { ApiError } from "../api-error.ts";
import { limits } from "../query/limits.ts";
import { splitQuery } from "../request/query-string.ts";
import { defaultRestConfig } from "../rest-config.ts";
import { type Column, nameKey, type SchemaCache, type Table } from "../schema-cache/types.ts";
import { PlanCache } from "./plan-cache.ts";
import { type PrepareContext, prepare } from "./prepare.ts";

function column(name: string, type: string): Column {
  const none = {
    comment: null,
    maxLength: null,
    defaultExpression: null,
    enumValues: [],
    representation: null,
  };
  return { ...none, name, type, nominalType: type, nullable: true };
}

const columns = [
  column("id", "integer"),
  column("name", "text"),
  column("data", "jsonb"),
  column("tags", "text[]"),
  column("like", "text"),
];
const table: Table = {
  schema: "public",
  name: "things",
  comment: null,
  isView: false,
  insertable: true,
  updatable: true,
  deletable: true,
  primaryKey: ["id"],
  columns: new Map(columns.map((each) => [each.name, each])),
  computed: new Map(),
};
const cache: SchemaCache = {
  tables: new Map([[nameKey("public", "things"), table]]),
  relationships: new Map(),
  routines: new Map(),
  mediaHandlers: [],
  roleSettings: new Map(),
  begins: { readOnly: false, isolation: "read committed" },
  schemaComments: new Map(),
  fingerprint: "",
};
const config = { ...defaultRestConfig, basePath: "" };

function sources() {
  return { config, cache, plans: new PlanCache(200_000), timing: null };
}

function asking(query: string): Pick<PrepareContext, "request" | "path" | "query"> {
  const request: HttpRequest = { method: "GET", url: `/things?${query}`, headers: {}, body: null };
  return { request, path: "/things", query: splitQuery(query) };
}

/** SQL and parameters, or the error. */
function statementOf(query: string, from: ReturnType<typeof sources>) {
  try {
    const prepared = prepare({ ...from, ...asking(query) });
    if (prepared.kind !== "data") throw new Error("a read needs the database");
    return { text: prepared.plan.statement.text, values: prepared.values };
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.body };
    throw error;
  }
}

const value = fc.oneof(
  fc.constantFrom(
    "1",
    "a*b",
    "()",
    "(1,2)",
    '("a","b,c")',
    '("")',
    "( )",
    "{1,2}",
    "null",
    "",
    "eq.1",
    "%28%29",
    "a+b",
    "?",
    "%ff",
  ),
  fc.string({ unit: "grapheme" }).map(encodeURIComponent),
);
const operator = fc.constantFrom(
  "eq",
  "neq",
  "not.eq",
  "like",
  "ilike(any)",
  "in",
  "not.in",
  "cs",
  "fts",
  "wfts(english)",
  "is",
  "isdistinct",
  "gt(all)",
);
const filter = fc
  .tuple(fc.constantFrom("id", "name", "data->>k", "tags"), operator, value)
  .map(([name, op, text]) => `${name}=${op}.${text}`);
const other = fc.constantFrom(
  "select=id,name",
  "order=name.desc",
  "%6Frder=like.asc",
  "%6Frder=like.desc",
  "data-%3E%3Ek=eq.1",
  "limit=3",
  "or=(id.eq.1,name.eq.x)",
  "",
);
const query = fc.array(fc.oneof(filter, other), { maxLength: 4 }).map((parts) => parts.join("&"));

describe("a cached plan", () => {
  test("equals a fresh plan for every query", () => {
    const kept = sources();
    fc.assert(
      fc.property(query, (text) => {
        expect(statementOf(text, kept)).toEqual(statementOf(text, sources()));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["id=in.(4,7)", "id=in.?"],
    ["id=not.in.(4,7)", "id=not.in.?"],
    ["id=in.(4,7)", "id=in.%28%29"],
    ["%6Frder=like.desc", "%6Frder=like.asc"],
    ["or%3D=eq.1", "or==eq.1"],
  ])("of %s is not used for %s", (first, second) => {
    const kept = sources();
    statementOf(first, kept);
    expect(statementOf(second, kept)).toEqual(statementOf(second, sources()));
  });

  test.each([
    ["id=eq.1&name=like.a*", ["1", "a%"], "id=eq.2&name=like.*b", ["2", "%b"]],
    ["id=in.%281%2C2%29", ['{"1","2"}'], "id=in.%283%29", ['{"3"}']],
    ["data-%3E%3Ek=eq.1", ["k", "1"], "data-%3E%3Ek=eq.%32", ["k", "2"]],
    ["name=fts%28en%29.a", ["en", "en", "a"], "name=fts%28en%29.b", ["en", "en", "b"]],
  ])("of %s is shared by queries that differ only in their values", (one, itsValues, other, otherValues) => {
    const from = sources();
    const keep = vi.spyOn(from.plans, "keep");
    const first = statementOf(one, from);
    const second = statementOf(other, from);
    expect(second.text).toBe(first.text);
    expect(first.values).toEqual(itsValues);
    expect(second.values).toEqual(otherValues);
    expect(keep).toHaveBeenCalledOnce();
  });

  test("binds lists up to the limit and refuses longer ones", () => {
    const from = sources();
    const list = (length: number) => `id=in.(${Array.from({ length }, (_, id) => id).join()})`;
    expect(statementOf(list(2), from).values).toEqual(['{"0","1"}']);
    expect(statementOf(list(limits.listValues), from).refused).toBeUndefined();
    expect(statementOf(list(limits.listValues + 1), from).refused?.message).toBe("The query is too complex");
  });

  test("is not used for another schema", () => {
    const from = sources();
    statementOf("id=eq.1", from);
    const renamed: SchemaCache = { ...cache, tables: new Map() };
    expect(() => prepare({ ...from, ...asking("id=eq.1"), cache: renamed })).toThrow(
      "Could not find the table",
    );
  });
});

test("no client value ever appears in the SQL text", () => {
  const marked = fc.string({ minLength: 1 }).map((text) => `zq${text.replace(/[,()"\\.&#%+{}\0]/g, "")}qz`);
  fc.assert(
    fc.property(marked, fc.constantFrom("eq", "like", "fts", "cs", "in", "is"), (text, op) => {
      const operand = encodeURIComponent(op === "in" ? `(${text},x)` : text);
      const where = [
        `name=${op}.${operand}`,
        `or=(name.${op}.${operand},id.eq.1)`,
        `select=data->>${encodeURIComponent(text.replace(/[-:>]/g, ""))}`,
      ];
      for (const part of where) {
        const statement = statementOf(part, sources());
        if (statement.text === undefined) continue;
        const sql = statement.text.replace(/ AS "[^"]*(?:""[^"]*)*"/g, "");
        expect(sql).not.toContain("zq");
      }
    }),
  );
});
