import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { openPage } from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { eventually, visitListening } from "#tests/helpers/visit.ts";
import {
  choose,
  expectAfterReload,
  openCalculator,
  openPicker,
  readText,
  slots,
  textOf,
  value,
} from "./calculator-page.ts";

// Changes here would show in every other journey, so these use their own site.
const dataDir = readyDataDir();
let server: ServerProcess;
let database: Database;

beforeAll(async () => {
  server = await startServer({ env: { DATA_DIR: dataDir } });
  database = connectDatabase({ url: readFileSync(join(dataDir, "database-url"), "utf8").trim(), max: 1 });
});

afterAll(async () => {
  await database?.close();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("an open calculator follows value changes, says which changed, and keeps the trade", async () => {
  const page = await visitListening("/calculator?you=kitsune&them=control", {
    baseUrl: server.address,
    expectedProblems: [/calculator.data/, /ERR_FAILED/],
  });
  const changes = page.getByRole("status").filter({ hasText: /went from/ });
  expect(await value(page, "You")).toBe("640M");
  // Filled after the page was opened, and must survive the change.
  await openPicker(page, "#slot-you-2");
  await choose(page, "Dough");
  await page.waitForURL(/dough/);
  await page.locator("#slot-you-2 .slot-name").waitFor();
  const address = page.url();
  const before = await slots(page);
  const places = () => page.getByRole("button", { name: "Reset Calculator" }).boundingBox();
  const place = await places();

  await change(
    "update public.items set current_value = '700M' where slug in ('kitsune', 'venom')",
    "update public.items set current_value = case slug when 'kitsune' then '640M' else '20M' end where slug in ('kitsune', 'venom')",
  );
  await changes.waitFor();
  expect(await readText(changes)).toBe("Kitsune went from 640M to 700M.");
  await page.locator("#slot-you-1").getByText("700M").waitFor();
  expect(await slots(page)).toEqual(before);
  expect(page.url()).toBe(address);
  expect(await places()).toEqual(place);

  // A failed read removes nothing.
  await page.route("**/calculator.data*", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await change(
    "update public.items set demand = 'low' where slug = 'kitsune'",
    "update public.items set demand = 'very_high' where slug = 'kitsune'",
  );
  await failed;
  expect(await slots(page)).toEqual(before);
  expect(await page.getByText("Failed to fetch items").count()).toBe(0);

  await page
    .locator("#slot-you-2")
    .getByRole("button", { name: /^Remove/ })
    .click();
  await eventually(() => changes.count()).toBe(0);
});

test("a change made before an open page starts listening is shown once it does", async () => {
  const shown = async () => (await fetch(`${server.address}/fruits/kitsune`)).text();
  const page = await visitListening("/calculator?you=kitsune&them=control", {
    baseUrl: server.address,
    async meanwhile() {
      await change(
        "update public.items set current_value = '710M' where slug = 'kitsune'",
        "update public.items set current_value = '640M' where slug = 'kitsune'",
      );
      await expect.poll(shown).toContain("710M");
    },
  });
  await page.locator("#slot-you-1").getByText("710M").waitFor();
});

test("an item is shown by its picture, or by its name if it has none; fields that the page configuration hides disappear from slots and picker", async () => {
  const page = await openCalculator("/calculator?you=,kitsune,tiger", { baseUrl: server.address });
  await page.locator("#slot-you-3 img").waitFor();
  await change(
    "update public.items set image_url = null where slug = 'tiger'",
    "update public.items set image_url = '/items/tiger.svg' where slug = 'tiger'",
  );
  await expectAfterReload(page, async () => (await page.locator("#slot-you-3 img").count()) === 0);
  expect(await textOf(page, "#slot-you-3")).toMatch(/Tiger/);

  // A hidden name is still the item's accessible name (P28).
  const kitsune = page.getByRole("dialog").getByRole("button", { name: /^Kitsune/ });
  const parts = {
    image: "img",
    name: ":is(p, span):not(.sr-only):text-is('Kitsune')",
    current_value: ":text('640M')",
    beli_price: ":text('8M Beli')",
    demand: ":text('Very High'), :text('very high')",
  };
  const shownIn = async (place: Locator) => {
    const counts = await Promise.all(Object.values(parts).map((part) => place.locator(part).count()));
    return Object.keys(parts).filter((_, at) => Number(counts[at]) > 0);
  };
  const slot = page.locator("#slot-you-2");
  for (const hidden of [[], ["image", "current_value", "demand"], ["name", "beli_price"]]) {
    const isShown = (field: string) => !hidden.includes(field);
    const fields = [...Object.keys(parts), "rarity"].filter(isShown);
    await change(
      `insert into public.page_configurations (page_name, visible_fields) values ('calculator', '{${fields}}')
       on conflict (page_name) do update set visible_fields = excluded.visible_fields`,
      "delete from public.page_configurations where page_name = 'calculator'",
    );
    const expected = Object.keys(parts).filter(isShown);
    await expectAfterReload(page, async () => (await shownIn(slot)).join() === expected.join());
    await openPicker(page, "#slot-you-1");
    await kitsune.waitFor();
    await eventually(() => shownIn(kitsune)).toEqual(expected);
  }

  // Nor is a hidden name shown while several items are added.
  await page.getByRole("button", { name: "Add several" }).click();
  const added = page.getByRole("dialog").getByRole("status").filter({ hasText: "Kitsune" });
  await added.waitFor({ state: "attached" });
  expect(await added.getAttribute("class")).toBe("sr-only");
});

test("a catalog that the server cannot read answers 503 with slots and notice, is not cached, and shows its trade once it can be read again", async () => {
  const address = "/calculator?you=kitsune&them=venom";
  const status = async () => (await fetch(server.address + address)).status;
  await change("revoke select on public.items from anon", "grant select on public.items to anon");
  await expect.poll(status).toBe(503);
  const page = await openPage({ baseUrl: server.address });
  await page.goto(address);
  await page.getByText("Failed to fetch items").waitFor();
  expect(await page.getByText("Add Item", { exact: true }).count()).toBe(18);
  expect(page.url()).toBe(server.address + address);
  await database.query("grant select on public.items to anon");
  await expect.poll(status).toBe(200);
});

/** Changes the database until the test ends. */
async function change(sql: string, undo: string) {
  onTestFinished(async () => void (await database.query(undo)));
  await database.query(sql);
}
