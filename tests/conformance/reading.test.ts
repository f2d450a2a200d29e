import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFixture, type RestTestServer } from "./rest-server.ts";

let testServer: RestTestServer;
const visitor = () => testServer.as("visitor");
const names = (rows: { name: string }[] | null) => rows?.map((row) => row.name);

beforeAll(async () => {
  testServer = await openFixture();
});
afterAll(() => testServer.close());

describe("past the end", () => {
  const cases: [path: string, status: number][] = [
    ["/ships?id=eq.1&select=id)", 200],
    ["/ships?id=eq.1&select=id,home_id(id))", 200],
    ["/ships?id=eq.1&select=id,home_id(id)'", 200],
    ["/ships?and=(id.eq.1,id.lt.2))&select=id", 200],
    ["/ships?and=(id.eq.1),id.gt.9&select=id", 400],
    ["/ships?id=eq.1&select=id!", 400],
    ["/ships?id=eq.1&select=id,", 400],
    ["/ships?id=eq.1&order=id)", 400],
  ];
  test.each(cases)("%s is %i", async (path, status) => {
    const response = await testServer.request(path);
    const body = await response.json();
    expect([response.status, body]).toMatchObject([
      status,
      status === 200 ? [{ id: 1 }] : { code: "PGRST100" },
    ]);
  });
});

describe("a percent sign that encodes nothing is taken literally", () => {
  const cases: [path: string, rows: object[]][] = [
    ["/ships?id=eq.1&select=id,log->a%^", [{ id: 1, "a%^": null }]],
    ["/ships?id=eq.1&select=id,all:log->%&name=neq.5%", [{ id: 1, all: null }]],
    ["/ships?id=eq.1&select=id&name=neq.%4%20%zz%52", [{ id: 1 }]],
    ["/ships?select=id&name=eq.%52evenge", [{ id: 1 }]],
  ];
  test.each(cases)("%s", async (path, rows) => {
    const response = await testServer.request(path);
    expect([response.status, await response.json()]).toEqual([200, rows]);
  });
});

describe("select", () => {
  test("returns the named columns, renamed and cast", async () => {
    const { data, error } = await visitor()
      .from("ships")
      .select("title:name, guns::text, weight")
      .eq("id", 1);
    expect(error).toBeNull();
    expect(data).toEqual([{ title: "Revenge", guns: "12", weight: 80.125 }]);
  });

  test("keeps numbers beyond JavaScript's precision exact in the response text", async () => {
    const response = await testServer.request("/ships?select=serial,weight&id=eq.1");
    expect(await response.text()).toBe('[{"serial":9007199254740993,"weight":80.125}]');
  });

  test("follows JSON paths, as JSON and as text", async () => {
    const { data } = await visitor()
      .from("ships")
      .select("crew:log->crew, mood:log->mood->>now, first:log->stops->0->>at")
      .eq("id", 1);
    expect(data).toEqual([{ crew: 75, mood: "grim", first: "Nassau" }]);
  });

  test("separates rows as PostgreSQL's json_agg does", async () => {
    const response = await testServer.request("/harbours?select=id&order=id");
    expect(await response.text()).toBe('[{"id":1}, \n {"id":2}, \n {"id":3}]');
  });

  test("of a view returns its rows", async () => {
    const { data } = await visitor().from("galleons").select("name").order("guns", { ascending: false });
    expect(names(data)).toEqual(["Fancy", "Adventure"]);
  });
});

describe("a filter", () => {
  const filters: [string, string[]][] = [
    ["id=eq.1", ["Revenge"]],
    ["id=neq.1", ["Fancy", "Adventure", 'Wreck, "old"']],
    ["guns=gt.34", ["Fancy"]],
    ["guns=gte.34", ["Fancy", "Adventure"]],
    ["guns=lt.12", ['Wreck, "old"']],
    ["guns=lte.12", ["Revenge", 'Wreck, "old"']],
    ["name=like.*enge", ["Revenge"]],
    ["name=like.F%25", ["Fancy"]],
    ["name=ilike.REV*", ["Revenge"]],
    ["name=match.^F", ["Fancy"]],
    ["name=imatch.^f", ["Fancy"]],
    ["id=in.(1,3)", ["Revenge", "Adventure"]],
    ["id=in.()", []],
    ['name=in.("Wreck, \\"old\\"",Fancy)', ["Fancy", 'Wreck, "old"']],
    ["seaworthy=is.true", ["Revenge", "Fancy"]],
    ["seaworthy=is.null", ['Wreck, "old"']],
    ["seaworthy=is.unknown", ['Wreck, "old"']],
    ["seaworthy=not.is.null", ["Revenge", "Fancy", "Adventure"]],
    ["seaworthy=is.not_null", ["Revenge", "Fancy", "Adventure"]],
    ["captain_id=isdistinct.2", ["Revenge", 'Wreck, "old"']],
    ["flags=cs.{black}", ["Revenge", "Fancy"]],
    ["flags=cd.{black}", ["Fancy", "Adventure", 'Wreck, "old"']],
    ["flags=ov.{red,blue}", ["Revenge"]],
    ['log=cs.{"crew":150}', ["Fancy"]],
    ["log->>crew=eq.75", ["Revenge"]],
    ["log->mood->>now=eq.merry", ["Fancy"]],
    ["log->crew=gt.100", ["Fancy"]],
    ["id=not.in.(1,2)", ["Adventure", 'Wreck, "old"']],
    ["name=like(any).{R*,F*}", ["Revenge", "Fancy"]],
    ["name=like(all).{*e*,*v*}", ["Revenge", "Adventure"]],
    ["guns=eq(any).{12,46}", ["Revenge", "Fancy"]],
    ["guns=gt.10&guns=lt.40", ["Revenge", "Adventure"]],
    ["or=(guns.eq.46,name.eq.Revenge)", ["Revenge", "Fancy"]],
    ["or=(guns.gt.40,and(guns.lt.20,seaworthy.is.true))", ["Revenge", "Fancy"]],
    ["not.or=(guns.gt.40,guns.lt.20)", ["Adventure"]],
    ["and=(guns.gt.10,or(id.eq.1,id.eq.2))", ["Revenge", "Fancy"]],
    ["or=(name.not.like.*e*,guns.eq.12)", ["Revenge", "Fancy"]],
    ["rig=eq.galleon", ["Fancy", "Adventure"]],
  ];
  test.each(filters)("%s", async (query, found) => {
    const response = await testServer.request(`/ships?select=name&order=id&${query.replaceAll('"', "%22")}`);
    expect({ status: response.status, names: names(await response.json()) }).toEqual({
      status: 200,
      names: found,
    });
  });

  test("by full text finds words in any inflection", async () => {
    const { data } = await visitor()
      .from("harbours")
      .select("name")
      .textSearch("name", "ports", { config: "english" });
    expect(names(data)).toEqual(["Port Royal"]);
  });
});

describe("order, limit and range", () => {
  test("put nulls first or last as requested", async () => {
    const first = await visitor()
      .from("ships")
      .select("name")
      .order("weight", { nullsFirst: true })
      .order("id")
      .limit(1);
    expect(names(first.data)).toEqual(["Adventure"]);
    const last = await visitor()
      .from("ships")
      .select("name")
      .order("weight", { ascending: false, nullsFirst: false })
      .limit(2);
    expect(names(last.data)).toEqual(["Fancy", "Revenge"]);
  });

  test("return a page from the middle, with the total count", async () => {
    const { data, count, status } = await visitor()
      .from("ships")
      .select("name", { count: "exact" })
      .order("id")
      .range(1, 2);
    expect({ names: names(data), count, status }).toEqual({
      names: ["Fancy", "Adventure"],
      count: 4,
      status: 206,
    });
  });

  test("HEAD counts without sending rows", async () => {
    const { data, count, error } = await visitor().from("ships").select("*", { count: "exact", head: true });
    expect({ data, count, error }).toEqual({ data: null, count: 4, error: null });
  });

  test("a planned count is an estimate, not an error", async () => {
    const { count, error } = await visitor().from("ships").select("*", { count: "planned", head: true });
    expect(error).toBeNull();
    expect(count).toBeGreaterThanOrEqual(0);
  });

  test("a Range header is equivalent to limit and offset", async () => {
    const response = await testServer.request("/ships?select=id&order=id", {
      headers: { range: "2-3", "range-unit": "items" },
    });
    expect(await response.json()).toEqual([{ id: 3 }, { id: 4 }]);
  });
});

describe("an embedded resource", () => {
  test("to one is an object, or null if there is none", async () => {
    const { data } = await visitor()
      .from("ships")
      .select("name, captains(name)")
      .in("id", [1, 4])
      .order("id");
    expect(data).toEqual([
      { name: "Revenge", captains: { name: "Anne" } },
      { name: 'Wreck, "old"', captains: null },
    ]);
  });

  test("to many is a list, empty if there are none", async () => {
    const { data } = await visitor()
      .from("captains")
      .select("name, ships(name)")
      .order("id")
      .order("id", { referencedTable: "ships" });
    expect(data).toEqual([
      { name: "Anne", ships: [{ name: "Revenge" }] },
      { name: "Mary", ships: [{ name: "Fancy" }, { name: "Adventure" }] },
      { name: "Jack", ships: [] },
    ]);
  });

  test("one to one is an object on both sides", async () => {
    const { data } = await visitor().from("captains").select("licences(code)").eq("id", 1).single();
    expect(data).toEqual({ licences: { code: "A-1" } });
    const back = await visitor().from("licences").select("captains(name)").eq("captain_id", 2).single();
    expect(back.data).toEqual({ captains: { name: "Mary" } });
  });

  test("many to many omits the junction table", async () => {
    const { data } = await visitor()
      .from("ships")
      .select("name, harbours!visits(name)")
      .eq("id", 1)
      .order("id", { referencedTable: "harbours" });
    expect(data).toEqual([{ name: "Revenge", harbours: [{ name: "Tortuga" }, { name: "Nassau" }] }]);
  });

  test("that is ambiguous between several keys is an error that names them", async () => {
    const { error, status } = await visitor().from("ships").select("name, harbours(name)");
    expect(status).toBe(300);
    expect(error).toMatchObject({ code: "PGRST201" });
    expect(error?.hint).toContain("harbours!ships_home_id_fkey");
    expect(error?.details).toEqual(
      expect.arrayContaining([expect.objectContaining({ cardinality: "many-to-one" })]),
    );
  });

  test("is chosen by a hint: the key's name or its column", async () => {
    const { data } = await visitor()
      .from("ships")
      .select("home:harbours!ships_home_id_fkey(name), built:harbours!built_id(name)")
      .eq("id", 1);
    expect(data).toEqual([{ home: { name: "Tortuga" }, built: { name: "Nassau" } }]);
  });

  test("of the same table is found by its column", async () => {
    const { data } = await visitor()
      .from("captains")
      .select("name, mentor:mentor_id(name)")
      .eq("id", 2)
      .single();
    expect(data).toEqual({ name: "Mary", mentor: { name: "Anne" } });
  });

  test("joined with !inner drops rows that have none", async () => {
    const { data } = await visitor()
      .from("captains")
      .select("name, ships!inner(name)")
      .eq("ships.rig", "sloop");
    expect(data).toEqual([{ name: "Anne", ships: [{ name: "Revenge" }] }]);
  });

  test("has filters, an order and a limit of its own", async () => {
    const { data } = await visitor()
      .from("captains")
      .select("name, ships(name)")
      .eq("id", 2)
      .gt("ships.guns", 30)
      .order("guns", { referencedTable: "ships", ascending: false })
      .limit(1, { referencedTable: "ships" });
    expect(data).toEqual([{ name: "Mary", ships: [{ name: "Fancy" }] }]);
  });

  test("that is null leaves the rows without it", async () => {
    const { data } = await visitor().from("captains").select("name, ships()").is("ships", null);
    expect(data).toEqual([{ name: "Jack" }]);
  });

  test("may be spread into its parent", async () => {
    const { data } = await visitor().from("ships").select("name, ...captains(captain:name)").eq("id", 1);
    expect(data).toEqual([{ name: "Revenge", captain: "Anne" }]);
  });

  test("orders its parent", async () => {
    const { data } = await visitor()
      .from("ships")
      .select("name, captains(name)")
      .not("captain_id", "is", null)
      .order("captains(name)", { ascending: false })
      .order("id")
      .limit(2);
    expect(names(data)).toEqual(["Fancy", "Adventure"]);
  });

  test("nests as deep as foreign keys allow", async () => {
    const { data } = await visitor()
      .from("barrels")
      .select("content, ships(name, captains(name, mentor:mentor_id(name)))")
      .eq("content", "powder")
      .single();
    expect(data).toEqual({
      content: "powder",
      ships: { name: "Fancy", captains: { name: "Mary", mentor: { name: "Anne" } } },
    });
  });

  test("may be filtered by either of its conditions", async () => {
    const { data } = await visitor()
      .from("captains")
      .select("name, ships!inner(name)")
      .or("rig.eq.sloop,guns.gt.40", { referencedTable: "ships" })
      .order("id");
    expect(names(data)).toEqual(["Anne", "Mary"]);
  });
});

describe("the format of the response", () => {
  test("single() returns the row itself", async () => {
    const { data } = await visitor().from("ships").select("name").eq("id", 1).single();
    expect(data).toEqual({ name: "Revenge" });
  });

  test("single() of none or several is refused", async () => {
    for (const [query, rows] of [
      [visitor().from("ships").select().eq("id", 77), 0],
      [visitor().from("ships").select(), 4],
    ] as const) {
      const { error, status } = await query.single();
      expect(status).toBe(406);
      expect(error).toMatchObject({
        code: "PGRST116",
        message: "Cannot coerce the result to a single JSON object",
        details: `The result contains ${rows} rows`,
      });
    }
  });

  test("maybeSingle() of none is null", async () => {
    const { data, error } = await visitor().from("ships").select().eq("id", 77).maybeSingle();
    expect({ data, error }).toEqual({ data: null, error: null });
  });

  test("csv() returns a header and quoted fields", async () => {
    const { data } = await visitor().from("ships").select("id,name").in("id", [1, 4]).order("id").csv();
    expect(data).toBe('id,name\n1,Revenge\n4,"Wreck, ""old"""');
  });

  test("stripNulls() omits nulls", async () => {
    const { data } = await visitor().from("ships").select("id,weight").eq("id", 4).stripNulls();
    expect(data).toEqual([{ id: 4 }]);
  });

  test("another exposed schema is chosen by the client", async () => {
    const { data } = await testServer.as("visitor", "annex").from("sheds").select("name").single();
    expect(data).toEqual({ name: "Boathouse" });
  });
});

describe("a function", () => {
  test("returns the same when called by POST and by GET", async () => {
    for (const get of [false, true]) {
      const { data, error } = await visitor().rpc("add", { a: 2, b: 3 }, { get });
      expect({ data, error }).toEqual({ data: 5, error: null });
    }
  });

  test("that returns rows can be filtered, ordered and embedded into", async () => {
    const { data } = await visitor()
      .rpc("ships_of", { captain: 2 })
      .select("name, captains(name)")
      .gt("guns", 40);
    expect(data).toEqual([{ name: "Fancy", captains: { name: "Mary" } }]);
  });

  test("takes a list", async () => {
    const { data } = await visitor().rpc("sum_of", { numbers: [1, 2, 3] }, { get: true });
    expect(data).toBe(6);
  });

  test("that returns nothing answers without a body", async () => {
    const { data, status } = await visitor().rpc("nothing");
    expect({ data, status }).toEqual({ data: null, status: 204 });
  });

  test("knows its caller", async () => {
    const { data } = await testServer.as("Ana").rpc("who");
    expect(data).toEqual({
      role: "authenticated",
      sub: "a0000000-0000-4000-8000-00000000000a",
      method: "POST",
      path: "/rpc/who",
    });
  });

  test("that changes data cannot be called by GET", async () => {
    const { error, status } = await testServer.as("Ana").rpc("christen", { name: "Ghost" }, { get: true });
    expect(status).toBe(405);
    expect(error).not.toBeNull();
  });
});
