import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { type Listening, listen } from "#tests/helpers/listen.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { runSql } from "../journeys/chat-page.ts";

const PASSWORD = "Correct horse 7 battery!";
const EMAIL = "mirabel.stone@example.org";
const ADDRESS = "203.0.113.77";
const CODE = "c0de-that-opens-an-account";

let dataDir: string;
let server: ServerProcess;
let receiver: Listening;
const envelopes: { url: string | undefined; body: string }[] = [];

beforeAll(async () => {
  dataDir = readyDataDir();
  const collecting = createServer(async (request, response) => {
    envelopes.push({ url: request.url, body: await text(request) });
    response.writeHead(200).end("{}");
  });
  receiver = await listen(collecting);
  server = await startServer({
    env: {
      DATA_DIR: dataDir,
      WORKERS: "2",
      CLIENT_ADDRESS_HEADER: "x-real-ip",
      SENTRY_DSN: `http://publickey@127.0.0.1:${receiver.port}/42`,
      SENTRY_ENVIRONMENT: "harbor",
    },
  });
});

afterAll(async () => {
  await server?.stop();
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The events in an envelope's lines. */
const events = () =>
  envelopes.flatMap(({ body }) =>
    body
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message),
  );

test("an error is reported with its location and request, and nothing about the user, the inputs or the host", async () => {
  const database = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  const apikey = await readAnonKey(server.address);
  await runSql("alter table auth.identities rename to identities_away", database);
  const answer = await fetch(`${server.address}/auth/v1/signup?code=${CODE}`, {
    method: "POST",
    headers: {
      apikey,
      "content-type": "application/json",
      "x-real-ip": ADDRESS,
      cookie: `session=${CODE}`,
      "user-agent": `browser of ${EMAIL}`,
    },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  expect(answer.status).toBe(500);
  await expect.poll(() => events().length).toBe(1);
  const [event] = events();
  expect(event).toEqual({
    event_id: expect.stringMatching(/^[\da-f]{32}$/),
    timestamp: expect.any(Number),
    level: "error",
    message: expect.stringMatching(/^auth: .*signup failed: .* 42P01 at .*backend\//),
    tags: { request: answer.headers.get("x-request-id") },
    release: `fruit-values@${JSON.parse(readFileSync("package.json", "utf8")).version}`,
    environment: "harbor",
    platform: "node",
  });
  expect(envelopes[0]?.url).toMatch(/^\/api\/42\/envelope\//);
  const told = envelopes.map(({ body }) => body).join("\n");
  for (const secret of [EMAIL, PASSWORD, ADDRESS, CODE, "eyJ", "cookie", process.cwd(), "server_name"])
    expect(told, secret).not.toContain(secret);
});

test("refused or merely odd requests are no errors and are not reported", async () => {
  const before = envelopes.length;
  await fetch(`${server.address}/no/such/page`);
  await fetch(`${server.address}/rest/v1/items`, { headers: { authorization: "Bearer nothing" } });
  await server.stop();
  expect(envelopes.length).toBe(before);
});

test("no reporting code is loaded if Sentry is not configured", () => {
  const load = (settings: string) =>
    execFileSync(process.execPath, [
      "--input-type=module",
      "--eval",
      `import { registerHooks } from "node:module";
       let loaded = 0;
       registerHooks({ load: (url, context, next) => (/@sentry/.test(url) && loaded++, next(url, context)) });
       const { openLog } = await import("./server/observation/open-log.ts");
       await openLog({ logFormat: "json", ${settings} });
       console.log(loaded);`,
    ]).toString();
  expect(Number(load(""))).toBe(0);
  expect(
    Number(load('errorReports: { dsn: "http://key@127.0.0.1/1", environment: "test" }')),
  ).toBeGreaterThan(0);
});
