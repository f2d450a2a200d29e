import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop();
});
afterAll(() => shop.close());

async function ask(path: string, init?: RequestInit) {
  const response = await shop.request(path, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const post = (body: string, type = "application/json", more: Record<string, string> = {}) => ({
  method: "POST",
  body,
  headers: { "content-type": type, ...more },
});

test("an argument's type may be in a schema outside the search path", async () => {
  const narrow = await openRestWorkshop({ extraSearchPath: [] });
  try {
    const response = await narrow.request("/rpc/echo_pace?p=fast");
    expect([response.status, await response.json()]).toEqual([200, "fast"]);
  } finally {
    await narrow.close();
  }
});

describe("an argument keeps its whole value", () => {
  const echoes: [string, string, unknown][] = [
    ["echo_char", "c=whole", { c: "whole" }],
    ["echo_bit", "b=10110", { b: "10110" }],
    ["echo_chars", "c={ab,cde}", { c: ["ab", "cde"] }],
  ];
  test.each(echoes)("of %s", async (name, query, body) => {
    const whole = Object.values(body as Record<string, unknown>)[0];
    expect(await ask(`/rpc/${name}?${query}`)).toEqual({ status: 200, body: whole });
    expect(await ask(`/rpc/${name}`, post(JSON.stringify(body)))).toEqual({ status: 200, body: whole });
  });
});

describe("the rows of a function", () => {
  const rows: [string, string, unknown][] = [
    ["have computed fields", "/rpc/all_machines?select=id,label&id=eq.1", [{ id: 1, label: "N1!" }]],
    ["are filtered by computed fields", "/rpc/all_machines?select=id&label=eq.N2!", [{ id: 2 }]],
    [
      "are filtered by computed fields, shown whole",
      "/rpc/all_machines?label=eq.N2!",
      [{ id: 2, name: "N2", hall_id: 1, kind_id: 2 }],
    ],
    [
      "are ordered by computed fields",
      "/rpc/all_machines?select=id&order=label.desc&limit=2",
      [{ id: 5 }, { id: 4 }],
    ],
    [
      "embed what a function computes",
      "/rpc/all_machines?select=id,home(name)&id=eq.3",
      [{ id: 3, home: { name: "South" } }],
    ],
    [
      "embed beside all columns",
      "/rpc/all_machines?select=*,label,home(name)&id=eq.1",
      [{ id: 1, name: "N1", hall_id: 1, kind_id: 1, label: "N1!", home: { name: "North" } }],
    ],
    [
      "embed over keys",
      "/rpc/all_machines?select=id,kinds(name)&id=eq.2",
      [{ id: 2, kinds: { name: "Press" } }],
    ],
    [
      "of a domain over a table embed too",
      "/rpc/first_machine?select=id,halls(name)",
      { id: 1, halls: { name: "North" } },
    ],
    ["are aggregated", "/rpc/all_machines?select=hall_id,count()&hall_id=eq.1", [{ hall_id: 1, count: 2 }]],
  ];
  test.each(rows)("%s", async (_, path, body) => {
    expect(await ask(path)).toEqual({ status: 200, body });
  });
});

describe("a write's representation", () => {
  const back = { prefer: "return=representation" };

  test("has computed fields and relationships", async () => {
    const row = JSON.stringify({ id: 9, name: "X", hall_id: 2 });
    const posted = await ask("/machines?select=*,label,home(name)", post(row, "application/json", back));
    const shown = { id: 9, name: "X", hall_id: 2, kind_id: null, label: "X!", home: { name: "South" } };
    expect(posted).toEqual({ status: 201, body: [shown] });
    const patched = await ask("/machines?id=eq.1&select=label,home(name)", {
      ...post('{"name":"Y"}', "application/json", back),
      method: "PATCH",
    });
    expect(patched.body).toEqual([{ label: "Y!", home: { name: "North" } }]);
  });

  const orders: [string, number[]][] = [
    ["order=id.desc", [5, 4, 3, 2, 1]],
    ["order=kind_id.desc.nullslast,id", [2, 1, 3, 4, 5]],
    ["order=label.desc", [5, 4, 3, 2, 1]],
    ["order=kinds(name).nullsfirst,id.desc", [5, 2, 4, 3, 1]],
  ];
  test.each(orders)("of an update is ordered by %s", async (order, ids) => {
    const select = order.includes("kinds(") ? "id,kinds(name)" : "id";
    const { body } = await ask(`/machines?select=${select}&${order}`, {
      ...post('{"hall_id":1}', "application/json", back),
      method: "PATCH",
    });
    expect(body.map((row: { id: number }) => row.id)).toEqual(ids);
  });

  test("of a delete and an upsert is ordered too", async () => {
    const deleted = await ask("/shifts?order=machine_id.desc,worker_id", { method: "DELETE", headers: back });
    expect(deleted.body.map((row: { machine_id: number }) => row.machine_id)).toEqual([3, 2, 2, 1]);
    const rows = JSON.stringify([
      { id: 1, name: "Q" },
      { id: 9, name: "A" },
      { id: 2, name: "B" },
    ]);
    const merge = { prefer: "return=representation,resolution=merge-duplicates" };
    const upserted = await ask("/kinds?order=name", post(rows, "application/json", merge));
    expect(upserted.body.map((row: { name: string }) => row.name)).toEqual(["A", "B", "Q"]);
  });

  test("names every key column of a view over two tables in its Location, null ones too", async () => {
    const response = await shop.request(
      "/worker_pairs",
      post('{"worker":7}', "application/json", { prefer: "return=headers-only" }),
    );
    expect([response.status, response.headers.get("location")]).toEqual([
      201,
      "/worker_pairs?worker=eq.7&machine=is.null",
    ]);
  });
});

test("a full-text search uses a computed tsvector unchanged", async () => {
  expect(await ask("/machines?select=id&words=fts(simple).n2&order=id")).toEqual({
    status: 200,
    body: [{ id: 2 }],
  });
  expect((await ask("/machines?select=id&words=plfts(simple).spare%20part")).body).toHaveLength(5);
  expect((await ask("/machines?select=id&label=fts(simple).s1")).body).toEqual([{ id: 3 }]);
});

test("a CSV body names arguments, even those of a function that does not exist", async () => {
  expect(await ask("/rpc/echo_char", post("c\nwhole", "text/csv"))).toEqual({ status: 200, body: "whole" });
  expect(await ask("/rpc/nothing_alike", post("a,b\n1,2", "text/csv"))).toMatchObject({
    status: 404,
    body: {
      code: "PGRST202",
      message: "Could not find the function shop.nothing_alike(a, b) in the schema cache",
    },
  });
});
