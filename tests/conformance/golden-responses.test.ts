import { afterAll, beforeAll, expect, test } from "vitest";
import { openFixture, type RestTestServer } from "./rest-server.ts";

/** Raw responses, row by row: PostgREST's statuses, headers and bodies. `null`: the header must be absent. */
type Row = {
  request: string;
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  answer?: Record<string, string | null>;
  text?: string;
};

let testServer: RestTestServer;
beforeAll(async () => {
  // Each request is rolled back, so the rows are independent.
  testServer = await openFixture({ rest: { transactionEnd: "rollback", maxRows: null } });
});
afterAll(() => testServer.close());

const json = "application/json; charset=utf-8";
const asJson = { "content-type": "application/json" };
const prefer = (text: string) => ({ ...asJson, prefer: text });
const newHarbour = { id: 9, name: "New" };

const reads: Row[] = [
  {
    request: "GET /harbours?select=id&order=id",
    status: 200,
    answer: { "content-type": json, "content-range": "0-2/*", "preference-applied": null },
  },
  {
    request: "GET /harbours?select=id&id=eq.77",
    status: 200,
    answer: { "content-range": "*/*" },
    text: "[]",
  },
  {
    request: "GET /harbours?select=id",
    headers: { prefer: "count=exact" },
    status: 200,
    answer: { "content-range": "0-2/3", "preference-applied": "count=exact" },
  },
  {
    request: "GET /harbours?select=id&order=id&limit=2",
    headers: { prefer: "count=exact" },
    status: 206,
    answer: { "content-range": "0-1/3" },
  },
  { request: "GET /harbours?select=id&order=id&limit=2", status: 200, answer: { "content-range": "0-1/*" } },
  {
    request: "GET /harbours?select=id&offset=9",
    headers: { prefer: "count=exact" },
    status: 416,
    answer: {
      "content-range": "*/3",
      "content-profile": "api",
      "preference-applied": "count=exact",
      "proxy-status": "PostgREST; error=PGRST103",
    },
  },
  {
    request: "GET /harbours?select=id&offset=9",
    status: 200,
    answer: { "content-range": "*/*" },
    text: "[]",
  },
  { request: "GET /harbours?select=id&limit=0", status: 200, text: "[]" },
  {
    request: "HEAD /harbours?select=id",
    headers: { prefer: "count=exact" },
    status: 200,
    answer: { "content-range": "0-2/3" },
    text: "",
  },
  {
    request: "GET /harbours?select=id&id=eq.1",
    headers: { accept: "application/vnd.pgrst.object+json" },
    status: 200,
    answer: { "content-type": "application/vnd.pgrst.object+json; charset=utf-8" },
    text: '{"id":1}',
  },
  {
    request: "GET /harbours?select=id&id=eq.1",
    headers: { accept: "text/csv" },
    status: 200,
    answer: { "content-type": "text/csv; charset=utf-8" },
    text: "id\n1",
  },
  {
    request: "GET /harbours?id=eq.1&select=id",
    status: 200,
    answer: { "content-location": "/harbours?id=eq.1&select=id" },
  },
  {
    request: "GET /sheds",
    headers: { "accept-profile": "annex" },
    status: 200,
    answer: { "content-profile": "annex" },
  },
  {
    request: "GET /harbours?select=id&id=eq.1",
    headers: { prefer: "handling=strict, count=exact" },
    status: 200,
    answer: { "preference-applied": "count=exact, handling=strict" },
  },
  {
    request: "GET /harbours?select=id&id=eq.1",
    headers: { "accept-profile": "api" },
    status: 200,
    answer: { "content-profile": "api" },
  },
];

const writes: Row[] = [
  {
    request: "POST /harbours",
    headers: asJson,
    body: newHarbour,
    status: 201,
    answer: { "content-type": null, "content-range": "*/*", location: null },
    text: "",
  },
  {
    request: "POST /harbours",
    headers: prefer("return=minimal"),
    body: newHarbour,
    status: 201,
    answer: { "preference-applied": "return=minimal" },
    text: "",
  },
  {
    request: "POST /harbours",
    headers: prefer("return=headers-only"),
    body: newHarbour,
    status: 201,
    answer: { location: "/harbours?id=eq.9", "preference-applied": "return=headers-only" },
  },
  {
    request: "POST /harbours",
    headers: prefer("return=representation, count=exact"),
    body: newHarbour,
    status: 201,
    answer: {
      "content-type": json,
      "content-range": "*/1",
      "preference-applied": "return=representation, count=exact",
    },
    text: '[{"id":9,"name":"New","country":null}]',
  },
  {
    request: "POST /harbours?select=name",
    headers: prefer("return=representation"),
    body: [newHarbour],
    status: 201,
    text: '[{"name":"New"}]',
  },
  {
    request: "POST /harbours?columns=id,name",
    headers: asJson,
    body: { ...newHarbour, ignored: true },
    status: 201,
  },
  {
    request: "POST /harbours",
    headers: prefer("resolution=merge-duplicates"),
    body: { id: 1, name: "Cayona" },
    status: 200,
    answer: { "preference-applied": "resolution=merge-duplicates" },
  },
  {
    request: "POST /harbours",
    headers: prefer("resolution=merge-duplicates"),
    body: newHarbour,
    status: 201,
  },
  {
    request: "POST /harbours",
    headers: prefer("resolution=ignore-duplicates"),
    body: { id: 1, name: "Cayona" },
    status: 201,
  },
  {
    request: "PATCH /harbours?id=eq.1",
    headers: asJson,
    body: { country: "zz" },
    status: 204,
    answer: { "content-range": "0-0/*", "content-type": null },
    text: "",
  },
  {
    request: "PATCH /harbours?id=gt.1",
    headers: prefer("return=representation"),
    body: { country: "zz" },
    status: 200,
    answer: { "content-range": "0-1/*", "content-type": json },
  },
  {
    request: "PATCH /harbours?id=eq.77",
    headers: asJson,
    body: { country: "zz" },
    status: 204,
    answer: { "content-range": "*/*" },
  },
  {
    request: "DELETE /visits?ship_id=eq.1",
    status: 204,
    answer: { "content-range": "*/*", "content-type": null },
    text: "",
  },
  {
    request: "DELETE /visits?ship_id=eq.1",
    headers: { prefer: "return=representation, count=exact" },
    status: 200,
    answer: { "content-range": "*/2", "content-type": json },
  },
  {
    request: "PUT /harbours?id=eq.1",
    headers: asJson,
    body: { id: 1, name: "Cayona", country: null },
    status: 204,
  },
  {
    request: "PUT /harbours?id=eq.9",
    headers: prefer("return=representation"),
    body: { id: 9, name: "New", country: null },
    status: 201,
    text: '[{"id":9,"name":"New","country":null}]',
  },
];

const others: Row[] = [
  {
    request: "POST /rpc/add",
    headers: asJson,
    body: { a: 1, b: 2 },
    status: 200,
    answer: { "content-type": json },
    text: "3",
  },
  { request: "GET /rpc/add?a=1&b=2", status: 200, text: "3" },
  {
    request: "POST /rpc/nothing",
    headers: asJson,
    body: {},
    status: 204,
    answer: { "content-type": null },
    text: "",
  },
  { request: "GET /rpc/flagship?select=name", status: 200, text: '{"name":"Fancy"}' },
  {
    request: "GET /rpc/ships_of?captain=2&select=id&limit=1",
    headers: { prefer: "count=exact" },
    status: 206,
    answer: { "content-range": "0-0/2" },
  },
  { request: "OPTIONS /ships", status: 200, answer: { allow: "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE" } },
  { request: "OPTIONS /fleet_size", status: 200, answer: { allow: "OPTIONS,GET,HEAD" } },
  { request: "OPTIONS /rpc/add", status: 200, answer: { allow: "OPTIONS,GET,HEAD,POST" } },
  { request: "OPTIONS /rpc/christen", status: 200, answer: { allow: "OPTIONS,POST" } },
];

test.each([...reads, ...writes, ...others])("$request $headers → $status", async (row) => {
  const [method = "", path = ""] = row.request.split(" ");
  const response = await testServer.request(path, {
    person: "Ana",
    method,
    ...(row.headers && { headers: row.headers }),
    ...(row.body !== undefined && { body: JSON.stringify(row.body) }),
  });
  const text = await response.text();
  const answer = Object.fromEntries(
    Object.keys(row.answer ?? {}).map((name) => [name, response.headers.get(name)]),
  );
  expect({ status: response.status, answer, text: row.text === undefined ? undefined : text }).toEqual({
    status: row.status,
    answer: row.answer ?? {},
    text: row.text,
  });
});

test("a browser on another origin may send requests, and read the headers that the client needs", async () => {
  const asked = await testServer.request("/harbours", {
    method: "OPTIONS",
    headers: {
      origin: "http://elsewhere.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers":
        "apikey,authorization,content-profile,prefer,x-client-info,x-retry-count,traceparent",
    },
  });
  const allowed = asked.headers.get("access-control-allow-headers")?.toLowerCase().split(/, */);
  expect(allowed).toEqual(
    expect.arrayContaining([
      "apikey",
      "authorization",
      "content-profile",
      "prefer",
      "x-client-info",
      "x-retry-count",
      "traceparent",
    ]),
  );
  expect(asked.headers.get("access-control-allow-methods")).toContain("PATCH");
  const answered = await testServer.request("/harbours", { headers: { origin: "http://elsewhere.example" } });
  expect(answered.headers.get("access-control-allow-origin")).toBe("*");
  expect(answered.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("content-range");
});
