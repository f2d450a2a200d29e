import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call, json, type RestFixture, startRest } from "#tests/helpers/rest/rest-fixture.ts";

let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest();
});

afterAll(() => fixture.close());

const text = { "content-type": "text/plain" };

describe("a call is refused", () => {
  const cases: [
    method: string,
    url: string,
    body: string,
    status: number,
    code: string,
    says: string,
    headers?: Call["headers"],
  ][] = [
    [
      "GET",
      "/rpc/nothing",
      "",
      404,
      "PGRST202",
      "Could not find the function api.nothing without parameters in the schema cache",
    ],
    ["GET", "/rpc/greets", "", 404, "PGRST202", "Perhaps you meant to call the function api.greet"],
    ["GET", "/rpc/add?a=1", "", 404, "PGRST202", "Perhaps you meant to call the function api.add(a, b)"],
    [
      "POST",
      "/rpc/add",
      '{"a":1,"x":2}',
      404,
      "PGRST202",
      "with parameters a, x or with a single unnamed json/jsonb parameter",
    ],
    ["POST", "/rpc/add", "x", 404, "PGRST202", "with a single unnamed text parameter", text],
    ["GET", "/rpc/add?a=1&b=x", "", 400, "22P02", "invalid input syntax for type integer"],
    ["GET", "/rpc/add_secret?id=5&word=x", "", 405, "25006", "read-only transaction"],
    ["POST", "/rpc/add_secret", '{"id":5,"word":"x"}', 401, "42501", "permission denied for table secrets"],
    ["POST", "/rpc/fail_with", '{"code":"P0001","message":"no"}', 400, "P0001", "the detail"],
    ["POST", "/rpc/fail_with", '{"code":"PT402","message":"pay"}', 402, "PT402", "the hint"],
    ["POST", "/rpc/fail_with", '{"code":"P0001","message":""}', 400, "P0001", "the detail"],
    ["POST", "/rpc/fail_with", '{"code":"XX000","message":"bug"}', 500, "XX000", "bug"],
    ["POST", "/rpc/fail_with", '{"code":"53400","message":"full"}', 500, "53400", "full"],
    ["POST", "/rpc/fail_with", '{"code":"53000","message":"full"}', 503, "53000", "full"],
    ["POST", "/rpc/fail_with", '{"code":"28000","message":"who"}', 403, "28000", "who"],
    [
      "POST",
      "/rpc/fail_with",
      '{"code":"PGRST","message":"no json"}',
      500,
      "PGRST121",
      "MESSAGE must be a JSON object",
    ],
    ["POST", "/rpc/teapot", "", 418, "TEA", "short and stout"],
    ["GET", "/rpc/all_people?select=foo", "", 400, "42703", "column people.foo does not exist"],
    [
      "GET",
      "/rpc/one_person?person=1",
      "",
      400,
      "PGRST128",
      "must return SETOF or TABLE",
      { prefer: "handling=strict,max-affected=1" },
    ],
    [
      "GET",
      "/rpc/all_people",
      "",
      400,
      "PGRST124",
      "The query affects 3 rows",
      { prefer: "handling=strict,max-affected=2" },
    ],
    [
      "GET",
      "/rpc/all_people",
      "",
      406,
      "PGRST116",
      "The result contains 3 rows",
      { accept: "application/vnd.pgrst.object+json" },
    ],
  ];
  test.each(cases)("%s %s %s with %i %s", async (method, url, body, status, code, says, headers = {}) => {
    const response = await fixture.call(method, url, { headers, ...(body !== "" && { body }) });
    expect(String(response.body)).toContain(says);
    expect(response.status).toBe(status);
    expect(json(response)).toMatchObject({ code });
  });

  test("naming a hundred of its arguments at most, however many there are", async () => {
    const names = Array.from({ length: 200_000 }, (_, at) => [`n${999_999 - at}`, 1]);
    const body = JSON.stringify(Object.fromEntries(names));
    const response = await fixture.call("POST", "/rpc/add", { body });
    expect(response.status).toBe(404);
    const message = /^Could not find the function api\.add\(n999900, .*, n999999, …\) in/;
    expect(json(response)).toMatchObject({ message: expect.stringMatching(message) });
  });

  test("when several functions fit", async () => {
    await fixture.admin(
      "create function api.twin(a int) returns int language sql as 'select 1'; create function api.twin(a text) returns int language sql as 'select 2'",
    );
    await fixture.rest.schema.reload();
    const response = await fixture.call("GET", "/rpc/twin?a=1");
    expect(response.status).toBe(300);
    expect(json(response)).toMatchObject({
      code: "PGRST203",
      message:
        "Could not choose the best candidate function between: api.twin(a => integer), api.twin(a => text)",
    });
  });

  test("with the headers and reason set by the function", async () => {
    const response = await fixture.call("POST", "/rpc/teapot");
    expect(response).toMatchObject({ status: 418, statusText: "Teapot", headers: { "x-spout": "left" } });
  });

  test.each([
    ["raise_response", { code: "A\nB" }, {}, "PGRST121"],
    ["raise_response", {}, { headers: { "x-a": "b\u0001" } }, "PGRST121"],
    ["raise_response", {}, { headers: { "x a": "b" } }, "PGRST121"],
    ["raise_response", {}, { status_text: "No\r\nset-cookie: a=1" }, "PGRST121"],
    ["set_headers", {}, [{ "x-a": "b\u0001" }], "PGRST111"],
    ["set_headers", {}, [{ "x-a": "b\u007f" }], "PGRST111"],
  ])("if %s has what no header may hold: %j %j", async (name, message, detail, code) => {
    const response = await fixture.call("POST", `/rpc/${name}`, {
      body: JSON.stringify({
        message: JSON.stringify({ code: "A", message: "a", ...message }),
        detail: JSON.stringify(Array.isArray(detail) ? detail : { status: 400, headers: {}, ...detail }),
      }),
    });
    expect([response.status, json(response)]).toMatchObject([500, { code }]);
    expect(response.headers).not.toHaveProperty("x-a");
  });
});

describe("a call answers", () => {
  const cases: [
    method: string,
    url: string,
    body: string,
    status: number,
    answer: string | null,
    headers?: Call["headers"],
  ][] = [
    ["GET", "/rpc/add?a=1&b=2", "", 200, "3"],
    ["GET", "/rpc/add?a=1&b=2&c=3", "", 200, "6"],
    ["POST", "/rpc/add", '{"a":1,"b":5}', 200, "6"],
    ["POST", "/rpc/add?columns=a,b", '{"a":1,"b":5,"zzz":1}', 200, "6"],
    ["POST", "/rpc/add", "a=1&b=6", 200, "7", { "content-type": "application/x-www-form-urlencoded" }],
    ["POST", "/rpc/greet", "", 200, '"Ahoy sailor"'],
    ["POST", "/rpc/greet", '{"name":"Ada"}', 200, '"Ahoy Ada"'],
    ["GET", "/rpc/greet?name=eq.x", "", 400, null],
    ["POST", "/rpc/do_nothing", "{}", 204, null],
    ["HEAD", "/rpc/add?a=1&b=2", "", 200, null],
    ["GET", "/rpc/numbers?upto=3", "", 200, "[1, 2, 3]"],
    ["GET", "/rpc/numbers?upto=9&limit=2&offset=3", "", 200, "[4, 5]"],
    ["GET", "/rpc/pairs?select=y&x=eq.2", "", 200, '[{"y":"two"}]'],
    ["GET", "/rpc/pairs?order=x.desc&limit=1", "", 200, '[{"x":2,"y":"two"}]'],
    ["GET", "/rpc/one_person?person=2&select=name", "", 200, '{"name":"Bo"}'],
    [
      "GET",
      "/rpc/all_people?select=name,countries(name)&id=eq.1",
      "",
      200,
      '[{"name":"Ada","countries":{"name": "Norway"}}]',
    ],
    [
      "GET",
      "/rpc/all_people?select=name&id=eq.1",
      "",
      200,
      '{"name":"Ada"}',
      { accept: "application/vnd.pgrst.object+json" },
    ],
    [
      "GET",
      "/rpc/all_people?select=id,name&id=lt.3",
      "",
      200,
      "id,name\n1,Ada\n2,Bo",
      { accept: "text/csv" },
    ],
    ["POST", "/rpc/echo", '{"any": ["thing"]}', 200, '{"any": ["thing"]}'],
    ["POST", "/rpc/echo", "[1,2]", 200, null],
    ["GET", "/rpc/joined?words=a&words=b%22%5C", "", 200, '"a-b\\"\\\\"'],
    ["POST", "/rpc/joined", '{"words":["a","c"]}', 200, '"a-c"'],
    ["GET", "/rpc/sum_list?numbers={1,2}", "", 200, "3"],
    ["POST", "/rpc/sum_list", '{"numbers":[4,5]}', 200, "9"],
  ];
  test.each(cases)("%s %s %s", async (method, url, body, status, answer, headers = {}) => {
    const response = await fixture.call(method, url, { headers, ...(body !== "" && { body }) });
    if (answer !== null) expect(response.body).toBe(answer);
    if (url !== "/rpc/echo" || answer !== null) expect(response.status).toBe(status);
  });

  test("a page of its rows with their count", async () => {
    const headers = { prefer: "count=exact" };
    const response = await fixture.call("GET", "/rpc/all_people?select=id&age=gt.1&limit=1", { headers });
    expect(response).toMatchObject({ status: 206, headers: { "content-range": "0-0/2" } });
  });

  test("with the status and headers set by the function", async () => {
    const response = await fixture.call("GET", "/rpc/set_response");
    expect(response).toMatchObject({ status: 202, body: '"ok"' });
    expect(response.headers).toMatchObject({ "x-made-by": "function", "set-cookie": ["a=1", "b=2"] });
  });

  test("with text beyond ASCII in headers and reason, as UTF-8", async () => {
    const bytes = Buffer.from("Łódź").toString("latin1");
    const ask = (name: string, message: string, detail: unknown) =>
      fixture.call("POST", `/rpc/${name}`, {
        body: JSON.stringify({ message, detail: JSON.stringify(detail) }),
      });
    const set = await ask("set_headers", "", [{ "X-A": "Łódź" }, { "X-B": "a" }, { "X-B": "Łódź" }]);
    expect(set).toMatchObject({ status: 204, headers: { "x-a": bytes, "x-b": ["a", bytes] } });
    const raised = await ask("raise_response", '{"code":"Łódź","message":"a"}', {
      status: 418,
      status_text: "Łódź",
      headers: { "X-A": "Łódź" },
    });
    expect(raised).toMatchObject({
      status: 418,
      statusText: bytes,
      headers: { "x-a": bytes, "proxy-status": `PostgREST; error=${bytes}` },
    });
  });

  test("with the caller, method, path, headers and cookies", async () => {
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const response = await fixture.call("GET", "/rpc/whoami", {
      role: "authenticated",
      sub: "me",
      headers: { "x-agent": bytes("tests of Łódź"), cookie: bytes("biscuit=oat é; other=1") },
    });
    expect(json(response)).toMatchObject({
      role: "authenticated",
      claims: { role: "authenticated", sub: "me" },
      method: "GET",
      path: "/rpc/whoami",
      agent: "tests of Łódź",
      cookie: "oat é",
    });
  });
});
