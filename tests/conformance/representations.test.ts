import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop();
});
afterAll(() => shop.close());

async function ask(path: string, init?: RequestInit) {
  const response = await shop.request(path, init);
  return {
    status: response.status,
    body: JSON.parse((await response.text()) || "null"),
    headers: response.headers,
  };
}

const write = (method: string, body: unknown, prefer = "return=representation") => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", prefer },
});

describe("a column of a domain with a cast to json is returned through that cast", () => {
  const shown: [string, string, unknown][] = [
    ["named", "/halls?select=id,wall&id=eq.2", [{ id: 2, wall: "#0080FF" }]],
    ["among all", "/halls?id=eq.1", [{ id: 1, name: "North", wall: "#000000" }]],
    ["by *", "/halls?select=*&id=eq.1", [{ id: 1, name: "North", wall: "#000000" }]],
    ["renamed", "/halls?select=paint:wall&id=eq.2", [{ paint: "#0080FF" }]],
    ["cast on top", "/halls?select=wall::text&id=eq.2", [{ wall: '"#0080FF"' }]],
    ["null, if the cast makes something of it", "/halls?select=wall&id=eq.3", [{ wall: "" }]],
    [
      "in a view, computed",
      "/painted_halls?select=wall,trim&id=eq.2",
      [{ wall: "#0080FF", trim: "#00407F" }],
    ],
    ["embedded", "/machines?select=id,halls(wall)&id=eq.3", [{ id: 3, halls: { wall: "#0080FF" } }]],
    [
      "embedded by *",
      "/machines?select=halls(*)&id=eq.1",
      [{ halls: { id: 1, name: "North", wall: "#000000" } }],
    ],
    ["spread", "/machines?select=id,...halls(wall)&id=eq.3", [{ id: 3, wall: "#0080FF" }]],
  ];
  test.each(shown)("%s", async (_, path, rows) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: rows });
  });
});

describe("a filter converts its value with the cast from text", () => {
  const found: [string, number[]][] = [
    ["wall=eq.0080FF", [2]],
    ["wall=neq.0080FF", [1]],
    ["wall=in.(000000,0080FF)", [1, 2]],
    ["wall=not.in.(000000)", [2]],
    ["wall=isdistinct.0080FF", [1, 3]],
    ["wall=eq(any).{000000,0080FF}", [1, 2]],
    ["or=(wall.eq.0080FF,id.eq.3)", [2, 3]],
    ["wall=is.null", [3]],
  ];
  test.each(found)("%s", async (filter, ids) => {
    const { body } = await ask(`/halls?select=id&order=id&${filter}`);
    expect(body).toEqual(ids.map((id) => ({ id })));
  });

  test("also through an embedded resource", async () => {
    const { body } = await ask("/machines?select=id,halls!inner()&halls.wall=eq.0080FF&order=id");
    expect(body).toEqual([{ id: 3 }, { id: 4 }]);
  });

  test("but a pattern is not converted", async () => {
    const { status, body } = await ask("/halls?wall=ilike.*F");
    expect([status, body.message]).toEqual([404, "operator does not exist: color ~~* unknown"]);
  });
});

describe("a body is converted with the cast from json", () => {
  test("in an insert", async () => {
    const { status, body } = await ask("/halls", write("POST", { id: 4, name: "West", wall: "#00FF00" }));
    expect([status, body]).toEqual([201, [{ id: 4, name: "West", wall: "#00FF00" }]]);
  });

  test("in an update", async () => {
    const { body } = await ask("/halls?id=eq.1&select=wall", write("PATCH", { wall: "#010203" }));
    expect(body).toEqual([{ wall: "#010203" }]);
  });

  test("in an update through a view, and only for the requested columns", async () => {
    const { body } = await ask(
      "/painted_halls?id=eq.1&columns=name",
      write("PATCH", { name: "N", wall: "none" }),
    );
    expect(body).toEqual([{ id: 1, name: "N", wall: "#000000", trim: "#000000" }]);
  });

  test("in an upsert, and in a PUT", async () => {
    const merge = "return=representation,resolution=merge-duplicates";
    const { body } = await ask(
      "/halls?select=wall",
      write("POST", { id: 1, name: "N", wall: "#0000AA" }, merge),
    );
    expect(body).toEqual([{ wall: "#0000AA" }]);
    const put = await ask("/halls?id=eq.1&select=wall", write("PUT", { id: 1, name: "N", wall: "#0000BB" }));
    expect(put.body).toEqual([{ wall: "#0000BB" }]);
  });

  test("and a missing column takes its default", async () => {
    const prefer = "return=representation,missing=default";
    const rows = [
      { id: 5, name: "A" },
      { id: 6, name: "B", wall: "#000001" },
    ];
    const { body } = await ask(
      "/halls?columns=id,name,wall&select=wall&order=id",
      write("POST", rows, prefer),
    );
    expect(body).toEqual([{ wall: "#0000FF" }, { wall: "#000001" }]);
  });
});
