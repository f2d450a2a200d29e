import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFixture, type RestTestServer } from "./rest-server.ts";

let testServer: RestTestServer;
const ana = () => testServer.as("Ana");
const stored = async (id: number) =>
  (await ana().from("harbours").select("*").eq("id", id).maybeSingle()).data;

beforeEach(async () => {
  testServer = await openFixture();
});
afterEach(() => testServer.close());

describe("insert", () => {
  test("is refused to who may only read, and stores nothing", async () => {
    const { error, status } = await testServer
      .as("visitor")
      .from("harbours")
      .insert({ id: 9, name: "Petit-Goâve" });
    expect(status).toBe(401);
    expect(error).toEqual({
      code: "42501",
      details: null,
      hint: null,
      message: "permission denied for table harbours",
    });
    expect(await stored(9)).toBeNull();
  });

  test("stores one row and returns no body", async () => {
    const { data, status, error } = await ana().from("harbours").insert({ id: 9, name: "Petit-Goâve" });
    expect({ data, status, error }).toEqual({ data: null, status: 201, error: null });
    expect(await stored(9)).toEqual({ id: 9, name: "Petit-Goâve", country: null });
  });

  test("returns the stored row with its embedded resources", async () => {
    const { data, status } = await ana()
      .from("ships")
      .insert({ name: "Gull", captain_id: 1 })
      .select("name, rig, captains(name)")
      .single();
    expect({ data, status }).toEqual({
      data: { name: "Gull", rig: "brig", captains: { name: "Anne" } },
      status: 201,
    });
  });

  test("of several rows stores all, missing keys as null", async () => {
    const { data } = await ana()
      .from("harbours")
      .insert([
        { id: 8, name: "A", country: "aa" },
        { id: 9, name: "B" },
      ])
      .select("country")
      .order("id");
    expect(data).toEqual([{ country: "aa" }, { country: null }]);
  });

  test("of several rows uses the column default for missing keys, if requested", async () => {
    const rows = [
      { ship_id: 1, content: "tar", litres: 5 },
      { ship_id: 1, litres: 6 },
    ];
    const { data, error } = await ana()
      .from("barrels")
      .insert(rows, { defaultToNull: false })
      .select("content")
      .order("litres");
    expect(error).toBeNull();
    expect(data).toEqual([{ content: "tar" }, { content: "rum" }]);
  });

  test("stores all rows or none", async () => {
    const { error, status } = await ana()
      .from("harbours")
      .insert([
        { id: 9, name: "New" },
        { id: 1, name: "Taken" },
      ]);
    expect(status).toBe(409);
    expect(error).toMatchObject({ code: "23505", details: "Key (id)=(1) already exists." });
    expect(await stored(9)).toBeNull();
  });

  test("accepts CSV", async () => {
    const response = await testServer.request("/harbours", {
      person: "Ana",
      method: "POST",
      headers: { "content-type": "text/csv" },
      body: 'id,name,country\n8,"Saint, Marc",NULL\n9,Léogâne,ht',
    });
    expect(response.status).toBe(201);
    expect(await stored(8)).toEqual({ id: 8, name: "Saint, Marc", country: null });
    expect(await stored(9)).toEqual({ id: 9, name: "Léogâne", country: "ht" });
  });

  test("of an empty list changes nothing", async () => {
    const { error, status } = await ana().from("harbours").insert([]);
    expect({ error, status }).toEqual({ error: null, status: 201 });
  });
});

describe("upsert", () => {
  test("replaces existing rows and adds new ones", async () => {
    const { data } = await ana()
      .from("harbours")
      .upsert([
        { id: 1, name: "Cayona" },
        { id: 9, name: "New" },
      ])
      .select("id, name")
      .order("id");
    expect(data).toEqual([
      { id: 1, name: "Cayona" },
      { id: 9, name: "New" },
    ]);
    expect(await stored(1)).toEqual({ id: 1, name: "Cayona", country: "ht" });
  });

  test("keeps existing rows, if requested", async () => {
    const rows = [
      { id: 1, name: "Cayona" },
      { id: 9, name: "New" },
    ];
    const { data } = await ana().from("harbours").upsert(rows, { ignoreDuplicates: true }).select("id");
    expect(data).toEqual([{ id: 9 }]);
    expect(await stored(1)).toMatchObject({ name: "Tortuga" });
  });

  test("finds existing rows by another unique column", async () => {
    const { error } = await ana()
      .from("harbours")
      .upsert({ id: 1, name: "Tortuga", country: "xx" }, { onConflict: "name" });
    expect(error).toBeNull();
    expect(await stored(1)).toMatchObject({ country: "xx" });
  });
});

describe("update", () => {
  test("is refused to a user who may only read", async () => {
    const { error, status } = await testServer
      .as("visitor")
      .from("harbours")
      .update({ name: "Mine" })
      .eq("id", 1);
    expect({ status, code: error?.code }).toEqual({ status: 401, code: "42501" });
    expect(await stored(1)).toMatchObject({ name: "Tortuga" });
  });

  test("changes only the rows that match its filters", async () => {
    const { data, status } = await ana()
      .from("harbours")
      .update({ country: "zz" })
      .gt("id", 1)
      .select("id")
      .order("id");
    expect({ data, status }).toEqual({ data: [{ id: 2 }, { id: 3 }], status: 200 });
    expect(await stored(1)).toMatchObject({ country: "ht" });
  });

  // Since PostgREST 13, `Prefer: max-affected` is what bounds a write.
  test.each([
    ["limit", { headers: {} }, "limit=1&offset=1"],
    ["range", { headers: { range: "0-0" } }, ""],
  ])("is not narrowed by a %s, and gives back in the order asked for", async (_what, { headers }, query) => {
    const answer = await testServer.request(`/harbours?id=gt.1&select=id&order=id.desc&${query}`, {
      person: "Ana",
      method: "PATCH",
      headers: { prefer: "return=representation", "content-type": "application/json", ...headers },
      body: JSON.stringify({ country: "zz" }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, [{ id: 3 }, { id: 2 }]]);
  });

  test("that matches no row is no error", async () => {
    const { data, status, error } = await ana().from("harbours").update({ country: "zz" }).eq("id", 77);
    expect({ data, status, error }).toEqual({ data: null, status: 204, error: null });
  });

  test("of more rows than max-affected changes none", async () => {
    const { error, status } = await ana()
      .from("harbours")
      .update({ country: "zz" })
      .gt("id", 0)
      .maxAffected(2);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "PGRST124" });
    expect(await stored(1)).toMatchObject({ country: "ht" });
  });

  test("that violates a constraint is refused with the constraint's name", async () => {
    const { error, status } = await ana().from("ships").update({ guns: -1 }).eq("id", 1);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "23514" });
    expect(error?.message).toContain("ships_guns_check");
  });
});

describe("delete", () => {
  test("is refused to a user who may only read", async () => {
    const { error, status } = await testServer.as("visitor").from("visits").delete().eq("ship_id", 1);
    expect({ status, code: error?.code }).toEqual({ status: 401, code: "42501" });
  });

  test("removes the rows that match its filters and returns them", async () => {
    const { data, status } = await ana()
      .from("visits")
      .delete()
      .eq("ship_id", 1)
      .eq("harbour_id", 2)
      .select("days");
    expect({ data, status }).toEqual({ data: [{ days: 5 }], status: 200 });
    const left = await ana().from("visits").select("*", { count: "exact", head: true });
    expect(left.count).toBe(3);
  });

  test("of rows referenced by others is refused", async () => {
    const { error, status } = await ana().from("harbours").delete().eq("id", 2);
    expect({ status, code: error?.code }).toEqual({ status: 409, code: "23503" });
  });
});

describe("row-level security", () => {
  test("shows users their own rows, visitors none", async () => {
    expect((await ana().from("diaries").select("page")).data).toEqual([{ page: "Ana, day 1" }]);
    expect((await testServer.as("Ben").from("diaries").select("page")).data).toEqual([
      { page: "Ben, day 1" },
    ]);
    expect((await testServer.as("visitor").from("diaries").select("page")).data).toEqual([]);
  });

  test("lets nobody write as another user", async () => {
    const { error, status } = await ana()
      .from("diaries")
      .insert({ owner: "b0000000-0000-4000-8000-00000000000b", page: "forged" });
    expect(status).toBe(403);
    expect(error).toMatchObject({
      code: "42501",
      message: 'new row violates row-level security policy for table "diaries"',
    });
    expect((await testServer.as("Ben").from("diaries").select("page")).data).toHaveLength(1);
  });

  test("does not apply to the server's own key", async () => {
    expect((await testServer.as("server").from("diaries").select("page")).data).toHaveLength(2);
  });
});

test("a function that changes data is called by POST", async () => {
  const { data, error } = await ana().rpc("christen", { name: "Ghost" });
  expect(error).toBeNull();
  expect((await ana().from("ships").select("name").eq("id", data).single()).data).toEqual({ name: "Ghost" });
});

test("a table that is created is served, a column that is dropped is forgotten, without a restart", async () => {
  const { Client } = await import("pg");
  const owner = new Client({ connectionString: testServer.databaseUrl });
  await owner.connect();
  await owner.query(
    "create table api.parrots (id int primary key, word text); grant select on api.parrots to anon",
  );
  await expect
    .poll(async () => (await testServer.as("visitor").from("parrots").select("word")).error)
    .toBeNull();
  await owner.query("alter table api.parrots drop column word");
  await expect
    .poll(async () => (await testServer.as("visitor").from("parrots").select("word")).error?.code)
    .toBe("42703");
  await owner.end();
});
