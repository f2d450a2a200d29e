import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { openFixture, type RestTestServer } from "./rest-server.ts";

/*
 * Every request, well formed or not, gets an answer that says why it is refused, never a server error. FUZZ_SECONDS
 * extends the search.
 */
const milliseconds = Number(process.env.FUZZ_SECONDS ?? 4) * 1000;

let testServer: RestTestServer;
beforeAll(async () => {
  testServer = await openFixture({ rest: { transactionEnd: "rollback", aggregates: true, plan: true } });
});
afterAll(() => testServer.close());

const table = fc.constantFrom(
  "ships",
  "captains",
  "harbours",
  "visits",
  "barrels",
  "galleons",
  "rpc/ships_of",
  "rpc/add",
  "vault",
  "nope",
  "",
);
const column = fc.constantFrom(
  "id",
  "name",
  "guns",
  "log",
  "flags",
  "born",
  "weight",
  "rig",
  "captain_id",
  "nope",
  '"odd, name"',
  "log->a",
  "log->>0",
  "ships",
  "*",
);
const operator = fc.constantFrom(
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "match",
  "imatch",
  "in",
  "is",
  "isdistinct",
  "cs",
  "cd",
  "ov",
  "sl",
  "sr",
  "nxr",
  "nxl",
  "adj",
  "fts",
  "plfts",
  "phfts(english)",
  "wfts(nolanguage)",
  "eq(any)",
  "like(all)",
  "not.eq",
  "not.in",
  "zz",
  "",
);
const value = fc.oneof(
  fc.constantFrom(
    "1",
    "null",
    "true",
    "{1,2}",
    "(1,2,3)",
    "[1,5)",
    "(",
    "*",
    "%",
    "1e400",
    "99999999999999999999",
    "NaN",
    "'; drop table ships; --",
    "\u0000",
    "\ud800",
    '{"a":1}',
    '("a","b\\"c")',
    "2026-02-30",
    "infinity",
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: ANY_CHARACTER, maxLength: 6 }),
);
const condition = fc.tuple(operator, value).map(([op, text]) => `${op}.${text}`);
const { logic } = fc.letrec<{ logic: string }>((tie) => ({
  logic: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(column, condition).map(([name, rest]) => `${name}.${rest}`),
    fc
      .tuple(fc.constantFrom("and", "or", "not.and", "not.or", ""), fc.array(tie("logic"), { maxLength: 3 }))
      .map(([op, items]) => `${op}(${items.join()})`),
  ),
}));
const { item } = fc.letrec<{ item: string }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(
        fc.constantFrom("", "a:", '"q":', "..."),
        column,
        fc.constantFrom("", "::text", "::int", "::nope", ".sum()", ".count()", "->x", "->>0"),
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(
        fc.constantFrom("", "x:", "..."),
        fc.constantFrom(
          "captains",
          "ships",
          "harbours!visits",
          "harbours!home_id",
          "barrels!inner",
          "mentor_id",
          "nope",
        ),
        fc.array(tie("item"), { maxLength: 3 }),
      )
      .map(([alias, name, items]) => `${alias}${name}(${items.join()})`),
    fc.constantFrom("count()", "", ")", "(", "->", "::"),
  ),
}));
const parameter = fc.oneof(
  fc.tuple(column, condition),
  fc.tuple(
    fc.constant("select"),
    fc.array(item, { maxLength: 5 }).map((items) => items.join()),
  ),
  fc.tuple(
    fc.constantFrom("or", "and", "not.or", "ships.or", "captains.and"),
    fc.array(logic, { maxLength: 3 }).map((items) => `(${items.join()})`),
  ),
  fc.tuple(
    fc.constantFrom("order", "ships.order"),
    fc
      .tuple(column, fc.constantFrom("", ".asc", ".desc.nullslast", ".nope", ".nullsfirst"))
      .map((parts) => parts.join("")),
  ),
  fc.tuple(fc.constantFrom("limit", "offset", "ships.limit"), value),
  fc.tuple(fc.constantFrom("columns", "on_conflict"), fc.constantFrom("id", "id,name", '"id"', "nope", ",")),
  fc.tuple(fc.string({ maxLength: 8 }), value),
);
const header = fc.oneof(
  fc.tuple(
    fc.constant("prefer"),
    fc.constantFrom(
      "count=exact",
      "count=planned",
      "return=representation",
      "resolution=merge-duplicates",
      "missing=default",
      "handling=strict,max-affected=1",
      "tx=rollback",
      "timezone=Nowhere/Land",
      "max-affected=x",
      "==,",
    ),
  ),
  fc.tuple(
    fc.constant("accept"),
    fc.constantFrom(
      "text/csv",
      "application/vnd.pgrst.object+json",
      "application/vnd.pgrst.plan+json",
      "application/geo+json",
      "a/b",
      ";;q=x",
      "application/vnd.pgrst.array+json;nulls=stripped",
    ),
  ),
  fc.tuple(fc.constant("range"), fc.constantFrom("0-1", "5-2", "-1", "x-y", "0-", "999999999999999999999-")),
  fc.tuple(
    fc.constantFrom("accept-profile", "content-profile"),
    fc.constantFrom("api", "annex", "hidden", "pg_catalog", "'"),
  ),
  fc.tuple(
    fc.constant("content-type"),
    fc.constantFrom("application/json", "text/csv", "application/x-www-form-urlencoded", "text/plain", "x"),
  ),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "{}",
    "[]",
    "[{}]",
    '{"id":1}',
    '[{"id":1,"name":"x"},{"id":2,"name":null}]',
    "[1,2]",
    '"text"',
    "null",
    "id,name\n1,x",
    'id\n"',
    "{",
    '{"id":{"a":[]}}',
    '{"name":"\\u0000"}',
  ),
  fc.json({ maxDepth: 2 }),
);
const request = fc.record({
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"),
  table,
  parameters: fc.array(parameter, { maxLength: 5 }),
  raw: fc.boolean(),
  headers: fc.array(header, { maxLength: 3 }),
  body,
});

test("no query makes the server fail", { timeout: milliseconds + 30_000 }, async () => {
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(
    request,
    async ({ method, table: name, parameters, raw, headers, body: sent }) => {
      const encode = (text: string) =>
        raw ? encodeURI(text.toWellFormed()) : encodeURIComponent(text.toWellFormed());
      const query = parameters.map(([key, text]) => `${encode(key)}=${encode(text)}`).join("&");
      const response = await testServer.request(`/${name}?${query}`, {
        person: "Ana",
        method,
        headers: Object.fromEntries(headers),
        ...(method !== "GET" && method !== "HEAD" && { body: sent }),
      });
      const text = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status >= 500) throw new Error(`${response.status} ${text}`);
      if (response.status >= 400 && method !== "HEAD")
        expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    },
  );
  await fc.assert(property, {
    numRuns: 1_000_000,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  });
  // A generator that only makes invalid queries would prove little. A share rather than a count: a busy machine gets
  // through fewer.
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const answered = [...statuses].reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0);
  expect(answered / all).toBeGreaterThan(0.03);
});
