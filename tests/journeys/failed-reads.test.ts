import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { alive, eventually, read, visit } from "#tests/helpers/visit.ts";

// A site of its own: failures here would affect every other journey.
const dataDir = readyDataDir();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ env: { DATA_DIR: dataDir } });
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();

/**
 * Revokes visitors' read access to tables; with an edit, since a privilege change alone invalidates no page. None follows
 * when they may read again, as after a failure that passes.
 */
async function refuseReading(tables: string): Promise<void> {
  const edit = "update items set updated_at = now() where slug = 'spin'";
  await changeSite(
    `revoke select on ${tables} from anon; ${edit}`,
    `grant select on ${tables} to anon`,
    databaseUrl(),
  );
}

const untilStatus = (path: string, status: number) =>
  eventually(async () => (await read(path, server.address)).status).toBe(status);

/** Expects each path to say with status 503, uncached, that it cannot be loaded, and nothing untrue. */
async function expectUnavailable(paths: [path: string, told: RegExp, untrue: string][]): Promise<void> {
  const page = await openPage({ baseUrl: server.address, expectedProblems: [/503/] });
  for (const [path, told, untrue] of paths) {
    await untilStatus(path, 503);
    const { html, headers } = await read(path, server.address);
    expect(html).toMatch(told);
    expect(html).not.toContain(untrue);
    expect(headers.get("cache-control")).toContain("no-store");
    await page.goto(path);
    await alive(page);
    expect(await page.locator(".toast").count()).toBe(0);
    await page.getByRole("link", { name: "Try again" }).waitFor();
  }
}

test("pages whose items cannot be read say so with status 503, are not cached, never say that there are none, and recover as soon as they can be read", async () => {
  await refuseReading("items");
  await expectUnavailable([
    ["/values", /Values can&#x27;t be loaded right now/, "No items found"],
    ["/fruits/kitsune", /Values can&#x27;t be loaded right now/, "Fruit Not Found"],
  ]);
  await runOn(databaseUrl(), "grant select on items to anon");
  await untilStatus("/values", 200);
  expect((await read("/values", server.address)).html).toContain("Kitsune");
});

test.each([
  ["/fruits/formerly-spin", 301, 503],
  ["/share/fruits/formerly-spin.png", 302, 503],
])("the former address %s, which may be an item's, is not called unknown", async (path, found, unread) => {
  const former = "('formerly-spin', (select id from items where slug = 'spin'))";
  await changeSite(
    `insert into former_slugs (slug, item_id) values ${former}`,
    "delete from former_slugs",
    databaseUrl(),
  );
  const status = async () => (await fetch(server.address + path, { redirect: "manual" })).status;
  expect(await status()).toBe(found);
  await refuseReading("former_slugs");
  expect(await status()).toBe(unread);
});

test("without ads, configuration and field definitions the list shows everything, with placeholders", async () => {
  await refuseReading("ads, page_configurations, field_definitions, categories");
  await untilStatus("/values", 200);
  const page = await visit("/values", { baseUrl: server.address });
  expect(await page.locator("main li h2").count()).toBe(86);
  expect(await page.locator("[data-placement]").first().textContent()).toContain("Your ad space here");
});

test("without the categories the list shows every category's items, whatever the address asks for", async () => {
  const path = "/values?category=limiteds";
  const { html } = await read(path, server.address);
  expect(html.includes("86 items")).toBe(false);
  await refuseReading("categories");
  await eventually(async () => (await read(path, server.address)).html.includes("86 items")).toBe(true);
  const page = await visit(path, { baseUrl: server.address });
  expect(await page.getByRole("status").first().textContent()).toBe("86 items");
  expect(await page.locator("main li h2").count()).toBe(86);
});

test("a page that was rendered without some of its data is complete as soon as that can be read", async () => {
  const hasTabs = async () => (await read("/values", server.address)).html.includes("category=limiteds");
  await eventually(hasTabs).toBe(true);
  await refuseReading("categories");
  await eventually(hasTabs).toBe(false);
  await runOn(databaseUrl(), "grant select on categories to anon");
  await eventually(hasTabs).toBe(true);
});

test("an item without category, history and ads still shows its values", async () => {
  await refuseReading(
    "ads, page_configurations, field_definitions, item_value_changes, item_value_checks, categories",
  );
  const path = "/fruits/kitsune";
  const told = async (text: string) => (await read(path, server.address)).html.includes(text);
  await eventually(() => told("The value history can’t be loaded right now.")).toBe(true);
  expect(await told("has been recorded yet")).toBe(false);
  const page = await visit(path, { baseUrl: server.address });
  expect(await page.locator("main").textContent()).toContain("640M");
  expect(await page.locator(".toast").count()).toBe(0);
});

test("traders that cannot be loaded are told of with status 503, and the pages recover when they can", async () => {
  await refuseReading("profiles");
  await expectUnavailable([
    ["/community", /Traders can&#x27;t be loaded right now/, "No traders yet"],
    ["/community/SwiftOtter100", /This trader can&#x27;t be loaded right now/, "Trader Not Found"],
  ]);
  await runOn(databaseUrl(), "grant select on profiles to anon");
  await untilStatus("/community", 200);
  expect((await read("/community", server.address)).html).toContain("No traders yet");
});
