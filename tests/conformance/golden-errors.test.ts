import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "#tests/helpers/people.ts";
import { openFixture, type RestTestServer, signTestToken } from "./rest-server.ts";

/** A refused request, row by row: who sends what, and PostgREST's status and code for it. */
type Refusal = {
  request: string;
  person?: Person;
  headers?: Record<string, string>;
  body?: string;
  status: number;
  code: string;
  /** Expected parts of the error body. */
  says?: Record<string, unknown>;
};

let testServer: RestTestServer;
beforeAll(async () => {
  testServer = await openFixture();
});
afterAll(() => testServer.close());

const asJson = { "content-type": "application/json" };
const ana = { person: "Ana" } as const;

const refusals: Refusal[] = [
  { request: "GET /harbours?select=(", status: 400, code: "PGRST100" },
  { request: "GET /harbours?id=eq", status: 400, code: "PGRST100" },
  { request: "GET /harbours?id=almost.1", status: 400, code: "PGRST100" },
  { request: "GET /harbours?order=id.sideways", status: 400, code: "PGRST100" },
  { request: "GET /harbours?or=(id.eq.1", status: 400, code: "PGRST100" },
  {
    request: "POST /harbours",
    ...ana,
    headers: asJson,
    body: "{not json",
    status: 400,
    code: "PGRST102",
    says: { message: "Empty or invalid json" },
  },
  {
    request: "POST /harbours",
    ...ana,
    headers: asJson,
    body: "",
    status: 400,
    code: "PGRST102",
    says: { message: "Empty or invalid json" },
  },
  {
    request: "POST /harbours",
    ...ana,
    headers: asJson,
    body: '[{"id":8,"name":"a"},{"id":9}]',
    status: 400,
    code: "PGRST102",
    says: { message: "All object keys must match" },
  },
  {
    request: "GET /harbours?offset=9",
    headers: { prefer: "count=exact" },
    status: 416,
    code: "PGRST103",
    says: {
      message: "Requested range not satisfiable",
      details: "An offset of 9 was requested, but there are only 3 rows.",
    },
  },
  {
    request: "PUT /harbours?name=eq.x",
    ...ana,
    headers: asJson,
    body: '{"id":1}',
    status: 405,
    code: "PGRST105",
  },
  {
    request: "GET /ledger",
    headers: { "accept-profile": "hidden" },
    status: 406,
    code: "PGRST106",
    says: { message: "Invalid schema: hidden", hint: "Only the following schemas are exposed: api, annex" },
  },
  {
    request: "GET /harbours",
    headers: { accept: "application/unknown" },
    status: 406,
    code: "PGRST107",
    says: { message: "None of these media types are available: application/unknown" },
  },
  {
    request: "GET /ships?captains.name=eq.Anne",
    status: 400,
    code: "PGRST108",
    says: { message: "'captains' is not an embedded resource in this request" },
  },
  {
    request: "PUT /harbours?id=eq.1&limit=1",
    ...ana,
    headers: asJson,
    body: '{"id":1,"name":"x","country":null}',
    status: 400,
    code: "PGRST114",
  },
  {
    request: "PUT /harbours?id=eq.1",
    ...ana,
    headers: asJson,
    body: '{"id":2,"name":"x","country":null}',
    status: 400,
    code: "PGRST115",
  },
  {
    request: "GET /harbours",
    headers: { accept: "application/vnd.pgrst.object+json" },
    status: 406,
    code: "PGRST116",
    says: { details: "The result contains 3 rows" },
  },
  {
    request: "PROPFIND /harbours",
    status: 405,
    code: "PGRST117",
    says: { message: "Unsupported HTTP method: PROPFIND" },
  },
  { request: "GET /captains?select=*,ships(*)&order=ships(name)", status: 400, code: "PGRST118" },
  { request: "GET /captains?select=*,ships(*)&ships=eq.1", status: 400, code: "PGRST120" },
  {
    request: "GET /harbours",
    headers: { prefer: "handling=strict, colour=red" },
    status: 400,
    code: "PGRST122",
    says: {
      message: "Invalid preferences given with handling=strict",
      details: "Invalid preferences: colour=red",
    },
  },
  {
    request: "GET /harbours?select=id.sum()",
    status: 400,
    code: "PGRST123",
    says: { message: "Use of aggregate functions is not allowed" },
  },
  {
    request: "DELETE /visits",
    ...ana,
    headers: { prefer: "handling=strict, max-affected=1" },
    status: 400,
    code: "PGRST124",
    says: {
      message: "Query result exceeds max-affected preference constraint",
      details: "The query affects 4 rows",
    },
  },
  {
    request: "GET /harbours/1",
    status: 404,
    code: "PGRST125",
    says: { message: "Invalid path specified in request URL" },
  },
  {
    request: "GET /harbours?select=*,barrels(*)",
    status: 400,
    code: "PGRST200",
    says: { message: "Could not find a relationship between 'harbours' and 'barrels' in the schema cache" },
  },
  {
    request: "GET /ships?select=*,harbours(*)",
    status: 300,
    code: "PGRST201",
    says: {
      message: "Could not embed because more than one relationship was found for 'ships' and 'harbours'",
    },
  },
  {
    request: "POST /rpc/adds",
    headers: asJson,
    body: '{"a":1,"b":2}',
    status: 404,
    code: "PGRST202",
    says: { hint: "Perhaps you meant to call the function api.add" },
  },
  {
    request: "GET /rpc/add?a=1",
    status: 404,
    code: "PGRST202",
    says: { message: "Could not find the function api.add(a) in the schema cache" },
  },
  { request: "GET /rpc/twice?x=1", status: 300, code: "PGRST203" },
  {
    request: "POST /harbours?columns=id,colour",
    ...ana,
    headers: asJson,
    body: '{"id":9,"colour":"red"}',
    status: 400,
    code: "PGRST204",
    says: { message: "Could not find the 'colour' column of 'harbours' in the schema cache" },
  },
  {
    request: "GET /harbour",
    status: 404,
    code: "PGRST205",
    says: {
      message: "Could not find the table 'api.harbour' in the schema cache",
      hint: "Perhaps you meant the table 'api.harbours'",
    },
  },
  { request: "GET /ledger", status: 404, code: "PGRST205" },
  { request: "GET /rpc/christen?name=x", ...ana, status: 405, code: "25006" },
  {
    request: "GET /harbours?id=eq.one",
    status: 400,
    code: "22P02",
    says: { message: 'invalid input syntax for type integer: "one"' },
  },
  {
    request: "GET /harbours?colour=eq.red",
    status: 400,
    code: "42703",
    says: { message: "column harbours.colour does not exist" },
  },
  { request: "GET /harbours?select=id::nosuchtype", status: 400, code: "42704" },
  {
    request: "GET /vault",
    status: 401,
    code: "42501",
    says: { message: "permission denied for table vault" },
  },
  { request: "GET /vault", ...ana, status: 403, code: "42501" },
  {
    request: "POST /harbours",
    ...ana,
    headers: asJson,
    body: '{"id":1,"name":"Taken"}',
    status: 409,
    code: "23505",
    says: { details: "Key (id)=(1) already exists." },
  },
  { request: "POST /barrels", ...ana, headers: asJson, body: '{"ship_id":77}', status: 409, code: "23503" },
  { request: "POST /harbours", ...ana, headers: asJson, body: '{"id":9}', status: 400, code: "23502" },
  {
    request: "PATCH /ships?id=eq.1",
    ...ana,
    headers: asJson,
    body: '{"guns":-1}',
    status: 400,
    code: "23514",
  },
];

test.each(refusals)("$person $request → $status $code", async ({ request, status, code, says, ...sent }) => {
  const [method = "", path = ""] = request.split(" ");
  const response = await testServer.request(path, {
    person: sent.person ?? "visitor",
    method,
    ...(sent.headers && { headers: sent.headers }),
    ...(sent.body !== undefined && { body: sent.body }),
  });
  const body = await response.json();
  expect({ status: response.status, code: body.code }).toEqual({ status, code });
  expect(Object.keys(body).sort()).toEqual(["code", "details", "hint", "message"]);
  expect(body).toMatchObject(says ?? {});
  expect(response.headers.get("proxy-status")).toBe(`PostgREST; error=${code}`);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
});

describe("an error raised by SQL", () => {
  const states: [string, number][] = [
    ["P0001", 400],
    ["22012", 400],
    ["23503", 409],
    ["23505", 409],
    ["23514", 400],
    ["25006", 405],
    ["25P01", 500],
    ["28000", 403],
    ["0L000", 403],
    ["0P000", 403],
    ["08006", 503],
    ["09000", 500],
    ["2D000", 500],
    ["38000", 500],
    ["39000", 500],
    ["3B000", 500],
    ["40001", 500],
    ["42501", 401],
    ["42P01", 404],
    ["42883", 404],
    ["42P17", 500],
    ["42601", 400],
    ["53100", 503],
    ["53400", 500],
    ["54000", 500],
    ["55000", 500],
    ["58000", 500],
    ["F0000", 500],
    ["HV000", 500],
    ["P0002", 500],
    ["XX000", 500],
    ["PT418", 418],
    ["PT402", 402],
  ];
  test.each(states)("with SQLSTATE %s answers %i", async (state, status) => {
    const response = await testServer.request(`/rpc/fail?state=${state}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      code: state,
      message: "as asked",
      details: "the detail",
      hint: "the hint",
    });
  });
});

test.each([
  ["/harbouxx", "Perhaps you meant the table 'api.harbours'"],
  ["/harboxxx", null],
  ["/rpc/flagshxx", "Perhaps you meant to call the function api.flagship"],
  ["/rpc/flagsxxx", null],
])("a name is suggested only if three quarters similar: %s", async (path, hint) => {
  expect((await (await testServer.request(path)).json()).hint).toBe(hint);
});

describe("a token", () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  const ask = async (token: string): Promise<Record<string, unknown>> => {
    const response = await testServer.request("/harbours?select=id", {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, ...(await response.json()) };
  };
  const sign = (claims: Record<string, unknown>) => signTestToken({ role: "authenticated", ...claims });

  const refused: [what: string, token: () => Promise<string>, code: string, message: string | RegExp][] = [
    ["that expired", async () => sign({ exp: seconds() - 60 }), "PGRST303", "JWT expired"],
    ["not valid yet", async () => sign({ nbf: seconds() + 60 }), "PGRST303", "JWT not yet valid"],
    ["issued in the future", async () => sign({ iat: seconds() + 60 }), "PGRST303", "JWT issued at future"],
    ["whose signature was changed", async () => `${(await sign({})).slice(0, -4)}AAAA`, "PGRST301", /./],
    [
      "without a signature",
      async () => "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.",
      "PGRST301",
      /./,
    ],
    ["that is none", async () => "nonsense", "PGRST301", "Expected 3 parts in JWT; got 1"],
    [
      "with the prefix of an API key that is not one of ours",
      async () => "sb_secret_forged",
      "PGRST301",
      /./,
    ],
  ];
  test.each(refused)("%s is refused", async (_what, token, code, message) => {
    expect(await ask(await token())).toMatchObject({
      status: 401,
      code,
      message: expect.stringMatching(message),
    });
  });

  test("may have a clock skew of half a minute", async () => {
    expect(await ask(await sign({ exp: seconds() - 20 }))).toMatchObject({ status: 200 });
  });

  test("of a role that does not exist is refused", async () => {
    expect(await ask(await signTestToken({ role: "admiral" }))).toMatchObject({
      status: 401,
      code: "22023",
    });
  });

  test("of a role that the backend may not switch to is refused", async () => {
    const { status } = await ask(await signTestToken({ role: "postgres" }));
    expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe("a request beyond the limits", () => {
  test.each([
    ["a URL too long", `/harbours?name=eq.${"x".repeat(100_000)}`, {}],
    ["embeds too deep", `/captains?select=${"captains(".repeat(60)}id${")".repeat(60)}`, {}],
    ["conditions too deep", `/harbours?or=${"(and".repeat(100)}(id.eq.1)${")".repeat(100)}`, {}],
    ["a list too long", `/harbours?id=in.(${Array.from({ length: 30_000 }, () => 1).join()})`, {}],
    [
      "a body too large",
      "/harbours",
      {
        person: "Ana" as const,
        method: "POST",
        body: `{"name":"${"x".repeat(11_000_000)}"}`,
        headers: asJson,
      },
    ],
    [
      "a body too deep",
      "/harbours",
      {
        person: "Ana" as const,
        method: "POST",
        body: `${"[".repeat(5000)}${"]".repeat(5000)}`,
        headers: asJson,
      },
    ],
  ])("%s gets a 4xx that says why", async (_what, path, init) => {
    const response = await testServer.request(path, init);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect((await response.json()).message).toMatch(/./);
  });
});

test("without any key the gateway refuses", async () => {
  const response = await testServer.request("/harbours", { person: "nobody" });
  expect(response.status).toBe(401);
});
