import { FunctionsHttpError, FunctionsRelayError, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type ServedFunctions, serveFunctions } from "#tests/helpers/functions/serve-functions.ts";

const MIB = 1024 * 1024;
const RESPONSE_LIMIT = 3 * MIB;

const files = {
  "functions/well/index.ts": `export default { fetch: () => new Response("well") };`,
  "functions/heap/index.ts": `
    export default { fetch() { const kept = []; for (;;) kept.push(new Array(1000).fill(Math.random())); } };`,
  "functions/bytes/index.ts": `
    export default { fetch: async () => {
      const kept = [];
      for (;;) { kept.push(Buffer.alloc(10_000_000, 1)); await new Promise((next) => setTimeout(next, 5)); }
    } };`,
  "functions/later/index.ts": `
    const kept = [];
    export default { fetch: () => {
      setInterval(() => kept.push(Buffer.alloc(10_000_000, 1)), 5);
      return new Response(String(process.pid));
    } };`,
  "functions/loop/index.ts": "export default { fetch() { for (;;); } };",
  "functions/exit/index.ts": "export default { fetch() { process.exit(0); } };",
  "functions/throws/index.ts": `export default { fetch() { throw new Error("a secret of the function"); } };`,
  "functions/handled/index.ts": `
    Deno.serve({ onError: (cause) => Response.json({ why: cause.message }, { status: 409 }) }, () => { throw new Error("so"); });`,
  "functions/wordless/index.ts": "export default { fetch() {} };",
  "functions/never/index.ts": "export default { fetch: () => new Promise(() => {}) };",
  "functions/early/index.ts": `throw new Error("before anything");`,
  "functions/broken/index.ts": "export default {",
  "functions/lost/index.ts": `import "npm:nowhere-to-be-found"; Deno.serve(() => new Response());`,
  "functions/older/index.ts": `import "npm:@supabase/supabase-js@1"; Deno.serve(() => new Response());`,
  "functions/jsr/index.ts": `import "jsr:@std/assert"; Deno.serve(() => new Response());`,
  "functions/remote/index.ts": `import "https://deno.land/std/http/server.ts"; Deno.serve(() => new Response());`,
  "functions/own/index.ts": "export default { fetch: () => new Response(String(process.pid)) };",
  "functions/leaves/index.ts": `
    let finish;
    export default { fetch({ url }) {
      if (url.endsWith("?finish")) finish();
      else EdgeRuntime.waitUntil(new Promise((resolve) => { finish = resolve; }));
      return new Response(String(process.pid));
    } };`,
  "functions/mute/index.ts": "export const nothing = 1;",
  "functions/flood/index.ts": `
    const piece = new Uint8Array(100_000);
    export default { fetch: () => new Response(new ReadableStream({ pull: (to) => to.enqueue(piece) })) };`,
};

let database: TestDatabase;
let served: ServedFunctions;
let client: SupabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await serveFunctions(database, files, {
    limits: { workers: 2, memory: 64 * MIB, cpuTime: 1.5, wallTime: 15, responseBody: RESPONSE_LIMIT },
  });
  client = served.connect();
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

/** Invokes a function with the official client, which must report an HTTP error. */
async function fail(name: string) {
  const { error, response } = await client.functions.invoke(name);
  expect(error).toBeInstanceOf(FunctionsHttpError);
  return {
    status: response?.status,
    code: response?.headers.get("sb-error-code"),
    text: await response?.text(),
  };
}

const body = (code: string, message: string) => JSON.stringify({ code, message });
const LIMIT = {
  status: 546,
  code: "WORKER_LIMIT",
  text: body("WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)"),
};
const EXIT = {
  status: 500,
  code: "WORKER_ERROR",
  text: body("WORKER_ERROR", "Function exited due to an error (please check logs)"),
};
const BOOT = {
  status: 503,
  code: "BOOT_ERROR",
  text: body("BOOT_ERROR", "Worker failed to boot (please check logs)"),
};
const FAILED = { status: 500, code: "EDGE_FUNCTION_ERROR", text: "Internal Server Error" };

describe("a harmful function is killed without affecting others:", () => {
  test.each([
    ["fills its heap", "heap"],
    ["fills the machine's memory past its heap", "bytes"],
    ["loops without end", "loop"],
  ])("one that %s", async (_, name) => {
    const ended = fail(name);
    expect((await client.functions.invoke("well")).data).toBe("well");
    expect(await ended).toEqual(LIMIT);
    expect((await client.functions.invoke("well")).data).toBe("well");
  });

  test("one that allocates memory after its response", async () => {
    const { data: pid } = await client.functions.invoke("later");
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
    expect(served.lines.join()).toContain("later was ended: it exceeded its limit of memory");
  });

  test("one that exits its own process", async () => {
    expect(await fail("exit")).toEqual(EXIT);
    expect((await client.functions.invoke("well")).data).toBe("well");
  });

  test("one whose response never ends is cut off, and its worker killed", async () => {
    const response = await fetch(`${served.url}/functions/v1/flood`, {
      headers: { authorization: `Bearer ${served.anonKey}` },
    });
    let size = 0;
    const read = async () => {
      for await (const chunk of response.body ?? []) size += chunk.length;
    };
    await expect(read()).rejects.toThrow();
    expect(size).toBeLessThanOrEqual(RESPONSE_LIMIT);
    expect((await client.functions.invoke("well")).data).toBe("well");
  });
});

describe("a function that fails", () => {
  test("with an exception answers 500, with the message in the log but not in the response", async () => {
    expect(await fail("throws")).toEqual(FAILED);
    expect(served.lines.join()).toContain("a secret of the function");
    expect(await fail("wordless")).toEqual(FAILED);
  });

  test("with an exception is handled by its own onError, if it has one", async () => {
    expect(await fail("handled")).toMatchObject({ status: 409, text: '{"why":"so"}' });
  });

  test("outside its handler answers 500", async () => {
    expect(await fail("early")).toEqual(EXIT);
  });

  test.each([
    ["broken", "SyntaxError"],
    ["lost", "npm:nowhere-to-be-found is not installed: run `npm install nowhere-to-be-found`."],
    ["older", "npm:@supabase/supabase-js@1 is not what is installed, which is 2."],
    ["jsr", "jsr:@std/assert is not downloaded: install the package with npm, and import it as npm:NAME."],
    ["remote", "https://deno.land/std/http/server.ts is not downloaded"],
    ["mute", "index.ts neither exports a default with `fetch` nor calls Deno.serve."],
  ])("at startup answers 503 and logs the reason: %s", async (name, why) => {
    expect(await fail(name)).toEqual(BOOT);
    expect(served.lines.join()).toContain(why);
  });
});

test("a function that never answers is ended on timeout; a request that waits for it too long gets a relay error", async () => {
  const busy = await serveFunctions(database, files, {
    limits: { workers: 1, longestWait: 0.05, wallTime: 1 },
  });
  const waiting = busy.connect().functions.invoke("never");
  await expect
    .poll(async () => (await busy.connect().functions.invoke("well")).error)
    .toBeInstanceOf(FunctionsRelayError);
  const { response } = await waiting;
  expect([response?.status, response?.headers.get("sb-error-code")]).toEqual([504, "IDLE_TIMEOUT"]);
  await busy.close();
});

test("a changed function, setting or variable applies to the next request if files are watched", async () => {
  const watched = await serveFunctions(
    database,
    {
      "config.toml": "",
      "functions/it/index.ts": "Deno.serve(() => new Response(Deno.env.get('WORD') ?? 'one'));",
    },
    { reloads: true },
  );
  const ask = async () => (await watched.connect().functions.invoke("it")).data;
  expect(await ask()).toBe("one");
  await watched.write("functions/.env", "WORD=two");
  await expect.poll(ask).toBe("two");
  await watched.write("functions/it/index.ts", "Deno.serve(() => new Response('three'));");
  await expect.poll(ask).toBe("three");
  await watched.write("config.toml", "[functions.it]\nenabled = false");
  await expect.poll(ask).toBeNull();
  await watched.close();
});

test.each([
  // Long enough to learn of the work, which a busy process tells later than it answers.
  ["not for lack of requests", { idleTime: 0.5 }],
  ["nor for another function, if an idle one can go", { idleTime: 30 }],
])("work that waitUntil lets go on after the response is not ended, %s", async (_, limits) => {
  const own = await serveFunctions(database, files, { limits: { workers: 2, ...limits } });
  const ask = async (name: string) => Number((await own.connect().functions.invoke(name)).data);
  const busy = await ask("leaves");
  const idle = await ask("own");
  await ask("well");
  await expect.poll(() => isRunning(idle)).toBe(false);
  expect(await ask("leaves?finish")).toBe(busy);
  await own.close();
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a long body that a function leaves unread does not block the next request", async () => {
  const read = async (body: string) => {
    const { data, error } = await client.functions.invoke("well", { body });
    return error ?? data;
  };
  for (let turn = 0; turn < 3; turn++) {
    expect(await read("x".repeat(300_000))).toBe("well");
    expect(await read("short")).toBe("well");
  }
});
