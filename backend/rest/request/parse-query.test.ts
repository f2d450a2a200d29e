import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { ApiError } from "../api-error.ts";
import { parseQuery } from "./parse-query.ts";
import { canonicalQuery, decodePairs, splitQuery } from "./query-string.ts";

function parse(query: string, withArgs = false) {
  return parseQuery(decodePairs(splitQuery(query)), withArgs);
}

function failure(query: string): { message: string; details: unknown } {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof ApiError) return { message: error.body.message, details: error.body.details };
    throw error;
  }
  throw new Error(`${query} was understood`);
}

const field = (name: string) => ({ name, path: [] });
const plainItem = { kind: "field", alias: null, cast: null, aggregate: null, aggregateCast: null };

describe("a malformed query", () => {
  const cases: [query: string, message: string, details: string][] = [
    [
      "id=noop.0",
      '"failed to parse filter (noop.0)" (line 1, column 1)',
      'unexpected "n" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      "id=not.noop.0",
      '"failed to parse filter (not.noop.0)" (line 1, column 5)',
      'unexpected "n" expecting operator (eq, gt, ...)',
    ],
    [
      "id=eq",
      '"failed to parse filter (eq)" (line 1, column 1)',
      'unexpected "e" expecting "not" or operator (eq, gt, ...)',
    ],
    ["id=in.1", '"failed to parse filter (in.1)" (line 1, column 4)', 'unexpected "1" expecting "("'],
    [
      "id=in.(1",
      '"failed to parse filter (in.(1)" (line 1, column 6)',
      'unexpected end of input expecting "," or ")"',
    ],
    [
      "select=id,clients(name[])",
      '"failed to parse select parameter (id,clients(name[]))" (line 1, column 16)',
      'unexpected \'[\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
    ],
    [
      "select=name!hint",
      '"failed to parse select parameter (name!hint)" (line 1, column 5)',
      'unexpected \'!\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
    ],
    [
      "select=name::",
      '"failed to parse select parameter (name::)" (line 1, column 7)',
      "unexpected end of input expecting letter or digit",
    ],
    [
      "select=data->(a",
      '"failed to parse select parameter (data->(a)" (line 1, column 7)',
      'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
    ],
    [
      "select=data->>--34",
      '"failed to parse select parameter (data->>--34)" (line 1, column 9)',
      'unexpected "-" expecting digit',
    ],
    [
      "select=%3A",
      '"failed to parse select parameter (:)" (line 1, column 1)',
      'unexpected ":" expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"',
    ],
    [
      "order=id.ac",
      '"failed to parse order (id.ac)" (line 1, column 4)',
      'unexpected "a" expecting "asc", "desc", "nullsfirst" or "nullslast"',
    ],
    [
      "order=id.asc.nlsfst",
      '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
      'unexpected "n" expecting "nullsfirst" or "nullslast"',
    ],
    [
      "or=()",
      '"failed to parse logic tree (())" (line 1, column 4)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ],
    [
      "on_conflict=a,",
      '"failed to parse on_conflict parameter (a,)" (line 1, column 3)',
      "unexpected end of input expecting field name (* or [a..z0..9_$])",
    ],
  ];
  test.each(cases)("%s is refused by %s", (query, message, details) => {
    expect(failure(query)).toEqual({ message, details });
  });
});

describe("a select list", () => {
  test.each([
    ["*", [{ ...plainItem, field: field("*") }]],
    [
      "a,b",
      [
        { ...plainItem, field: field("a") },
        { ...plainItem, field: field("b") },
      ],
    ],
    [
      "with space , dash-ed",
      [
        { ...plainItem, field: field("with space") },
        { ...plainItem, field: field("dash-ed") },
      ],
    ],
    ['"a,b(c):d"', [{ ...plainItem, field: field("a,b(c):d") }]],
    ['"say \\"hi\\""', [{ ...plainItem, field: field('say "hi"') }]],
    ["n:name::text", [{ ...plainItem, field: field("name"), alias: "n", cast: "text" }]],
    [
      "at::timestamp with time zone",
      [{ ...plainItem, field: field("at"), cast: "timestamp with time zone" }],
    ],
    ["count()", [{ ...plainItem, field: field("*"), aggregate: "count" }]],
    [
      "n:count()::text",
      [{ ...plainItem, field: field("*"), alias: "n", aggregate: "count", aggregateCast: "text" }],
    ],
    [
      "a::int.sum()::text",
      [{ ...plainItem, field: field("a"), cast: "int", aggregate: "sum", aggregateCast: "text" }],
    ],
    ["", []],
  ])("%s", (select, items) => {
    expect(parse(`select=${encodeURIComponent(select)}`).select).toEqual(items);
  });

  test("follows JSON paths with keys, indexes and quotes", () => {
    const [item] = parse(`select=${encodeURIComponent('d->a->-1->>"x.y"')}`).select;
    expect(item).toMatchObject({
      field: {
        name: "d",
        path: [
          { arrow: "->", key: "a", isIndex: false },
          { arrow: "->", key: "-1", isIndex: true },
          { arrow: "->>", key: "x.y", isIndex: false },
        ],
      },
    });
  });

  test("embeds with alias, hint and join in either order", () => {
    const one = parse("select=a:rel!hint!inner(id)").select[0];
    const other = parse("select=a:rel!inner!hint(id)").select[0];
    expect(one).toEqual(other);
    expect(one).toMatchObject({
      kind: "embed",
      alias: "a",
      name: "rel",
      hint: "hint",
      join: "inner",
      spread: false,
    });
    expect(parse("select=...rel(*)").select[0]).toMatchObject({ kind: "embed", spread: true });
    expect(parse("select=rel()").select[0]).toMatchObject({ kind: "embed", items: [] });
  });
});

describe("parameters", () => {
  test("belong to the resource on their path", () => {
    const query = parse("a.b.c=eq.1&a.order=x.desc&a.limit=3&a.or=(x.is.null)&a.b.offset=2");
    expect(query.filters[0]).toMatchObject({ path: ["a", "b"], value: { field: { name: "c" } } });
    expect(query.order[0]).toMatchObject({ path: ["a"], value: [{ direction: "desc" }] });
    expect(query.logic[0]).toMatchObject({ path: ["a"], value: { operator: "or" } });
    expect(query.ranges).toEqual([
      { path: ["a"], value: { offset: 0, limit: 3 } },
      { path: ["a", "b"], value: { offset: 2, limit: null } },
    ]);
  });

  test("of a function are its arguments unless they start with an operator", () => {
    const query = parse("id=eq.1&name=x&list={1,2}", true);
    expect(query.args).toEqual([
      ["name", "x"],
      ["list", "{1,2}"],
    ]);
    expect(query.filters).toHaveLength(1);
  });

  test("in a logic tree may be quoted or arrays with commas", () => {
    const tree = parse(
      `or=${encodeURIComponent('(a.eq."x,)y",b.cs.{1,2},not.and(c.in.(1,"2,3"),d.is.null))')}`,
    ).logic[0]?.value;
    expect(tree).toMatchObject({
      operator: "or",
      children: [
        { filter: { operation: { value: { text: "x,)y" } } } },
        { filter: { operation: { value: { text: "{1,2}" } } } },
        {
          negated: true,
          operator: "and",
          children: [{ filter: { operation: { values: { text: '(1,"2,3")' } } } }, {}],
        },
      ],
    });
  });

  test.each([
    ["(a.ilike.*:(*,b.ilike.*:(*)", ["*:(*", "*:(*"]],
    ["(a.eq.x(y,b.eq.1))", ["x(y", "1"]],
    ["(a.eq.(,b.eq.)", ["(", ""]],
  ])("in the logic tree %s end at the next comma or closing parenthesis", (tree, texts) => {
    const children = texts.map((text) => ({ filter: { operation: { value: { text } } } }));
    expect(parse(`or=${tree}`).logic[0]?.value).toMatchObject({ operator: "or", children });
  });
});

const bits = fc.constantFrom(
  ..."id name select order or and not eq in is like fts any null desc limit columns on_conflict".split(" "),
);
const marks = fc.constantFrom(
  ..."=&.,()!:*-><\"\\{}+%~'; ",
  "->",
  "->>",
  "::",
  "...",
  "%20",
  "%00",
  "%ff",
  "é",
  "𝒳",
  "\t",
);
const garbage = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }),
  fc.array(fc.oneof(bits, marks)).map((parts) => parts.join("")),
);

test("any query is either parsed or refused with a 4xx", () => {
  fc.assert(
    fc.property(garbage, fc.boolean(), (query, withArgs) => {
      try {
        parse(query, withArgs);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).status).toBeGreaterThanOrEqual(400);
        expect((error as ApiError).status).toBeLessThan(500);
      }
    }),
    { numRuns: 2000 },
  );
});

test("the canonical query is equivalent and its own canonical form", () => {
  const pair = fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const wellFormed = pairs.filter(([key, value]) => !`${key}${value}`.includes("\0"));
      const canonical = canonicalQuery(wellFormed);
      const read = decodePairs(splitQuery(canonical));
      expect([...read].sort()).toEqual([...wellFormed].sort());
      expect(canonicalQuery(read)).toBe(canonical);
    }),
  );
});
