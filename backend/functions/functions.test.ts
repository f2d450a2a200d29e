import {
  createClient,
  FunctionsFetchError,
  FunctionsHttpError,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type ServedFunctions, serveFunctions } from "#tests/helpers/functions/serve-functions.ts";

const REQUEST_LIMIT = 200_000;

const files = {
  "config.toml": `
    [functions.open]
    verify_jwt = false
    [functions.off]
    enabled = false`,
  "functions/.env": "GREETING=hello\nSUPABASE_URL=https://evil.example",
  "functions/_shared/greet.ts": `export const greet = (name: string): string => "Hello " + name;`,
  "functions/standard/index.ts": `
    import { greet } from "../_shared/greet.ts";
    export default { fetch: async (request: Request) => Response.json({ said: greet((await request.json()).name) }) };`,
  "functions/original/index.ts": `
    import "jsr:@supabase/functions-js/edge-runtime.d.ts";
    import { createClient } from "npm:@supabase/supabase-js@2";
    Deno.serve(async (request) => {
      const asCaller = createClient(Deno.env.get("SUPABASE_URL")!, Deno.env.get("SUPABASE_ANON_KEY")!, {
        global: { headers: { Authorization: request.headers.get("Authorization")! } },
      });
      const { data } = await asCaller.auth.getUser();
      return Response.json({ url: request.url, email: data.user?.email ?? null });
    });`,
  "functions/echo/index.ts": `
    export default {
      async fetch(request) {
        const type = request.headers.get("content-type") ?? "";
        const form = type.startsWith("multipart/") ? Object.fromEntries(await request.formData()) : null;
        return Response.json({
          method: request.method,
          path: new URL(request.url).pathname + new URL(request.url).search,
          type: type.split(";")[0],
          text: form ? null : await request.text(),
          form: form && { name: form.name, file: await form.file.text() },
          headers: Object.fromEntries(request.headers),
        });
      },
    };`,
  "functions/kinds/index.ts": `
    export default {
      fetch(request) {
        const kind = new URL(request.url).searchParams.get("kind");
        if (kind === "text") return new Response("plain words");
        if (kind === "html") return new Response("<script>1</script>", { headers: { "content-type": "text/html" } });
        if (kind === "blob") return new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "application/octet-stream" } });
        if (kind === "form") { const form = new FormData(); form.set("a", "b"); return new Response(form); }
        if (kind === "none") return new Response(null, { status: 204 });
        if (kind === "teapot") return Response.json({ why: "a teapot" }, { status: 418 });
        const pieces = ["data: 1\\n\\n", "data: 2\\n\\n"];
        const body = new ReadableStream({
          async pull(controller) {
            const piece = pieces.shift();
            piece ? controller.enqueue(new TextEncoder().encode(piece)) : controller.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    };`,
  "functions/open/index.ts": `
    Deno.serve({ onListen() {} }, (request) => new Response("open", {
      headers: { "access-control-allow-origin": "https://mine.example", "x-method": request.method },
    }));`,
  "functions/off/index.ts": "Deno.serve(() => new Response());",
  "functions/surroundings/index.ts": `
    import { readFileSync } from "node:fs";
    import { spawn } from "node:child_process";
    import { Worker } from "node:worker_threads";
    const outcome = (work) => { try { return String(work()); } catch (cause) { return cause.code ?? cause.message; } };
    Deno.serve(() => Response.json({
      environment: Deno.env.toObject(),
      passwd: outcome(() => readFileSync("/etc/passwd", "utf8")),
      parent: outcome(() => readFileSync("/proc/" + process.ppid + "/environ", "utf8")),
      config: outcome(() => readFileSync("../config.toml", "utf8")),
      process: outcome(() => spawn("true")),
      thread: outcome(() => new Worker("", { eval: true })),
      signal: outcome(() => process.kill(process.ppid, 0)),
    }));`,
};

let database: TestDatabase;
let served: ServedFunctions;
let client: SupabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await serveFunctions(database, files, { limits: { requestBody: REQUEST_LIMIT, workers: 3 } });
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
  test("in the standard form answers, with what several share", async () => {
    const { data, error } = await client.functions.invoke("standard", { body: { name: "Mara" } });
    expect([data, error]).toEqual([{ said: "Hello Mara" }, null]);
  });

  test("in the original's form uses an npm: import and acts as its caller", async () => {
    const { own } = await signUp("caller@example.org");
    const { data, error } = await own.functions.invoke("original", { body: {} });
    expect(error).toBeNull();
    expect(data).toEqual({ url: `${served.url}/original`, email: "caller@example.org" });
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

  test("hears the caller's token and key, and an address that the caller did not choose", async () => {
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

  test("gives every kind of answer that the client reads; a page comes as text", async () => {
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

  test("gives the client its own refusals as FunctionsHttpError", async () => {
    const { error, response } = await client.functions.invoke("kinds?kind=teapot", { method: "GET" });
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(response?.status).toBe(418);
    expect(await error.context.json()).toEqual({ why: "a teapot" });
  });

  test("is called from any region, which means nothing here", async () => {
    const { data } = await client.functions.invoke("standard", {
      body: { name: "A" },
      region: "us-east-1" as never,
    });
    expect(data).toEqual({ said: "Hello A" });
  });

  test("reaches nothing of the process that serves it", async () => {
    const { data } = await client.functions.invoke("surroundings");
    expect(data.environment).toEqual({
      GREETING: "hello",
      SUPABASE_URL: served.url,
      SUPABASE_ANON_KEY: served.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: expect.stringMatching(/^eyJ/),
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

describe("before a function hears of a request", () => {
  const refusal = async (answer: Response) => [
    answer.status,
    answer.headers.get("sb-error-code"),
    await answer.json(),
  ];

  test.each([
    ["nobody", "nothing"],
    ["off", "one that is switched off"],
    ["_shared", "what several share"],
    ["", "none at all"],
    ["..%2F..%2Fetc", "a way out, encoded"],
    ["..%5c..", "another"],
    ["standard%00", "a zero byte"],
    ["constructor", "a name of JavaScript's own"],
    ["__proto__", "another one"],
  ])("%s is not found: %s", async (name) => {
    expect(await refusal(await ask(name))).toEqual([
      404,
      "NOT_FOUND",
      { code: "NOT_FOUND", message: "Requested function was not found" },
    ]);
  });

  test("a token is asked for, and must hold", async () => {
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

  test("where the configuration says so, no token is needed", async () => {
    expect(await (await fetch(`${served.url}/functions/v1/open`)).text()).toBe("open");
  });

  test("a body beyond the limit is refused, whether its length is told or not", async () => {
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

  test("are the function's own to answer, preflights without a token too", async () => {
    const asked = await send("open", { method: "OPTIONS", headers: preflight });
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://mine.example");
    expect(asked.headers.get("x-method")).toBe("OPTIONS");
    const checked = await send("kinds?kind=text", { method: "OPTIONS", headers: preflight });
    expect([checked.status, checked.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  test("can read why they were refused", async () => {
    const refused = await send("echo", { method: "POST", headers: { origin } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  });
});

test("a service that is not there is a FunctionsFetchError", async () => {
  const { error } = await createClient("http://127.0.0.1:1", served.anonKey).functions.invoke("echo");
  expect(error).toBeInstanceOf(FunctionsFetchError);
});
