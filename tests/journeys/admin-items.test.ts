import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { describedBy, expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { setClock } from "#tests/helpers/set-clock.ts";
import { type SignedIn, signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { bomb } from "#tests/helpers/storage/pictures.ts";
import { eventually, read } from "#tests/helpers/visit.ts";
import { expectNotice, noticeVariant } from "./account-page.ts";
import {
  AWAY,
  addForm,
  drawPicture,
  edit,
  editForm,
  holdWrites,
  keepItems,
  rowOf,
  stopLists,
} from "./admin-items-page.ts";
import { cellOf, textOf } from "./value-grid-page.ts";

const DAY = 24 * 60 * 60_000;

const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
});

async function visitAdmin(options: Parameters<typeof visitAs>[2] = {}): Promise<Page> {
  const page = await visitAs(eve, "/admin", { address: site.address, ...options });
  await rowOf(page, "kitsune").waitFor();
  return page;
}

const sql = (statement: string, values: unknown[] = []) => runOn(site.databaseUrl, statement, values);

const html = async (path: string) => (await read(path, site.address)).html;

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** The forms' buttons that choose a picture and show it. */
const imageOf = (form: Locator) => form.getByLabel("Image");
const preview = (form: Locator) => form.getByAltText("Preview of the chosen image");
const photoOf = async (page: Page) => ({
  name: "photo.png",
  mimeType: "image/png",
  buffer: await drawPicture(page),
});

describe("among all items of the starting catalog", () => {
  /** Expects rows outside the viewport to take the space that they will need. */
  async function expectSteadyHeights(page: Page): Promise<void> {
    for (const width of [360, 390, 600, 768, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      const heights = await page.evaluate(() => {
        const rows = [...document.querySelectorAll<HTMLElement>(".item-list > li")];
        const stated = rows.map((row) =>
          Number.parseFloat(getComputedStyle(row).containIntrinsicHeight.slice(5)),
        );
        for (const row of rows) row.style.contentVisibility = "visible";
        const actual = rows.map((row) => row.firstElementChild?.getBoundingClientRect().height ?? 0);
        for (const row of rows) row.style.contentVisibility = "";
        const sum = (parts: number[]) => parts.reduce((all, one) => all + one, 0);
        return { stated: sum(stated), actual: sum(actual) };
      });
      expect(heights.stated / heights.actual, `at ${width} px`).toBeCloseTo(1, 1);
    }
  }

  test("the list is sorted by name or oldest check, filtered by search and category, and checked with one press, each item once, at the time of the site; rows keep their height", async () => {
    const page = await visitAs(eve, "/about", { address: site.address });
    await setClock(page, 3 * DAY);
    await page.goto("/admin");
    await rowOf(page, "kitsune").waitFor();
    const names = () => page.locator(".item-row-name strong").allTextContents();
    const all = await names();
    expect(all.length).toBe(86);
    expect(all).toEqual(all.toSorted(new Intl.Collator("en").compare));
    const reads = async (table: string) => {
      const asked = await page.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name }) => name),
      );
      return asked.filter((name) => name.includes(`/rest/v1/${table}?`)).map(decodeURIComponent);
    };
    expect((await reads("items"))[0]).toContain("order=name.asc");
    // Read again once live changes are subscribed.
    await eventually(async () => [...new Set(await reads("page_configurations"))]).toEqual([
      expect.not.stringMatching(/page_name=|id=/),
    ]);
    await page.getByLabel("Search items").fill("KITS");
    await eventually(names).toEqual(["Crimson Kitsune", "Galaxy Empyrean Kitsune", "Kitsune"]);
    await page.getByLabel("Search items").fill("");
    const category = page.locator(".item-controls").getByLabel("Category");
    const gamepasses = await category.locator("option", { hasText: "Gamepasses" }).getAttribute("value");
    await category.selectOption(gamepasses);
    await eventually(async () => (await names()).length).toBe(9);
    await category.selectOption("");
    // The second press is a repetition, as of a key that is held.
    await page.getByRole("button", { name: "Spring is still right" }).focus();
    await page.keyboard.down("Enter");
    await rowOf(page, "spring").getByText("Checked today").waitFor();
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.getByLabel("Order").selectOption({ label: "Checked longest ago" });
    await eventually(async () => (await names()).length).toBe(86);
    const check = (name: string) =>
      page.locator(`button[aria-label="${name} is still right"]`).press("Enter");
    const [oldest = ""] = await names();
    await check(oldest);
    await expectNotice(page, `${oldest} is still right`);
    await eventually(async () => (await names()).at(-1)).toBe(oldest);
    expect(
      (await sql("select checked_by from item_value_checks order by id desc limit 1"))[0].checked_by,
    ).toBe(eve.id);

    // Items that are checked while another check runs are checked, too, each once.
    const { arrived, release } = await holdWrites(page, "**/rest/v1/rpc/publish_values");
    await check("Bomb");
    await arrived;
    for (const name of ["Bomb", "Light", "2x Money", "Light"]) await check(name);
    release();
    await rowOf(page, "2x-money").getByText("Checked today").waitFor();
    const checks = () =>
      sql(
        `select slug, count(*)::int from item_value_checks join items on items.id = item_id
         where slug in ('2x-money', 'bomb', 'light', 'spring') group by slug order by slug`,
      );
    await eventually(checks).toEqual(
      ["2x-money", "bomb", "light", "spring"].map((slug) => ({ slug, count: 1 })),
    );

    await expectSteadyHeights(page);
    await page.setViewportSize({ width: 390, height: 600 });
    const form = await edit(page, "Control");
    const label = await form.getByText("Name", { exact: true }).boundingBox();
    const search = await page.getByLabel("Search items").boundingBox();
    expect(label?.y, "the first label, below the search").toBeGreaterThan(
      (search?.y ?? 0) + (search?.height ?? 0),
    );

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/admin?tab=grid");
    await eventually(() => textOf(cellOf(page, "2x Money", "Checked"))).toBe("today");
  });

  test("on a phone rows keep their height, everything to press is 44 px high, nothing is wider than the screen, and the archive expands, says if it cannot be read and can be retried", async () => {
    await sql("insert into items (slug, name) values ('gone', $1)", ["W".repeat(100)]);
    await sql("delete from items where slug = 'gone'");
    const page = await visitAdmin({
      width: 360,
      height: 740,
      hasTouch: true,
      colorScheme: "dark",
      expectedProblems: [/answer 500: GET .*archived_items/],
    });
    const archived = page.getByRole("list", { name: "Archived items" });
    expect(await archived.isVisible()).toBe(false);
    for (const name of ["Archive", "Page Field Visibility", "Add New Item"])
      await page.getByRole("heading", { name }).click();
    await archived.waitFor();
    await expectNoAxeFindings(page, { include: '.panel-fold:has([aria-label="Archived items"])' });
    await edit(page, "Kitsune");
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await expectNoSidewaysScroll(page);
    }
    const low = (panel: Element) =>
      [...panel.querySelectorAll("button, select, summary, label:has(> input), .control, td:has(> input)")]
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().height < 44)
        .map((part) => part.outerHTML.slice(0, 120));
    expect(await page.locator(".admin-items").evaluate(low)).toEqual([]);
    await page.keyboard.press("Escape");
    await editForm(page, "Kitsune").waitFor({ state: "detached" });
    await expectSteadyHeights(page);

    await page.route("**/rest/v1/archived_items*", (route) =>
      route.fulfill({ status: 500, json: { message: "no" } }),
    );
    await page.reload();
    await page.getByText("The archive can't be loaded right now").waitFor();
    await page.unroute("**/rest/v1/archived_items*");
    // The page tries again by itself, too, when its change feed opens.
    await Promise.race([archived.waitFor(), page.getByRole("button", { name: "Try again" }).click()]);
    await archived.waitFor();

    await page.goto("/admin?tab=grid");
    expect(await page.locator(".grid-filters").evaluate(low)).toEqual([]);
  });
});

describe("an item", () => {
  beforeAll(() => keepItems(site, "kitsune dough shadow gas smoke spike spin spring flame venom".split(" ")));

  test("that is added begins with defaults, has each error at its field without a request, survives a reload, and leaves no picture if its slug is taken", async () => {
    const page = await visitAdmin({ expectedProblems: [/409/] });
    const form = addForm(page);
    const value = (label: string) => form.getByLabel(label, { exact: true }).inputValue();
    expect(await Promise.all(["Rarity", "Type", "Demand"].map(value))).toEqual(["common", "fruit", "medium"]);
    const VALUES = ["Current", "Previous", "Permanent", "Permanent Previous"].map((word) => `${word} Value`);
    expect(await Promise.all([...VALUES, "Beli Price", "Robux Price"].map(value))).toEqual(
      Array(6).fill("0"),
    );
    let writes = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().includes("items")) writes += 1;
    });

    await form.getByLabel("Name", { exact: true }).fill("Kitsune");
    await form.getByRole("button", { name: "Add Item" }).click();
    await expectNotice(page, "Validation Error", "Invalid category");
    expect(await noticeVariant(page)).toBe("destructive");
    await form.getByLabel("Category").selectOption({ index: 2 });
    for (const [field, text, sentence, good] of [
      ["Name", " ", "Name is required", "Kitsune"],
      ["Slug", "é", "Slug must only contain lowercase letters, numbers, and hyphens", ""],
      ["Previous Value", "1".repeat(21), "Value is too long", "0"],
    ] as const) {
      const control = form.getByLabel(field, { exact: true });
      await control.fill(text);
      await control.press("Enter");
      await expectNotice(page, "Validation Error", sentence);
      await eventually(() => control.getAttribute("aria-invalid")).toBe("true");
      expect(await describedBy(control)).toBe(sentence);
      expect(await isFocused(control)).toBe(true);
      await control.fill(good);
    }
    expect(writes, "requests for input that is refused here").toBe(0);

    await page.reload();
    await eventually(() => value("Name")).toBe("Kitsune");
    await imageOf(form).setInputFiles(await photoOf(page));
    await preview(form).waitFor();
    await form.getByRole("button", { name: "Add Item" }).click();
    await expectNotice(page, "Error", "Another item already has the slug kitsune");
    expect(await form.getByLabel("Slug").getAttribute("aria-invalid")).toBe("true");
    expect(await describedBy(form.getByLabel("Slug"))).toBe("Another item already has the slug kitsune");
    expect(await isFocused(form.getByLabel("Slug"))).toBe(true);
    await eventually(() => sql("select name from storage.objects where bucket_id = 'item-images'")).toEqual(
      [],
    );
  });

  test("gets no picture that is too large or none, gets the one chosen last, and is not saved if its upload fails", async () => {
    const page = await visitAdmin({ expectedProblems: [/storage/, /Failed to load/] });
    const form = addForm(page);
    const chosen = form.getByRole("button", { name: "Don't use this file" });
    let uploads = 0;
    page.on("request", (request) => {
      if (request.url().includes("/storage/v1/")) uploads += 1;
    });
    const folder = mkdtempSync(join(tmpdir(), "fruit-values-photo-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [size, title, text] of [
      [6 * 1024 * 1024, "File Too Large", "Image must be less than 5MB"],
      [10, "Invalid File Type", "Only JPG, PNG, WEBP, and GIF images are allowed"],
    ] as const) {
      // From a file: sending six megabytes over the test protocol takes seconds.
      const file = join(folder, "photo.png");
      writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg"/>`.padEnd(size));
      await imageOf(form).setInputFiles(file);
      await expectNotice(page, title, text);
      expect(await form.locator("img:not(.drawing)").count()).toBe(0);
    }
    const photo = await photoOf(page);
    const unreadable = "This picture can't be read: the file is damaged, or too large to draw";
    for (const buffer of [photo.buffer.subarray(0, 60), bomb(30_000, 30_000)]) {
      await imageOf(form).setInputFiles({ ...photo, buffer });
      await expectNotice(page, "Invalid File Type", unreadable);
      await page.getByRole("button", { name: "Dismiss" }).click();
      expect(await chosen.count()).toBe(0);
    }

    await page.evaluate(() => {
      const make = createImageBitmap;
      // The test controls when the next picture is decoded; those after it are decoded at once.
      let held: Promise<void> | undefined;
      const holdNext = () => {
        held = new Promise<void>((resolve) => Object.assign(window, { decode: resolve }));
      };
      holdNext();
      Object.assign(window, { holdNext });
      window.createImageBitmap = async (...source: [ImageBitmapSource]) => {
        const waits = held;
        held = undefined;
        await waits;
        const made = await make(...source);
        if (waits) setTimeout(() => document.body.setAttribute("data-decoded", ""), 0);
        return made;
      };
    });
    const shown = () => form.locator("img").getAttribute("src");
    await imageOf(form).setInputFiles({ ...photo, name: "first.png" });
    await imageOf(form).setInputFiles({ ...photo, name: "second.png" });
    await chosen.waitFor();
    const second = await shown();
    await page.evaluate(() => (window as unknown as { decode(): void }).decode());
    await page.locator("body[data-decoded]").waitFor();
    await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(resolve)).then(() => true));
    expect(await shown()).toBe(second);
    expect(uploads, "uploads before the form is sent").toBe(0);

    await form.getByLabel("Name", { exact: true }).fill("Sinking Lantern");
    await form.getByLabel("Category").selectOption({ index: 2 });
    await page.route("**/storage/v1/object/**", (route) => route.abort());
    // Sent while its picture is still being read.
    await form.getByRole("button", { name: "Don't use this file" }).click();
    await page.evaluate(() => (window as unknown as { holdNext(): void }).holdNext());
    await imageOf(form).setInputFiles(photo);
    await form.getByRole("button", { name: "Add Item" }).click();
    await page.evaluate(() => (window as unknown as { decode(): void }).decode());
    await expectNotice(page, "Upload Failed", "Failed to upload image");
    expect(await sql("select from items where slug = 'sinking-lantern'")).toEqual([]);
    await eventually(() => form.getByLabel("Name", { exact: true }).inputValue()).toBe("Sinking Lantern");
  });

  test("with an image and a custom field is added, seen, edited, given another image, deleted and restored", async () => {
    await sql(
      `insert into field_definitions (name, label, type, options) values
        ('custom_origin', 'Origin', 'select', '{Sea,Sky}'), ('custom_uses', 'Uses', 'number', '{}'),
        ('custom_boxed', 'Boxed', 'checkbox', '{}')`,
    );
    // The list may still request the picture that was just replaced.
    const replaced = /answer 400: GET .*\/item-images\//;
    const page = await visitAdmin({ expectedProblems: [/answer 409: POST .*restore_item/, replaced] });
    const form = addForm(page);
    await form.getByLabel("Name", { exact: true }).fill("My Test Fruit");
    await form.getByLabel("Category").selectOption({ index: 2 });
    await form.getByLabel("Current Value", { exact: true }).fill("5B");
    await form.getByLabel("Origin").selectOption("Sky");
    await form.getByLabel("Uses").fill("3");
    await form.getByLabel("Boxed").check();
    const picture = await drawPicture(page);
    await form
      .getByLabel("Image")
      .setInputFiles({ name: "photo.PNG", mimeType: "image/png", buffer: picture });
    await form.getByAltText("Preview of the chosen image").waitFor();
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/storage/v1/object/**", async (route) => {
      await seen;
      await route.continue();
    });
    await form.getByRole("button", { name: "Add Item" }).click();
    await form.getByRole("button", { name: "Uploading...", disabled: true }).waitFor();
    goOn();
    await expectNotice(page, "Item created");

    const stored = async () => (await sql("select * from items where name = 'My Test Fruit'"))[0];
    const first = await stored();
    expect(first).toMatchObject({
      slug: "my-test-fruit",
      current_value: "5B",
      rarity: "common",
      custom_fields: { custom_origin: "Sky", custom_uses: 3, custom_boxed: true },
    });
    expect(first.image_url).toMatch(/\/storage\/v1\/object\/public\/item-images\/[0-9a-f-]{36}-\d{13}\.png$/);
    expect((await fetch(first.image_url)).status).toBe(200);
    // Reset to the defaults, image included.
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("");
    expect(await form.locator("img:not(.drawing)").count()).toBe(0);

    await eventually(() => html("/values")).toContain("My Test Fruit");
    const detail = await html("/fruits/my-test-fruit");
    expect(detail).toContain("Sky");
    expect(detail).toContain("Yes");

    const form2 = await edit(page, "My Test Fruit");
    await eventually(() => form2.getByLabel("Current Value", { exact: true }).inputValue()).toBe("5B");
    await form2.getByLabel("Name", { exact: true }).fill("");
    await form2.getByRole("button", { name: "Save" }).click();
    await expectNotice(page, "Validation Error", "Name is required");
    await form2.getByLabel("Name", { exact: true }).fill("My Test Fruit");
    await form2.getByLabel("Current Value", { exact: true }).fill("6B");
    await form2.getByText("Will be 5B, the value until now").waitFor();
    await form2.getByLabel("Reason for the change").fill("Traded at six");
    await form2
      .getByLabel("Image")
      .setInputFiles({ name: "new.png", mimeType: "image/png", buffer: picture });
    await form2.getByAltText("Preview of the chosen image").waitFor();
    await form2.getByRole("button", { name: "Save" }).click();
    await expectNotice(page, "Item updated");
    const second = await stored();
    expect(second).toMatchObject({ current_value: "6B", previous_value: "5B" });
    expect(second.image_url).not.toBe(first.image_url);
    expect((await fetch(first.image_url)).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(second.image_url)).status).toBe(200);
    await eventually(() => html("/fruits/my-test-fruit")).toContain("6B");

    const edited = page.getByRole("button", { name: "Edit My Test Fruit" });
    expect(await edited.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Ledger of My Test Fruit" }).click();
    const ledger = page.getByRole("dialog", { name: "Ledger of My Test Fruit" });
    await ledger.getByText("Traded at six").waitFor();
    expect(await ledger.textContent()).toContain(eve.username);
    await ledger.getByRole("button", { name: "Undo: back to 5B" }).click();
    await expectNotice(page, "Item updated", "My Test Fruit is back to 5B.");
    await ledger.getByText("Undo of 5B → 6B (+20.00%)").waitFor();
    expect(await stored()).toMatchObject({
      current_value: first.current_value,
      previous_value: first.previous_value,
    });
    // Its button is gone; focus moves to its row.
    const focused = () => page.evaluate(() => document.activeElement?.closest("tr")?.textContent ?? "no row");
    await eventually(focused).toContain("Traded at six");
    expect(
      (await sql("select from item_value_changes where item_id = $1 and mode = 'regular'", [first.id]))
        .length,
    ).toBe(3);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Delete My Test Fruit" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await expectNotice(page, "Item deleted");
    await eventually(async () => (await read("/fruits/my-test-fruit", site.address)).status).toBe(404);
    expect(await html("/values")).not.toContain("My Test Fruit");

    const archive = page.getByRole("group").filter({ hasText: "Archive" });
    const entry = page.getByRole("list", { name: "Archived items" }).getByRole("listitem");
    expect(await entry.textContent()).toContain("my-test-fruit · 4 value changes · deleted");
    expect(await entry.textContent()).toContain(`by ${eve.username}`);
    // Its picture is no longer public, and admins see it.
    expect((await fetch(second.image_url)).status).toBe(400);
    await entry.locator("img[src*='/object/sign/archived-images/']").waitFor();
    await sql("insert into items (slug, name) values ('my-test-fruit', 'Newcomer')");
    const restore = entry.getByRole("button", { name: "Restore My Test Fruit" });
    await restore.focus();
    await page.keyboard.press("Enter");
    await expectNotice(
      page,
      "Error",
      "Another item has the slug my-test-fruit by now: change that one's slug, then restore My Test Fruit",
    );
    await sql("delete from items where name = 'Newcomer'");
    await sql("delete from archived_items where name = 'Newcomer'");
    await restore.focus();
    await page.keyboard.press("Enter");
    await expectNotice(page, "Item restored", "My Test Fruit is back with its whole history.");
    await page.getByText("The archive is empty.").waitFor();
    expect(await archive.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.getByRole("button", { name: "Edit My Test Fruit" }).waitFor();
    expect((await read("/fruits/my-test-fruit", site.address)).status).toBe(200);
    expect(await stored()).toMatchObject({ id: first.id, image_url: second.image_url });
    expect((await fetch(second.image_url)).status).toBe(200);
    const act = "select act, title from admin_acts where table_name = 'items' order by id desc limit 1";
    expect(await sql(act)).toEqual([{ act: "restore", title: "My Test Fruit" }]);
    await sql("delete from items where name = 'My Test Fruit'");
    await sql("delete from archived_items");
  });

  test("is shown without axe findings in list, forms and ledger, wide and light or narrow and dark", async () => {
    const page = await visitAdmin();
    // A few rows cover as much, and take axe less time.
    await page.getByLabel("Search items").fill("kitsune");
    await rowOf(page, "spin").waitFor({ state: "detached" });
    await edit(page, "Kitsune");
    await expectNoAxeFindings(page);
    await page.setViewportSize({ width: 390, height: 600 });
    await expectNoSidewaysScroll(page);
    await page.keyboard.press("Escape");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "Ledger of Kitsune", exact: true }).click();
    await page.getByRole("dialog").locator("tbody tr").first().waitFor();
    await expectNoAxeFindings(page);
  });

  test("that changes by more than half, also by an undo, is confirmed first; a canceled change stays a draft", async () => {
    await sql("update items set current_value = '1K' where slug = 'venom'");
    const page = await visitAdmin({ expectedProblems: [/409/] });
    await page.getByRole("button", { name: "Ledger of Venom" }).click();
    const ledger = page.getByRole("dialog", { name: "Ledger of Venom" });
    const undo = ledger.getByRole("button", { name: /^Undo/ }).first();
    const asked = page.getByRole("dialog", { name: "Change Venom by more than half?" });
    for (const answer of ["Escape", "Cancel", "Change it"]) {
      await undo.click();
      await asked.waitFor();
      if (answer === "Escape") await page.keyboard.press("Escape");
      else if (answer === "Cancel") await asked.getByRole("button", { name: answer }).click();
      else {
        // Another window undoes it first.
        await sql("update items set current_value = '2K' where slug = 'venom'");
        await asked.getByRole("button", { name: answer }).click();
        const meantime = "Venom was changed in the meantime: look at its ledger again";
        await expectNotice(page, "Error", meantime);
      }
      await asked.waitFor({ state: "detached" });
      await undo.waitFor();
    }
    await ledger.getByText("1K → 2K").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^Change the value of Kitsune, 640M/ }).click();
    const form = editForm(page, "Kitsune");
    const value = form.getByLabel("Current Value", { exact: true });
    expect(await isFocused(value)).toBe(true);
    await value.fill("64M");
    await value.press("Enter");
    const question = page.getByRole("dialog", { name: "Change Kitsune by more than half?" });
    await question.getByText("Current Value: 640M → 64M (-90.00%)").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await eventually(() => value.inputValue()).toBe("64M");
    // The draft survives a reload; Cancel discards it.
    await page.reload();
    await rowOf(page, "kitsune").getByText("Unsaved draft").waitFor();
    await edit(page, "Kitsune");
    await eventually(() => value.inputValue()).toBe("64M");
    await form.getByRole("button", { name: "Cancel" }).click();
    await eventually(() => rowOf(page, "kitsune").getByText("Unsaved draft").count()).toBe(0);
    expect((await sql("select current_value from items where slug = 'kitsune'"))[0].current_value).toBe(
      "640M",
    );
  });

  test("that two admins edit: the second is notified, compares, chooses, and overwrites nothing unseen", async () => {
    const page = await visitAdmin();
    const form = await edit(page, "Dough");
    await form.getByLabel("Current Value", { exact: true }).fill("450M");
    await form.getByLabel("Demand").selectOption("low");
    const other = await signUpAdmin(site);
    const theirs = { current_value: "430M", rarity: "legendary" };
    await other.client.from("items").update(theirs).eq("slug", "dough").throwOnError();
    // Triggered by the live update, without a save; an earlier save would have been refused in the same way.
    const notice = form.getByRole("alert").filter({ hasText: "Dough was saved in the meantime" });
    await notice.waitFor();
    await expectNoAxeFindings(page, { include: '[data-item="dough"]' });
    expect(await form.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    const line = notice.getByRole("row", { name: /Current Value/ });
    expect(await line.textContent()).toContain("430M");
    await line.getByLabel("450M").check();
    await notice.getByRole("button", { name: "Continue with this choice" }).click();
    await notice.waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Item updated");
    const [dough] = await sql("select current_value, rarity, demand from items where slug = 'dough'");
    expect(dough).toEqual({ current_value: "450M", rarity: "legendary", demand: "low" });
  });

  test("in two tabs keeps what was typed in each, whatever the other saves, cancels or deletes, and of two pictures the one picked by sight", async () => {
    // The list or form may still show the picture that was just replaced.
    const first = await visitAdmin({ expectedProblems: [/item-images/, /Failed to load/] });
    const second = await first.context().newPage();
    await second.goto("/admin");
    const [theirs, mine] = [await edit(first, "Shadow"), await edit(second, "Shadow")];
    await mine.getByLabel("Beli Price").fill("7700001");
    await mine.getByLabel("Reason for the change").fill("Seen twice");
    await theirs.getByLabel("Robux Price").fill("4001");
    await theirs.getByRole("button", { name: "Save" }).click();
    await expectNotice(first, "Item updated");
    const notice = mine.getByRole("alert").filter({ hasText: "by another admin or in another window" });
    await notice.waitFor();

    await second.reload();
    await rowOf(second, "shadow").getByText("Unsaved draft").waitFor();
    await edit(second, "Shadow");
    await eventually(() => mine.getByLabel("Beli Price").inputValue()).toBe("7700001");
    await eventually(() => mine.getByLabel("Reason for the change").inputValue()).toBe("Seen twice");
    await notice.getByRole("button", { name: "Continue with this choice" }).press("Enter");
    const focused = () => second.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
    await eventually(focused).toBe("beli_price");

    await edit(first, "Shadow");
    await theirs.getByLabel("Robux Price").fill("4002");
    await theirs.getByRole("button", { name: "Cancel" }).click();
    await theirs.waitFor({ state: "detached" });
    await first.getByRole("button", { name: "Delete Shadow" }).click();
    await first.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await expectNotice(first, "Item deleted");
    // The focused element is gone; focus moves to the list.
    const list = (page: Page) =>
      page.evaluate(() => document.activeElement?.firstElementChild?.matches(".item-list"));
    await eventually(() => list(first)).toBe(true);
    const stays =
      "What you typed is kept in this browser, and is there again when an admin restores the item.";
    await expectNotice(
      second,
      "Error",
      `The item you were editing has been deleted in the meantime. ${stays}`,
    );
    await eventually(() => list(second)).toBe(true);

    const archived = first.getByRole("list", { name: "Archived items" }).getByRole("listitem");
    await archived.filter({ hasText: "shadow" }).getByRole("button", { name: "Restore" }).click();
    await expectNotice(first, "Item restored", "Shadow is back with its whole history.");
    await edit(second, "Shadow");
    await eventually(() => mine.getByLabel("Beli Price").inputValue()).toBe("7700001");
    await mine.getByRole("button", { name: "Save" }).click();
    await expectNotice(second, "Item updated");
    const [shadow] = await sql("select beli_price, robux_price from items where slug = 'shadow'");
    expect(shadow).toEqual({ beli_price: "7700001", robux_price: "4001" });

    await choosePictures(first, second);
  });

  /** Chooses a picture in each of two tabs, and saves the one of the first tab before that of the second, twice. */
  async function choosePictures(first: Page, second: Page): Promise<void> {
    const [theirs, mine] = [await edit(first, "Gas"), await edit(second, "Gas")];
    const photo = await photoOf(first);
    const choose = async () => {
      for (const form of [theirs, mine]) {
        await form.locator("[name=image]").setInputFiles(photo);
        await preview(form).waitFor();
      }
    };
    const save = async (form: Locator, where: Page) => {
      await form.getByRole("button", { name: "Save" }).click();
      await expectNotice(where, "Item updated");
      return (await sql("select image_url from items where slug = 'gas'"))[0].image_url as string;
    };
    await choose();
    const saved = await save(theirs, first);
    const notice = mine.getByRole("alert");
    await notice.getByRole("radio").nth(1).waitFor();
    expect(await notice.getByRole("img", { name: "Picture" }).count()).toBe(3);
    expect(await notice.textContent()).not.toContain("item-images");
    expect(await notice.getByRole("radio").first().isChecked(), "theirs, until mine is chosen").toBe(true);
    await notice.getByRole("button", { name: "Continue with this choice" }).click();
    await preview(mine).waitFor({ state: "detached" });
    expect(await save(mine, second)).toBe(saved);

    await edit(first, "Gas");
    await edit(second, "Gas");
    await choose();
    const other = await save(theirs, first);
    await notice.getByRole("radio").nth(1).check();
    await notice.getByRole("button", { name: "Continue with this choice" }).click();
    await preview(mine).waitFor();
    expect([saved, other]).not.toContain(await save(mine, second));
  }

  test("that is being saved is not changed by Escape, another choice or picture, and when it is saved another one's form stays open", async () => {
    const page = await visitAdmin();
    const { arrived, release } = await holdWrites(page, "**/storage/v1/object/**");
    const form = await edit(page, "Smoke");
    await imageOf(form).setInputFiles(await photoOf(page));
    await preview(form).waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await arrived;
    await form.press("Escape");
    expect(await form.getByText("Uploading...").isVisible()).toBe(true);
    expect(await imageOf(form).isDisabled()).toBe(true);
    const category = form.getByLabel("Category");
    const chosen = await category.inputValue();
    const others = category.locator(`option:not([value="${chosen}"])`);
    await category.selectOption(await others.first().getAttribute("value"));
    expect(await category.inputValue()).toBe(chosen);
    expect(await form.getByRole("button", { name: "Don't use this file" }).isDisabled()).toBe(true);
    const other = await edit(page, "Spike");
    await other.getByLabel("Beli Price").fill("180001");
    release();
    await expectNotice(page, "Item updated");
    await form.waitFor({ state: "detached" });
    expect((await sql("select image_url from items where slug = 'smoke'"))[0].image_url).toContain(".png");
    await eventually(() => other.getByLabel("Beli Price").inputValue()).toBe("180001");
  });

  test("is saved by the same button once a lost connection is back, and one whose answer was lost is neither saved twice nor told as another admin's", async () => {
    const page = await visitAdmin({
      expectedProblems: [/INTERNET_DISCONNECTED|Failed to fetch|request failed/, /answer 409: POST .*items/],
    });
    const form = await edit(page, "Spin");
    await form.getByLabel("Beli Price").fill("7501");
    // A search hides other rows, but no form with unsaved input.
    await page.getByLabel("Search items").fill("kitsune");
    await rowOf(page, "dough").waitFor({ state: "detached" });
    await eventually(() => form.getByLabel("Beli Price").inputValue()).toBe("7501");
    await page.context().setOffline(true);
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Error", AWAY);
    await eventually(() => form.getByLabel("Beli Price").inputValue()).toBe("7501");
    await page.context().setOffline(false);
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Item updated");
    expect((await sql("select beli_price from items where slug = 'spin'"))[0].beli_price).toBe("7501");
    await page.getByLabel("Search items").fill("");

    const added = addForm(page);
    await added.getByLabel("Name", { exact: true }).fill("Compass");
    await added.getByLabel("Category").selectOption({ index: 2 });
    await loseAnswer(page, "**/rest/v1/items?*");
    await added.getByRole("button", { name: "Add Item" }).click();
    await expectNotice(page, "Error", AWAY);
    await added.getByRole("button", { name: "Add Item" }).click();
    await expectNotice(page, "Item created");
    expect(await sql("delete from items where name = 'Compass' returning slug")).toEqual([
      { slug: "compass" },
    ]);

    await sql("update items set current_value = '1000K', previous_value = '900K' where slug = 'spring'");
    const spring = () =>
      sql("select current_value, previous_value, beli_price from items where slug = 'spring'").then(
        ([row]) => row,
      );
    const field = (label: string) => editForm(page, "Spring").getByLabel(label, { exact: true });
    const save = () => editForm(page, "Spring").getByRole("button", { name: "Save", exact: true }).click();
    await rowOf(page, "spring").getByText("1000K").first().waitFor();
    await edit(page, "Spring");
    await field("Current Value").fill("1100K");
    await loseAnswer(page, "**/rest/v1/items?*");
    await save();
    await expectNotice(page, "Error", AWAY);
    // The list shows it by now, with the value that the database moved.
    await eventually(() => field("Previous Value").inputValue()).toBe("1000K");
    expect(await editForm(page, "Spring").getByRole("alert").count()).toBe(0);
    await save();
    await expectNotice(page, "Item updated");
    expect(await spring()).toMatchObject({ current_value: "1100K", previous_value: "1000K" });
    // The same if the list does not show it, and if more was typed since.
    await stopLists(page, "items");
    for (const more of [false, true]) {
      await edit(page, "Spring");
      await loseAnswer(page, "**/rest/v1/items?*");
      await field("Current Value").fill(more ? "1300K" : "1200K");
      await save();
      await expectNotice(page, "Error", AWAY);
      if (more) await field("Beli Price").fill("60001");
      await save();
      await expectNotice(page, "Item updated");
    }
    expect(await spring()).toEqual({
      current_value: "1300K",
      previous_value: "1200K",
      beli_price: "60001",
    });
  });

  test("keeps a picture that was saved although the answer was lost, also after a reload, which loses the chosen file", async () => {
    // The list may still show the picture that was just replaced.
    const page = await visitAdmin({
      expectedProblems: [/\/rest\/v1\/items/, /item-images/, /Failed to load/],
    });
    const form = await edit(page, "Flame");
    const photo = await photoOf(page);
    await imageOf(form).setInputFiles(photo);
    await preview(form).waitFor();
    await loseAnswer(page, "**/rest/v1/items?*");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Error", AWAY);
    await preview(form).waitFor({ state: "detached" });
    expect(await form.getByRole("alert").count()).toBe(0);
    await imageOf(form).setInputFiles(photo);
    await preview(form).waitFor();
    await form.getByLabel("Beli Price").fill("7502");
    await stopLists(page, "items");
    await loseAnswer(page, "**/rest/v1/items?*");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Error", AWAY);
    await page.unrouteAll();
    await page.reload();
    await edit(page, "Flame");
    expect(await form.getByRole("alert").count()).toBe(0);
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expectNotice(page, "Item updated");
    const [{ image_url }] = await sql("select image_url from items where slug = 'flame'");
    expect(image_url).toContain(".png");
    expect((await fetch(new URL(image_url, site.address))).status).toBe(200);
  });
});

test("field visibility is stored per page, shown again, and controls what visitors see", async () => {
  const page = await visitAdmin({ expectedProblems: [/page_configurations/, /Failed to load/] });
  const panel = page.locator("details", { hasText: "Page Field Visibility" });
  await panel.getByRole("table").waitFor();
  expect(await panel.locator("thead th").allInnerTexts()).toEqual([
    "Field",
    "Values",
    "Calculator",
    "Fruit Detail",
    "Trade History",
  ]);
  const [{ custom }] = await sql(
    "select count(*)::int as custom from field_definitions where name like 'custom%'",
  );
  expect(await panel.locator("tbody tr").count()).toBe(10 + custom);
  expect(await panel.locator("tbody input:not(:checked)").count()).toBe(0);
  const rarity = panel.getByLabel("Rarity on Values");
  const writes = (url: URL) =>
    url.pathname.endsWith("/page_configurations") && url.search.includes("on_conflict");
  await page.route(writes, (route) => route.abort(), { times: 1 });
  await rarity.press("Space");
  await panel.getByRole("button", { name: "Save Values" }).click();
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  expect(await rarity.isChecked()).toBe(false);
  await sql(
    "insert into page_configurations (page_name, visible_fields) values ('values', '{name,rarity,is_permanent}')",
  );
  await eventually(() => panel.getByLabel("Demand on Values").isChecked()).toBe(false);
  for (const label of ["Calculator", "Fruit Detail", "Trade History", "Values"]) {
    if (label !== "Values") await panel.getByLabel(`Type on ${label}`).uncheck();
    await panel.getByRole("button", { name: `Save ${label}` }).click();
    await expectNotice(page, `${label} page configuration updated`);
  }
  await eventually(async () => (await html("/values")).includes('data-slot="rarity-badge"')).toBe(false);
  await page.reload();
  await panel.getByLabel("Rarity on Values").waitFor();
  expect(await panel.getByLabel("Rarity on Values").isChecked()).toBe(false);
  expect(await panel.getByLabel("Rarity on Calculator").isChecked()).toBe(true);
  const stored = await sql("select page_name, visible_fields from page_configurations order by 1");
  expect(stored.map(({ page_name }) => page_name)).toEqual([
    "calculator",
    "fruit_detail",
    "trade_history",
    "values",
  ]);
  expect(stored[1].visible_fields).toContain("is_permanent");
  const others = "what another admin hid meanwhile stays hidden";
  expect(stored[3].visible_fields, others).toEqual(["name", "is_permanent"]);

  // What another admin has just hidden stays hidden, also if this page has not read it yet.
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: saved, resolve: save } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname.endsWith("/page_configurations") && !writes(url),
    async (route) => {
      arrive();
      await saved;
      await route.abort();
    },
    { times: 1 },
  );
  await sql(
    "update page_configurations set visible_fields = array_remove(visible_fields, 'image') where page_name = 'calculator'",
  );
  await arrived;
  await panel.getByLabel("Demand on Calculator").uncheck();
  await panel.getByRole("button", { name: "Save Calculator" }).click();
  await expectNotice(page, "Calculator page configuration updated");
  save();
  const [{ visible_fields: shown }] = await sql(
    "select visible_fields from page_configurations where page_name = 'calculator'",
  );
  expect(shown).not.toContain("image");
  expect(shown).not.toContain("demand");

  // A box that is switched while the page is being saved stays switched.
  await page.route(
    writes,
    async (route) => {
      await rarity.uncheck();
      await route.continue();
    },
    { times: 1 },
  );
  await rarity.check();
  await panel.getByRole("button", { name: "Save Values" }).click();
  await expectNotice(page, "Values page configuration updated");
  expect(await rarity.isChecked()).toBe(false);
  expect(await panel.getByRole("button", { name: "Save Values" }).isEnabled()).toBe(true);
  await sql("delete from page_configurations");
});
