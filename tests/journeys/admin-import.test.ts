import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type SignedIn, signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, read } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { keepItems, rowOf } from "./admin-items-page.ts";

const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
});

async function count(where = "true"): Promise<number> {
  const rows = await runOn(site.databaseUrl, `select count(*)::int as count from items where ${where}`);
  return rows[0].count;
}

/** Opens the import and chooses a file of these lines. */
async function choose(page: Page, ...lines: string[]) {
  if ((await page.getByRole("dialog").count()) === 0)
    await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import items" });
  const buffer = Buffer.from(`${lines.join("\n")}\n`);
  await dialog.getByLabel("CSV file").setInputFiles({ name: "items.csv", mimeType: "text/csv", buffer });
  return dialog;
}

async function visitAdmin(options: Parameters<typeof visitAs>[2] = {}): Promise<Page> {
  const page = await visitAs(eve, "/admin", { address: site.address, ...options });
  await rowOf(page, "kitsune").waitFor();
  return page;
}

test("an admin's client writes each field of an item, changes each, and deletes it", async () => {
  const { data: category } = await eve.client
    .from("categories")
    .select("id")
    .eq("slug", "tokens")
    .single()
    .throwOnError();
  const item = {
    name: "Sea Lantern",
    slug: "sea-lantern",
    category_id: category.id,
    rarity: "rare",
    type: "item",
    demand: "very_high",
    current_value: "5B",
    previous_value: "1.5m",
    permanent_value: "2T",
    permanent_previous_value: "1T",
    beli_price: "100",
    robux_price: "10",
    image_url: "/items/kitsune.svg",
    custom_fields: { custom_origin: "Sky" },
  };
  const items = () => eve.client.from("items");
  const added = await items().insert(item).select().single();
  expect([added.status, added.data]).toEqual([201, expect.objectContaining(item)]);
  const other = { ...item, ...Object.fromEntries(CHANGED.map((column) => [column, "7"])), name: "Lantern" };
  const changed = await items().update(other).eq("id", added.data.id).select().single();
  expect(changed.data).toMatchObject(other);
  await items().delete().eq("id", added.data.id).throwOnError();
  expect(await count("slug = 'sea-lantern'")).toBe(0);
});
const CHANGED = ["slug", "current_value", "previous_value", "permanent_value", "beli_price", "robux_price"];

test("status words are imported, reported if unknown, and exported; importing an export changes nothing", async () => {
  const page = await visitAdmin();
  const dialog = await choose(page, "slug,status", "kitsune,Rising", "spin,sideways");
  await dialog.getByText("status must be one of stable, rising").waitFor();
  await dialog
    .getByText("Status: – → rising")
    .or(dialog.getByText(/Status: .*rising/))
    .first()
    .waitFor();
  await dialog.getByLabel("Reason for the changes").fill("Wanted");
  await dialog.getByRole("button", { name: "Import 1 item" }).click();
  await expectNotice(page, "Items imported", "0 new, 1 changed");
  expect(await count("slug = 'kitsune' and status = 'rising'")).toBe(1);
  await page.keyboard.press("Escape");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  const lines = text.split("\r\n");
  expect(lines[0]).toContain(",demand,status,");
  expect(lines.find((line) => line.startsWith("kitsune,"))).toMatch(/,(low|medium|high|very_high),rising,/);
  expect(text.split("\r\n").length).toBe(88);
  await choose(page, text);
  await dialog.getByText("Unchanged 86").waitFor();
  expect(await dialog.getByRole("button", { name: "Import 0 items" }).isDisabled()).toBe(true);
});

describe("among few items", () => {
  beforeAll(() => keepItems(site, ["dough", "kitsune", "spin"]));

  test("the preview shows each line's effect or error and asks about large changes, again when others join them; the import can be undone, and writes nothing if its items were changed meanwhile", async () => {
    const page = await visitAdmin({ expectedProblems: [/409/, /rest\/v1\/items/, /Failed to load/] });
    const dialog = await choose(
      page,
      "slug,name,category,current_value,rarity,color",
      "kitsune,Kitsune,,64M,mythical,red",
      "spin,Spin,common-fruits,7.5K,epic,red",
      "sea-lantern,Sea Lantern,tokens,5M,rare,red",
      "kitsune,Kitsune,tokens,1M,rare,red",
    );
    const lines = dialog.getByRole("region", { name: "Lines of the file" }).locator("li");
    await eventually(() => lines.count()).toBe(4);
    const texts = await lines.allTextContents();
    expect(texts[0]).toContain("Invalid category");
    expect(texts[1]).toContain("Invalid rarity");
    expect(texts[2]).toContain("New");
    expect(texts[3]).toContain("Line 2 is about kitsune already");
    await dialog.getByText("Columns we don’t know: color.").waitFor();
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download them with their reasons" }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("refused-lines.csv");
    expect(
      readFileSync(await file.path(), "utf8")
        .trim()
        .split("\r\n"),
    ).toEqual([
      "slug,name,category,current_value,rarity,line,reason",
      "kitsune,Kitsune,,64M,mythical,2,Invalid category",
      "spin,Spin,common-fruits,7.5K,epic,3,Invalid rarity",
      "kitsune,Kitsune,tokens,1M,rare,5,Line 2 is about kitsune already",
    ]);

    await choose(page, "slug,current_value", "kitsune,64M", "spin,7.5K");
    await dialog.getByText("Current Value: 640M → 64M (-90.00%)").waitFor();
    const start = dialog.getByRole("button", { name: "Import 1 item" });
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel("1 value changes by more than half, and that is right").check();
    await dialog.getByLabel("Reason for the changes").fill("Market crash");
    await expectNoAxeFindings(page, { exclude: [".item-list"] });
    await start.click();
    await expectNotice(page, "Items imported", "0 new, 1 changed");
    expect(await count("slug = 'kitsune' and current_value = '64M'")).toBe(1);
    await eventually(async () => (await read("/fruits/kitsune", site.address)).html.includes("64M")).toBe(
      true,
    );
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await eventually(focused).toBe("Imported: 0 new, 1 changed");
    await dialog.getByRole("button", { name: "Undo this import" }).press("Enter");
    await expectNotice(page, "Import undone");
    // The focused element is gone; focus moves to the file input.
    await eventually(focused).toContain("Choose a file");
    expect(await count("slug = 'kitsune' and current_value = '640M'")).toBe(1);

    // Large changes that were ticked are ticked no more when others join them.
    await choose(page, "slug,current_value", "kitsune,64M", "spin,7.6K");
    const sure = (what: string) => dialog.getByLabel(`${what} by more than half, and that is right`);
    await sure("1 value changes").check();
    await dialog.getByRole("button", { name: "Import 2 items", disabled: false }).waitFor();
    const spin = await eve.client
      .from("items")
      .select("current_value")
      .eq("slug", "spin")
      .single()
      .throwOnError();
    await eve.client.from("items").update({ current_value: "76K" }).eq("slug", "spin").throwOnError();
    await sure("2 values change").waitFor();
    expect(await sure("2 values change").isChecked()).toBe(false);
    expect(await dialog.getByRole("button", { name: "Import 2 items" }).isDisabled()).toBe(true);
    await eve.client.from("items").update(spin.data).eq("slug", "spin").throwOnError();
    await sure("1 value changes").waitFor();

    await choose(page, "slug,beli_price", "kitsune,9000111", "spin,7600111");
    const both = dialog.getByRole("button", { name: "Import 2 items" });
    await both.waitFor();
    const other = await signUpAdmin(site);
    await page.route("**/rest/v1/items?*", (route) => route.abort());
    await page.route("**/rest/v1/rpc/import_items*", async (route) => {
      await other.client.from("items").update({ robux_price: "4001" }).eq("slug", "kitsune").throwOnError();
      await route.continue();
    });
    await both.click();
    await expectNotice(page, "Error", "Changed by someone else in the meantime: Kitsune");
    expect(await count("beli_price in ('9000111', '7600111')")).toBe(0);
  });

  test("an import whose answer is lost can be undone all the same; the one asked about is undone, also after a reload, or none if its items changed since", async () => {
    const page = await visitAdmin({
      expectedProblems: [/import_items/, /Failed to load/, /undo_import/, /status of 409/],
    });
    await page.route("**/rest/v1/rpc/import_items**", async (route) => {
      await route.fetch();
      await route.abort();
    });
    const dialog = await choose(page, "slug,demand", "kitsune,low");
    await dialog.getByRole("button", { name: "Import 1 item" }).click();
    await expectNotice(page, "Items imported", "0 new, 1 changed");
    expect(await count("slug = 'kitsune' and demand = 'low'")).toBe(1);
    // An undo whose answer is lost is not offered again.
    await loseAnswer(page, "**/rest/v1/rpc/undo_import*");
    await dialog.getByRole("button", { name: "Undo this import" }).click();
    await dialog.getByRole("button", { name: "Undo this import" }).waitFor({ state: "detached" });
    expect(await count("slug = 'kitsune' and demand = 'low'")).toBe(0);
    await page.unrouteAll();

    // The last import can be undone after its dialog was closed.
    await choose(page, "slug,beli_price", "kitsune,9000222");
    await dialog.getByRole("button", { name: "Import 1 item" }).click();
    await expectNotice(page, "Items imported", "0 new, 1 changed");
    await page.reload();
    await rowOf(page, "kitsune").waitFor();
    await page.getByRole("button", { name: "Import CSV" }).click();
    const offered = dialog.getByRole("button", { name: "Undo this import" });
    await offered.click();
    await page.getByRole("dialog", { name: "Undo this import?" }).getByText("Undo it").click();
    await expectNotice(page, "Import undone");
    expect(await count("beli_price = '9000222'")).toBe(0);
    await offered.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");

    // Not an older one than was asked about.
    for (const line of ["spin,9000333", "kitsune,9000444"]) {
      await choose(page, "slug,beli_price", line);
      await dialog.getByRole("button", { name: "Import 1 item" }).click();
      await dialog.getByText("Imported: 0 new, 1 changed").waitFor();
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "Import CSV" }).click();
    await page.getByRole("button", { name: "Undo this import" }).click();
    const asked = page.getByRole("dialog", { name: "Undo this import?" });
    const first = page.getByText("Latest import that can be undone");
    const shown = await first.innerHTML();
    await eve.client.from("items").update({ current_value: "641M" }).eq("slug", "kitsune").throwOnError();
    // By now an older import is the latest that can be undone.
    await eventually(() => first.innerHTML()).not.toBe(shown);
    await asked.getByText("Undo it").click();
    await expectNotice(page, "Error", "Changed by someone else in the meantime: Kitsune");
    expect(await count("beli_price in ('9000333', '9000444')")).toBe(2);
    await eve.client.from("items").update({ current_value: "640M" }).eq("slug", "kitsune").throwOnError();
  });
});
