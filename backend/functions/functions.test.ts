import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { json } from "node:stream/consumers";
import {
  createClient,
  FunctionsFetchError,
  FunctionsHttpError,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { SAMPLES } from "#tests/helpers/functions/sample-functions.ts";
import { type ServedFunctions, serveFunctions } from "#tests/helpers/functions/serve-functions.ts";

const REQUEST_LIMIT = 200_000;

let database: TestDatabase;
let served: ServedFunctions;
let client: SupabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await serveFunctions(database, SAMPLES, { limits: { requestBody: REQUEST_LIMIT, workers: 3 } });
  client = served.connect();
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${served.url}/functions/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${served.anonKey}`, ...init.headers },
  });

async function signUp(email: string) {
  const own = served.connect();
  const { data, error } = await own.auth.signUp({ email, password: "Correct horse 7 battery!" });
  expect(error).toBeNull();
  return { own, token: data.session?.access_token as string };
}

describe("a function", () => {
  test("in the standard form answers, using shared modules", async () => {
    const { data, error } = await client.functions.invoke("standard", { body: { name: "Mara" } });
    expect([data, error]).toEqual([{ said: "Hello Mara" }, null]);
  });

  test("in Deno's form uses an npm: import and acts as its caller", async () => {
    const { own } = await signUp("caller@example.org");
    const { data, error } = await own.functions.invoke("original", { body: {} });
    expect(error).toBeNull();
    expect(data).toEqual({ url: `${served.url}/original`, email: "caller@example.org" });
  });

  test("is read from the file that the configuration names, within the folder", async () => {
    expect((await client.functions.invoke("elsewhere")).data).toBe("from its entrypoint");
  });

  test("gets every kind of body that the client sends, and the rest of its path", async () => {
    const invoke = async (body: never, method: "POST" | "GET" = "POST", name = "echo") =>
      (await client.functions.invoke(name, { body, method })).data;
    expect(await invoke({ a: 1 } as never)).toMatchObject({ type: "application/json", text: '{"a":1}' });
    expect(await invoke("words" as never)).toMatchObject({ type: "text/plain", text: "words" });
    expect(await invoke(new Blob(["bytes"]) as never)).toMatchObject({
      type: "application/octet-stream",
      text: "bytes",
    });
    const form = new FormData();
    form.set("name", "Mara");
    form.set("file", new Blob(["content"]), "a.txt");
    expect(await invoke(form as never)).toMatchObject({ form: { name: "Mara", file: "content" } });
    expect(await invoke(undefined as never, "GET", "echo/deep/er?x=1")).toMatchObject({
      method: "GET",
      path: "/echo/deep/er?x=1",
      text: "",
    });
  });

  test("answers requests after a HEAD, also in the same process", async () => {
    for (let times = 0; times < 2; times++) {
      const head = await ask("echo", { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, null, ""]);
      const { data } = await client.functions.invoke("echo", { body: { a: 1 } });
      expect(data).toMatchObject({ method: "POST", text: '{"a":1}' });
    }
  });

  test("gets the caller's token and key, and an address that the caller cannot choose", async () => {
    const headers = {
      apikey: "sb_publishable_functions",
      "x-forwarded-for": "203.0.113.9",
      "x-client-network": "1",
    };
    const { headers: heard } = await (await ask("echo", { headers })).json();
    expect(heard).toMatchObject({
      authorization: `Bearer ${served.anonKey}`,
      apikey: headers.apikey,
      "x-forwarded-for": "127.0.0.1",
    });
    expect(heard["x-client-network"]).toBeUndefined();
  });

  test.each(["%", "a..b:99999", ""])("works with a Host header invalid in URLs: %j", async (host) => {
    const headers = { host, authorization: `Bearer ${served.anonKey}` };
    const [answer] = await once(
      sendRequest(`${served.url}/functions/v1/echo/x`, { headers }).end(),
      "response",
    );
    expect([answer.statusCode, await json(answer)]).toMatchObject([200, { path: "/echo/x" }]);
  });

  test("returns every kind of response that the client reads; HTML is sent as text", async () => {
    const invoke = (kind: string) => client.functions.invoke(`kinds?kind=${kind}`, { method: "GET" });
    expect((await invoke("text")).data).toBe("plain words");
    expect([...new Uint8Array(await (await invoke("blob")).data.arrayBuffer())]).toEqual([1, 2, 3]);
    expect((await invoke("form")).data.get("a")).toBe("b");
    const stream = (await invoke("stream")).data as Response;
    expect(await stream.text()).toBe("data: 1\n\ndata: 2\n\n");
    expect((await invoke("none")).response?.status).toBe(204);
    const page = await ask("kinds?kind=html");
    expect(page.headers.get("content-type")).toBe("text/plain");
  });

  test("returns its own error statuses, which the client reports as FunctionsHttpError", async () => {
    const { error, response } = await client.functions.invoke("kinds?kind=teapot", { method: "GET" });
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(response?.status).toBe(418);
    expect(await error.context.json()).toEqual({ why: "a teapot" });
  });

  test("can be called with any region, which has no effect here", async () => {
    const { data } = await client.functions.invoke("standard", {
      body: { name: "A" },
      region: "us-east-1" as never,
    });
    expect(data).toEqual({ said: "Hello A" });
  });

  test("has no access to the process that serves it", async () => {
    const { data } = await client.functions.invoke("surroundings");
    expect(data.environment).toEqual({
      GREETING: "hello",
      SUPABASE_URL: served.url,
      SUPABASE_ANON_KEY: served.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: expect.stringMatching(/^eyJ/),
      SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_functions"}',
      SUPABASE_SECRET_KEYS: '{"default":"sb_secret_functions"}',
      SUPABASE_JWKS: '{"keys":[]}',
    });
    expect(data).toMatchObject({
      passwd: "ERR_ACCESS_DENIED",
      parent: "ERR_ACCESS_DENIED",
      config: "ERR_ACCESS_DENIED",
      process: "ERR_ACCESS_DENIED",
      thread: "ERR_ACCESS_DENIED",
      signal: "a function may not send signals",
    });
    expect(served.lines.join()).toContain("SUPABASE_URL in ");
  });
});

describe("before a request reaches a function", () => {
  const refusal = async (answer: Response) => [
    answer.status,
    answer.headers.get("sb-error-code"),
    await answer.json(),
  ];

  test.each([
    ["nobody", "an unknown name"],
    ["off", "a disabled function"],
    ["_shared", "shared modules"],
    ["", "an empty name"],
    ["..%2F..%2Fetc", "an encoded path traversal"],
    ["..%5c..", "another traversal"],
    ["standard%00", "a zero byte"],
    ["constructor", "an inherited property"],
    ["__proto__", "another property"],
  ])("%s is not found: %s", async (name) => {
    expect(await refusal(await ask(name))).toEqual([
      404,
      "NOT_FOUND",
      { code: "NOT_FOUND", message: "Requested function was not found" },
    ]);
  });

  test("a valid token is required", async () => {
    const without = await fetch(`${served.url}/functions/v1/echo`, { method: "POST" });
    expect(await refusal(without)).toEqual([
      401,
      "UNAUTHORIZED_NO_AUTH_HEADER",
      { code: "UNAUTHORIZED_NO_AUTH_HEADER", message: "Missing authorization header" },
    ]);
    const codeOf = async (authorization: string) =>
      (await refusal(await ask("echo", { headers: { authorization } })))[1];
    expect(await codeOf("Basic abc")).toBe("UNAUTHORIZED_INVALID_JWT_FORMAT");
    expect(await codeOf("Bearer abc")).toBe("UNAUTHORIZED_INVALID_JWT_FORMAT");
    expect(await codeOf(`Bearer ${served.anonKey.slice(0, -4)}AAAA`)).toBe("UNAUTHORIZED_LEGACY_JWT");
  });

  test("a key alone suffices, as the official client sends a publishable one, but no other text", async () => {
    const { data, error } = await served.connect("sb_publishable_functions").functions.invoke("echo");
    expect(error).toBeNull();
    expect(data.headers).toMatchObject({ apikey: "sb_publishable_functions" });
    expect(data.headers.authorization).toBeUndefined();
    const { response } = await served.connect("sb_publishable_other").functions.invoke("echo");
    expect(response?.status).toBe(401);
  });

  test("a token whose session has ended is refused", async () => {
    const { own, token } = await signUp("gone@example.org");
    const call = () =>
      ask("standard", {
        method: "POST",
        body: '{"name":"A"}',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await call()).status).toBe(200);
    await own.auth.signOut();
    await expect.poll(async () => (await call()).status).toBe(401);
  });

  test("no token is needed if the configuration says so", async () => {
    expect(await (await fetch(`${served.url}/functions/v1/open`)).text()).toBe("open");
  });

  test("a body beyond the limit is refused, with or without a content length", async () => {
    const body = "x".repeat(REQUEST_LIMIT + 1);
    expect((await ask("echo", { method: "POST", body })).status).toBe(413);
    const untold = { method: "POST", body: new Blob([body]).stream(), duplex: "half" } as RequestInit;
    expect((await ask("echo", untold)).status).toBe(413);
    const allowed = await ask("echo", { method: "POST", body: body.slice(1) });
    expect((await allowed.json()).text).toHaveLength(REQUEST_LIMIT);
  });
});

describe("calls from pages of other origins", () => {
  const origin = "https://other.example";
  const preflight = { origin, "access-control-request-method": "POST" };
  const send = (name: string, init: RequestInit) => fetch(`${served.url}/functions/v1/${name}`, init);

  test("are answered by the function itself, including preflights without a token", async () => {
    const asked = await send("open", { method: "OPTIONS", headers: preflight });
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://mine.example");
    expect(asked.headers.get("x-method")).toBe("OPTIONS");
    const checked = await send("kinds?kind=text", { method: "OPTIONS", headers: preflight });
    expect([checked.status, checked.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  test("can read the reason for a refusal", async () => {
    const refused = await send("echo", { method: "POST", headers: { origin } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  });
});

test("an unreachable service is a FunctionsFetchError", async () => {
  const { error } = await createClient("http://127.0.0.1:1", served.anonKey).functions.invoke("echo");
  expect(error).toBeInstanceOf(FunctionsFetchError);
});
