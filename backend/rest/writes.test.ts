import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, type RestFixture, startRest } from "#tests/helpers/rest/rest-fixture.ts";

let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest();
});

afterAll(() => fixture.close());

/** Most writes here are rolled back, so that the cases are independent. */
const undone = "tx=rollback";

function write(
  method: string,
  url: string,
  body: unknown,
  prefer = "",
  headers: Record<string, string> = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const wishes = prefer === "" ? undone : `${prefer}, ${undone}`;
  return fixture.call(method, url, { headers: { prefer: wishes, ...headers }, body: text });
}

const csv = { "content-type": "text/csv" };
const single = { accept: "application/vnd.pgrst.object+json" };

describe("a write is refused", () => {
  const cases: [
    method: string,
    url: string,
    body: unknown,
    status: number,
    code: string,
    says: string,
    more?: string,
  ][] = [
    ["POST", "/nowhere", {}, 404, "PGRST205", "api.nowhere"],
    [
      "POST",
      "/people",
      { nme: "x" },
      400,
      "PGRST204",
      "Could not find the 'nme' column of 'people' in the schema cache",
    ],
    ["POST", "/people?columns=nme", { name: "x" }, 400, "PGRST204", "'nme'"],
    ["POST", "/people", "{oops", 400, "PGRST102", "Empty or invalid json"],
    ["POST", "/people", "", 400, "PGRST102", "Empty or invalid json"],
    ["POST", "/people", [{ name: "a" }, { age: 1 }], 400, "PGRST102", "All object keys must match"],
    ["POST", "/people", [{ name: "a" }, 1], 400, "PGRST102", "All object keys must match"],
    ["POST", "/people", "[".repeat(300), 400, "PGRST102", "At most 256 levels"],
    ["POST", "/people", { name: null }, 400, "23502", "violates not-null constraint"],
    ["POST", "/people", { id: 1, name: "a" }, 409, "23505", "Key (id)=(1) already exists."],
    ["POST", "/people", { name: "a", country_code: "zz" }, 409, "23503", "violates foreign key constraint"],
    ["POST", "/people", { name: "a\0b" }, 400, "22P05", "unsupported Unicode escape"],
    ["POST", "/people", '{"name":"\\ud800"}', 400, "22P02", "json"],
    ["POST", "/people", { name: "a", age: "old" }, 400, "22P02", "invalid input syntax for type integer"],
    [
      "POST",
      "/tasks",
      { id: 1, project_id: 1, title: "x" },
      400,
      "428C9",
      "cannot insert a non-DEFAULT value",
    ],
    [
      "POST",
      "/notes",
      { id: 9, body: "x" },
      401,
      "42501",
      'new row violates row-level security policy for table \\"notes\\"',
    ],
    ["POST", "/secrets", { id: 9 }, 401, "42501", "permission denied for table secrets"],
    ["PATCH", "/people?id=eq.1", { nme: "x" }, 400, "PGRST204", "'nme'"],
    [
      "PATCH",
      "/people",
      { age: 1 },
      400,
      "PGRST124",
      "The query affects 3 rows",
      "handling=strict, max-affected=2",
    ],
    [
      "DELETE",
      "/unkeyed",
      "",
      400,
      "PGRST124",
      "The query affects 2 rows",
      "handling=strict, max-affected=1",
    ],
    ["PUT", "/people?name=eq.x", { id: 1, name: "x" }, 405, "PGRST105", "all and only primary key columns"],
    ["PUT", "/countries?code=gt.x", { code: "x" }, 405, "PGRST105", "all and only primary key columns"],
    ["PUT", "/unkeyed?a=eq.1", { a: 1 }, 405, "PGRST105", "all and only primary key columns"],
    ["PUT", "/countries?code=eq.xx&limit=1", { code: "xx" }, 400, "PGRST114", "limit/offset"],
    [
      "PUT",
      "/countries?code=eq.xx",
      { code: "yy", name: "Y" },
      400,
      "PGRST115",
      "Payload values do not match URL",
    ],
    [
      "POST",
      "/people",
      { name: "x" },
      400,
      "PGRST122",
      "Invalid preferences: color=red",
      "handling=strict, color=red",
    ],
    ["TRACE", "/people", "", 405, "PGRST117", "Unsupported HTTP method: TRACE"],
    ["PATCH", "/rpc/add", {}, 405, "PGRST101", "Cannot use the PATCH method on RPC"],
  ];
  test.each(cases)("%s %s %o with %i %s", async (method, url, body, status, code, says, prefer) => {
    const response = await write(method, url, body, prefer);
    expect(String(response.body)).toContain(says);
    expect(json(response)).toMatchObject({ code });
    expect(response.status).toBe(status);
  });

  test("if its type is unknown, its CSV malformed or its bytes not text", async () => {
    const unknown = await write("POST", "/people", "<x/>", "", { "content-type": "text/html" });
    expect(json(unknown)).toMatchObject({
      code: "PGRST102",
      message: "Content-Type not acceptable: text/html",
    });
    const torn = await write("POST", "/people", "name,age\nAda", "", csv);
    expect(json(torn)).toMatchObject({
      code: "PGRST102",
      message: "All lines must have same number of fields",
    });
    const bytes = await fixture.call("POST", "/people", { body: new Uint8Array([0x22, 0xff, 0x22]) });
    expect(json(bytes)).toMatchObject({ code: "PGRST102" });
  });

  test("as a whole: a failing guard rolls back the statement", async () => {
    const before = (await fixture.call("GET", "/people?order=id")).body;
    const prefer = { prefer: "return=representation" };
    const two = await fixture.call("PATCH", "/people?id=lt.3", {
      headers: { ...prefer, ...single },
      body: '{"age":1}',
    });
    expect(two.status).toBe(406);
    expect(json(two)).toMatchObject({ code: "PGRST116", details: "The result contains 2 rows" });
    const many = await fixture.call("DELETE", "/unkeyed", {
      headers: { prefer: "handling=strict,max-affected=1" },
    });
    expect(many.status).toBe(400);
    expect((await fixture.call("GET", "/people?order=id")).body).toBe(before);
    expect(json(await fixture.call("GET", "/unkeyed"))).toHaveLength(2);
  });
});

describe("an insert", () => {
  test("without preferences returns 201 with only a Content-Range", async () => {
    const response = await write("POST", "/people", { name: "Di" });
    expect(response).toMatchObject({ status: 201, body: null, headers: { "content-range": "*/*" } });
    expect(response.headers["content-type"]).toBeUndefined();
    expect(response.headers["preference-applied"]).toBe("tx=rollback");
  });

  test("returns the requested columns, including embedded resources", async () => {
    const url = "/projects?select=name,owner:people!owner_id(name),tasks(title)";
    const response = await write(
      "POST",
      url,
      { id: 90, name: "New", owner_id: 1 },
      "return=representation,count=exact",
    );
    expect(json(response)).toEqual([{ name: "New", owner: { name: "Ada" }, tasks: [] }]);
    expect(response.headers["content-range"]).toBe("*/1");
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("returns computed columns and one object", async () => {
    const response = await write(
      "POST",
      "/people?select=name,full_label",
      { name: "Di" },
      "return=representation",
      single,
    );
    expect(json(response)).toEqual({ name: "Di", full_label: "Di <?>" });
  });

  test("returns the new row's Location", async () => {
    const response = await write(
      "POST",
      "/memberships",
      { person_id: 3, project_id: 3 },
      "return=headers-only",
    );
    expect(response).toMatchObject({ status: 201, body: null });
    expect(response.headers.location).toBe("/memberships?person_id=eq.3&project_id=eq.3");
  });

  test.each([
    ["several rows", [{ code: "y1" }, { code: "y2" }]],
    ["no row", []],
  ])("of %s has no Location", async (_, rows) => {
    const named = rows.map((row) => ({ ...row, name: "Y" }));
    const response = await write("POST", "/countries", named, "return=headers-only");
    expect(response).toMatchObject({ status: 201, body: null });
    expect(response.headers.location).toBeUndefined();
  });

  test.each([
    [{}, [{ a: null, b: "none" }]],
    [
      [{}, {}],
      [
        { a: null, b: "none" },
        { a: null, b: "none" },
      ],
    ],
    [[], []],
    [null, []],
    [{ b: null }, [{ a: null, b: null }]],
  ])("of %o makes %o", async (body, rows) => {
    const response = await write("POST", "/unkeyed", JSON.stringify(body), "return=representation");
    expect(response.status).toBe(201);
    expect(json(response)).toEqual(rows);
  });

  test("fills missing keys with null, or with the column's default if preferred", async () => {
    const rows = [{ name: "Gus" }, { name: "Hal", level: "cook", age: 3 }];
    const url = "/people?columns=name,level&select=name,level,age";
    const failing = await write("POST", url, rows, "return=representation");
    expect(json(failing)).toMatchObject({ code: "23502" });
    const filled = await write("POST", url, rows, "return=representation, missing=default");
    expect(json(filled)).toEqual([
      { name: "Gus", level: "sailor", age: null },
      { name: "Hal", level: "cook", age: null },
    ]);
    expect(filled.headers["preference-applied"]).toBe("missing=default, return=representation, tx=rollback");
  });

  test("fills more columns with their defaults than a function takes arguments", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `c${at}`);
    const columns = names.map((name, at) => `${name} int default ${at}`).join();
    await fixture.admin(
      `create table api.wide (${columns}); grant insert, select on api.wide to authenticated`,
    );
    await fixture.rest.schema.reload();
    const url = `/wide?columns=${names.join()}&select=c0,c59`;
    const headers = { prefer: `return=representation, missing=default, ${undone}` };
    const body = JSON.stringify([{ c0: 7 }]);
    const response = await fixture.call("POST", url, { headers, body, role: "authenticated" });
    expect(json(response)).toEqual([{ c0: 7, c59: 59 }]);
  });

  test("keeps numbers, JSON and arrays as they were sent", async () => {
    const body = '{"id":90,"name":"Big","budget":9223372036854775807,"period":"[1,3)"}';
    const big = await write("POST", "/projects?select=budget,period", body, "return=representation");
    expect(big.body).toBe('[{"budget":9223372036854775807,"period":"[1,3)"}]');
    const rich = { name: "Ida", tags: ["a,b", 'c"d'], profile: { deep: [1, { x: null }] } };
    const response = await write("POST", "/people?select=name,tags,profile", rich, "return=representation");
    expect(json(response)).toEqual([rich]);
  });

  test("reads CSV and form bodies", async () => {
    const lines = 'name,age\r\n"Ze ""Z""",NULL\n"Y, Z",4\n';
    const fromCsv = await write("POST", "/people?select=name,age", lines, "return=representation", csv);
    expect(json(fromCsv)).toEqual([
      { name: 'Ze "Z"', age: null },
      { name: "Y, Z", age: 4 },
    ]);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const fromForm = await write(
      "POST",
      "/people?select=name,age",
      "name=A+B&age=3",
      "return=representation",
      form,
    );
    expect(json(fromForm)).toEqual([{ name: "A B", age: 3 }]);
  });

  test("is allowed by the policy for the token's user", async () => {
    const sub = "11111111-1111-4111-8111-111111111111";
    const send = (owner: string) =>
      fixture.call("POST", "/notes", {
        role: "authenticated",
        sub,
        headers: { prefer: undone },
        body: JSON.stringify({ id: 5, owner, body: "mine" }),
      });
    expect((await send(sub)).status).toBe(201);
    expect(await send("22222222-2222-4222-8222-222222222222")).toMatchObject({ status: 403 });
  });
});

describe("an upsert", () => {
  const rows = [
    { code: "no", name: "Norge" },
    { code: "se", name: "Sverige" },
  ];

  test("merges, and returns 200 if no row was new", async () => {
    const some = await write("POST", "/countries", rows, "return=representation,resolution=merge-duplicates");
    expect(some.status).toBe(201);
    expect(json(some)).toEqual(rows);
    const none = await write(
      "POST",
      "/countries",
      rows[0],
      "return=representation,resolution=merge-duplicates",
    );
    expect(none.status).toBe(200);
    expect(none.headers["preference-applied"]).toBe(
      "resolution=merge-duplicates, return=representation, tx=rollback",
    );
  });

  test("ignores duplicates, and still returns 201", async () => {
    const response = await write(
      "POST",
      "/countries",
      rows,
      "return=representation,resolution=ignore-duplicates",
    );
    expect(response.status).toBe(201);
    expect(json(response)).toEqual([rows[1]]);
  });

  test("resolves conflicts on the columns of on_conflict", async () => {
    const person = { name: "Ada II", email: "ada@example.org" };
    const url = "/people?on_conflict=email&select=id,name";
    const response = await write("POST", url, person, "return=representation,resolution=merge-duplicates");
    expect(json(response)).toEqual([{ id: 1, name: "Ada II" }]);
  });

  test("by PUT creates or replaces the row identified by the URL", async () => {
    const put = (body: object, prefer: string) => write("PUT", "/countries?code=eq.no", body, prefer);
    expect(await put({ code: "no", name: "Norge" }, "return=representation")).toMatchObject({ status: 200 });
    expect(await put({ code: "no", name: "Norge" }, "")).toMatchObject({ status: 204, body: null });
    const created = await write(
      "PUT",
      "/countries?code=eq.dk",
      { code: "dk", name: "Danmark" },
      "return=representation",
    );
    expect(created.status).toBe(201);
    expect(json(created)).toEqual([{ code: "dk", name: "Danmark" }]);
  });
});

describe("an update", () => {
  test("changes the filtered rows and counts them", async () => {
    const response = await write("PATCH", "/people?id=lt.3", { age: 5 }, "count=exact");
    expect(response).toMatchObject({ status: 204, body: null, headers: { "content-range": "0-1/2" } });
    const planned = await write("PATCH", "/people?id=lt.3", { age: 5 }, "count=planned");
    expect(planned.headers["content-range"]).toBe("0-1/*");
    const shown = await write("PATCH", "/people?id=lt.3&select=id,age", { age: 5 }, "return=representation");
    expect(shown).toMatchObject({ status: 200, headers: { "content-range": "0-1/*" } });
    expect(json(shown)).toEqual([
      { id: 1, age: 5 },
      { id: 2, age: 5 },
    ]);
  });

  test("with no columns or no matching rows is not an error", async () => {
    const none = await write("PATCH", "/people?id=eq.99", { age: 5 }, "return=representation");
    expect(none).toMatchObject({ status: 200, body: "[]", headers: { "content-range": "*/*" } });
    const empty = await write("PATCH", "/people?id=eq.1&select=id,name", {}, "return=representation");
    expect(empty).toMatchObject({ status: 200, body: "[]" });
    expect(await write("PATCH", "/people?id=eq.1", {})).toMatchObject({ status: 204 });
  });

  test("may use or-trees, and filters on embedded resources in its response", async () => {
    const url = "/projects?or=(id.eq.1,id.eq.3)&select=id,tasks(title)&tasks.done=is.true&order=id";
    const response = await write("PATCH", url, { budget: 1 }, "return=representation");
    expect(json(response)).toEqual(
      expect.arrayContaining([
        { id: 1, tasks: [{ title: "Cut wood" }] },
        { id: 3, tasks: [] },
      ]),
    );
  });
});

describe("a delete", () => {
  test("removes the filtered rows and returns them if requested", async () => {
    const response = await write(
      "DELETE",
      "/tasks?project_id=eq.1&select=title",
      "",
      "return=representation,count=exact",
    );
    expect(response).toMatchObject({ status: 200, headers: { "content-range": "*/2" } });
    expect(json(response)).toEqual([{ title: "Cut wood" }, { title: "Tie knots" }]);
    expect(await write("DELETE", "/tasks?id=eq.1", "")).toMatchObject({ status: 204, body: null });
  });
});

describe("a preferred end", () => {
  test("rollback leaves no trace, commit does", async () => {
    const codes = async () =>
      (json(await fixture.call("GET", "/countries?select=code&code=eq.zz")) as unknown[]).length;
    const send = (prefer: string) =>
      fixture.call("POST", "/countries", { headers: { prefer }, body: '{"code":"zz","name":"Z"}' });
    expect((await send("tx=rollback,return=representation")).body).toBe('[{"code":"zz","name":"Z"}]');
    expect(await codes()).toBe(0);
    expect((await send("tx=commit")).headers["preference-applied"]).toBe("tx=commit");
    expect(await codes()).toBe(1);
    await fixture.call("DELETE", "/countries?code=eq.zz");
  });
});
