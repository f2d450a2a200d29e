import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectNoAxeFindings, type PageOptions } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { isWithinReach } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, read, visit } from "#tests/helpers/visit.ts";
import { expectNotice, noticeVariant } from "./account-page.ts";
import { AWAY, holdWrites, keepItems, listTyped, stopLists } from "./admin-items-page.ts";
import { runSql } from "./chat-page.ts";

// Changes here are visible to every visitor.
const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
  await keepItems(
    site,
    "bomb dough kitsune light smoke spike spin spring dragon-token permanent-dragon-token".split(" "),
  );
});

const REFUSED = [/answer 4\d\d: /];

/** Revokes the role but hangs the page's role check, which would redirect home before any other request. */
async function loseRole(page: Page, { id }: SignedIn): Promise<void> {
  await page.route("**/rest/v1/user_roles?*", () => undefined);
  await runSql(`delete from user_roles where user_id = '${id}'`, site.databaseUrl);
}

/** Opens a tab of the admin area as Eve. */
function openTab(tab: "categories" | "fields" | "ads", options: PageOptions = {}): Promise<Page> {
  return visitAs(eve, `/admin?tab=${tab}`, { ...options, address: site.address });
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** The tabs of the values page, as served to a visitor. */
const tabs = async () =>
  [...(await html("/values")).matchAll(/role="tab"[^>]*>(.*?)<\/(?:a|button)>/gs)].map(([, tab = ""]) =>
    tab
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
const html = async (path: string) => (await read(path, site.address)).html;

describe("Manage Categories", () => {
  test("says if they cannot be read, and can be retried without losing the page; shows a fault at its field, and deletes none with items", async () => {
    const page = await openTab("fields", { expectedProblems: [...REFUSED, /answer 500: GET .*categories/] });
    await page.getByRole("checkbox").first().waitFor();
    await page.route("**/rest/v1/categories?*", (route) =>
      route.fulfill({ status: 500, json: { message: "no" } }),
    );
    await page.getByRole("tab", { name: "Manage Categories" }).click();
    await page.getByRole("heading", { name: "Categories can't be loaded right now" }).waitFor();
    expect(await page.getByRole("form").count()).toBe(0);
    await page.unroute("**/rest/v1/categories?*");
    await press(page, "Try again");
    await page.getByRole("button", { name: "Edit Tokens" }).waitFor();

    const form = page.getByRole("form", { name: "Add category" });
    for (const [field, text, message] of [
      ["Name", "", "Name is required"],
      ["Icon", "abcdefghijk", "Icon must be less than 10 characters"],
      ["Display order", "1.5", "Display order must be a whole number"],
      ["Slug", "tokens", "A category with this slug already exists"],
    ] as const) {
      await form.getByLabel("Name").fill("Sea Beasts");
      await form.getByLabel(field).fill(text);
      await form.getByRole("button").click();
      await form.getByText(message).waitFor();
      const isOurs = !message.includes("exists");
      await expectNotice(page, isOurs ? "Validation Error" : "Error", message);
      expect(await noticeVariant(page)).toBe("destructive");
      expect(await form.getByLabel(field).getAttribute("aria-invalid")).toBe("true");
      expect(await form.getByLabel(field).evaluate((input) => input === document.activeElement)).toBe(true);
      await form.getByLabel(field).fill(field === "Display order" ? "9" : "");
    }
    await expectNoAxeFindings(page);

    await press(page, "Delete Tokens");
    expect(await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).evaluate(isFocused)).toBe(
      true,
    );
    await press(page, "Delete");
    await expectNotice(page, "Error", "The category Tokens still has 2 items; move or delete them first");
    await page.getByRole("button", { name: "Edit Tokens" }).waitFor();
  });

  test("adds one that becomes a tab in order, edits it in place, moves it by keyboard and deletes it", async () => {
    const page = await openTab("categories");
    const form = page.getByRole("form", { name: "Add category" });
    await eventually(() => form.getByLabel("Display order").inputValue()).toBe("9");
    await form.getByLabel("Name").fill("Sea Beasts");
    await form.getByLabel("Icon").fill("🐙");
    // Kept through a reload until it is added.
    await page.reload();
    await eventually(() => form.getByLabel("Icon").inputValue()).toBe("🐙");
    await form.getByLabel("Name").press("Enter");
    await expectNotice(page, "Category created");
    await eventually(tabs).toEqual(expect.arrayContaining(["🐙 Sea Beasts"]));
    expect((await tabs()).at(-1)).toBe("🐙 Sea Beasts");
    expect(await html("/values?category=sea-beasts")).toContain("Sea Beasts");
    await eventually(() => form.getByLabel("Name").inputValue()).toBe("");
    await eventually(() => form.getByLabel("Name").evaluate(isFocused)).toBe(true);
    await eventually(() => form.getByLabel("Display order").inputValue()).toBe("10");

    await press(page, "Edit Sea Beasts");
    const edit = page.getByRole("form", { name: "Edit Sea Beasts" });
    expect(await page.getByRole("form").count()).toBe(2);
    await edit.getByLabel("Name").fill("");
    await press(page, "Save");
    await expectNotice(page, "Validation Error", "Name is required");
    await press(page, "Cancel");
    expect(await page.getByRole("button", { name: "Edit Sea Beasts" }).evaluate(isFocused)).toBe(true);
    await page.keyboard.press("Enter");
    await edit.getByLabel("Name").fill("Sea Kings");
    await edit.getByLabel("Name").press("Enter");
    await expectNotice(page, "Category updated");
    await page.getByRole("button", { name: "Edit Sea Kings" }).waitFor();

    const up = page.getByRole("button", { name: "Move Sea Kings up" });
    await up.press("Enter");
    await expectNotice(page, "Category updated", "Sea Kings is number 8 of 9 now.");
    expect(await up.evaluate(isFocused)).toBe(true);
    await eventually(tabs).toEqual(expect.arrayContaining(["🐙 Sea Kings"]));
    await eventually(async () => (await tabs()).at(-2)).toBe("🐙 Sea Kings");

    const item = (slug: string) => page.getByRole("listitem").filter({ hasText: slug });
    // Wait until no notice covers it.
    const from = item("sea-beasts").getByText("🐙");
    await from.dragTo(item("gamepasses"), { targetPosition: { x: 200, y: 10 } });
    await expectNotice(page, "Category updated", "Sea Kings is number 6 of 9 now.");
    await eventually(async () => (await tabs())[6]).toBe("🐙 Sea Kings");

    await press(page, "Delete Sea Kings");
    await press(page, "Delete");
    await expectNotice(page, "Category deleted");
    await eventually(() => page.getByRole("button", { name: "Edit Sea Kings" }).count()).toBe(0);
    await eventually(() => isLost(page)).toBe(false);
    await eventually(tabs).not.toEqual(expect.arrayContaining(["🐙 Sea Kings"]));
  });

  test("shows at once what another admin saved, asks which version to keep, reports a deleted one, and is not canceled while it is being saved", async () => {
    const page = await openTab("categories");
    await press(page, "Edit Limiteds");
    const edit = page.getByRole("form", { name: "Edit Limiteds" });
    await edit.getByLabel("Name").fill("Rarities");
    const elsewhere = (change: Record<string, unknown>) =>
      eve.client.from("categories").update(change).eq("slug", "limiteds").throwOnError();

    await elsewhere({ icon: "🌟" });
    await edit.getByText(/^It is 🌟 Limiteds now, with the slug limiteds and the order \d\.$/).waitFor();
    expect(await edit.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await expectNoAxeFindings(page);
    await press(page, "Keep mine");
    expect(await edit.getByLabel("Name").evaluate(isFocused)).toBe(true);
    await eventually(() => edit.getByLabel("Name").inputValue()).toBe("Rarities");
    await elsewhere({ icon: "⭐" });
    await edit.getByText("It is ⭐ Limiteds now").waitFor();
    await press(page, "Take theirs");
    await eventually(() => edit.getByLabel("Icon").inputValue()).toBe("⭐");
    await eventually(() => edit.getByLabel("Name").inputValue()).toBe("Limiteds");
    await edit.getByLabel("Display order").fill("8");
    await edit.getByLabel("Display order").press("Enter");
    await expectNotice(page, "Category updated");
    expect(await edit.count()).toBe(0);

    await eve.client.from("categories").insert({ slug: "short-lived", name: "Short" }).throwOnError();
    await press(page, "Edit Short");
    await eve.client.from("categories").delete().eq("slug", "short-lived").throwOnError();
    await expectNotice(page, "Error", "The category you were editing has been deleted in the meantime.");
    const { arrived, release } = await holdWrites(page, "**/rest/v1/categories?*");
    await press(page, "Edit Tokens");
    const saved = page.getByRole("form", { name: "Edit Tokens" });
    await saved.getByLabel("Icon").fill("🪙");
    await saved.getByLabel("Icon").press("Enter");
    await arrived;
    await page.keyboard.press("Escape");
    expect(await saved.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    await press(page, "Edit Limiteds");
    const other = page.getByRole("form", { name: "Edit Limiteds" });
    await other.getByLabel("Name").fill("Rarities");
    release();
    await expectNotice(page, "Category updated");
    await page.getByRole("listitem").filter({ hasText: "tokens" }).getByText("🪙").waitFor();
    await eventually(() => other.getByLabel("Name").inputValue()).toBe("Rarities");
  });

  test("says that one is added when the next can be typed, not before; one whose answer was lost is added once, and an edit of it is nobody else's", async () => {
    const page = await openTab("categories", {
      expectedProblems: [/\/rest\/v1\/categories/, /Failed to load/],
    });
    const name = page.getByRole("form", { name: "Add category" }).getByLabel("Name");
    await name.fill("Relics");
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/rest/v1/categories?*", async (route) => {
      if (route.request().method() === "GET") {
        arrive();
        await released;
      }
      await route.continue();
    });
    await name.press("Enter");
    await arrived;
    expect(await name.isEditable()).toBe(false);
    expect(await page.getByText("Category created").count()).toBe(0);
    release();
    await expectNotice(page, "Category created");
    expect(await name.isEditable()).toBe(true);
    expect(await name.inputValue()).toBe("");
    expect(await name.evaluate(isFocused)).toBe(true);
    await eve.client.from("categories").delete().eq("slug", "relics").throwOnError();
    await page.unrouteAll();

    const form = page.getByRole("form", { name: "Add category" });
    await loseAnswer(page, "**/rest/v1/categories?*");
    await form.getByLabel("Name").fill("Shells");
    await press(page, "Add Category");
    await expectNotice(page, "Error", AWAY);
    await press(page, "Add Category");
    await expectNotice(page, "Category created");
    await press(page, "Edit Shells");
    const edited = page.getByRole("form", { name: /^Edit / });
    await loseAnswer(page, "**/rest/v1/categories?*");
    await edited.getByLabel("Name").fill("Sea Shells");
    await press(page, "Save");
    await expectNotice(page, "Error", AWAY);
    await page.getByRole("form", { name: "Edit Sea Shells" }).waitFor();
    expect(await edited.getByLabel("Name").evaluate(isFocused)).toBe(false);
    await edited.getByLabel("Icon").fill("🐚");
    await press(page, "Save");
    await expectNotice(page, "Category updated");
    const stored = eve.client.from("categories").select("name, icon").like("slug", "%shells%");
    expect((await stored.throwOnError()).data).toEqual([{ name: "Sea Shells", icon: "🐚" }]);
    await eve.client.from("categories").delete().eq("slug", "shells").throwOnError();
  });

  test("keeps the input and says that nothing was saved without the connection or the role", async () => {
    const admin = await signUpAdmin(site);
    const page = await visitAs(admin, "/admin?tab=categories", {
      address: site.address,
      expectedProblems: [/ERR_INTERNET_DISCONNECTED/, /answer 403: POST .*page_configurations/],
    });
    await press(page, "Edit Gamepasses");
    const name = page.getByRole("form", { name: "Edit Gamepasses" }).getByLabel("Name");
    await name.fill("Passes");
    await page.context().setOffline(true);
    await press(page, "Save");
    await expectNotice(
      page,
      "Error",
      "The service can't be reached right now. Please try again in a moment.",
    );
    await page.context().setOffline(false);

    await page.getByRole("tab", { name: "Ads Management" }).click();
    await page.getByRole("button", { name: "Edit detail_header" }).click();
    await page.getByRole("tab", { name: "Field Settings" }).click();
    await page.getByRole("checkbox", { name: "Slug" }).waitFor();
    await loseRole(page, admin);
    await page.getByRole("checkbox", { name: "Slug" }).uncheck({ force: true });
    await expectNotice(page, "Error", gone("field"));
    await eventually(() => page.getByRole("checkbox", { name: "Slug" }).isChecked()).toBe(true);
    await page.getByRole("tab", { name: "Ads Management" }).click();
    await press(page, "Save");
    await expectNotice(page, "Error", gone("ad"));
    await page.getByRole("tab", { name: "Manage Items" }).click();
    await page.getByLabel("Rarity on Values").uncheck();
    await press(page, "Save Values");
    const refused = "Log in again: your session has ended, or you may no longer do this.";
    await expectNotice(page, "Error", refused);
    expect(await page.getByLabel("Rarity on Values").isChecked()).toBe(false);
    await page.getByRole("tab", { name: "Manage Categories" }).click();
    await press(page, "Save");
    await expectNotice(page, "Error", gone("category"));
    await eventually(() => name.inputValue()).toBe("Passes");
    expect(await html("/values")).not.toContain("Passes");
  });
});

const gone = (what: string) =>
  `Nothing was done: this ${what} was changed or deleted in the meantime, or you no longer have the role for it.`;
const isFocused = (element: Element) => element === document.activeElement;
/** Whether focus was lost to the top of the page. */
const isLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

describe("Field Settings", () => {
  const stored = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem("adminFieldConfig") ?? "[]"));

  test("shows the eight standard fields; a hidden one stays hidden in storage, after a reload and for another admin", async () => {
    const page = await openTab("fields");
    const boxes = page.getByRole("checkbox");
    await boxes.first().waitFor();
    expect(await stored(page)).toMatchObject([
      { name: "name", label: "Name", type: "text", visible: true, required: true },
      { name: "slug", type: "text", required: false },
      { name: "category_id", type: "select", required: true },
      { name: "rarity", type: "select", options: ["common", "uncommon", "rare", "legendary", "mythical"] },
      { name: "type", type: "select" },
      { name: "demand", type: "select" },
      { name: "current_value", type: "text" },
      { name: "previous_value", type: "text" },
    ]);
    expect(await boxes.count()).toBe(8);
    for (const required of ["Name Required", "Category Required"]) {
      expect(await page.getByRole("checkbox", { name: required, exact: true }).isDisabled()).toBe(true);
    }
    await page.getByRole("checkbox", { name: "Demand" }).press("Space");
    await expectNotice(page, "Field settings saved", "The item form hides Demand.");
    expect((await stored(page))[5]).toMatchObject({ name: "demand", visible: false });
    await page.getByRole("tab", { name: "Manage Items" }).click();
    const itemForm = page.getByRole("form", { name: "Add New Item" });
    await itemForm.getByLabel("Rarity").waitFor();
    expect(await itemForm.getByLabel("Demand").count()).toBe(0);

    // The table takes precedence over a browser's stored state.
    const second = await visitAs(await signUpAdmin(site), "/admin?tab=fields", { address: site.address });
    await second.evaluate(() => localStorage.setItem("adminFieldConfig", "[]"));
    await second.reload();
    const demand = second.getByRole("checkbox", { name: "Demand" });
    await demand.waitFor();
    expect(await demand.isChecked()).toBe(false);
    expect(await stored(second)).toHaveLength(8);
    await demand.check();
    await expectNotice(second, "Field settings saved", "The item form shows Demand.");
  });

  test("refuses a malformed name, keeps the chosen type while it is sent, and adds one once whose answer was lost", async () => {
    const page = await openTab("fields", { expectedProblems: [/\/rest\/v1\/field_def/, /Failed to load/] });
    const form = page.getByRole("form", { name: "Add custom field" });
    for (const [name, message] of [
      ["slug", "A field with this name already exists"],
      ["A-B", "Field name must only contain letters, numbers, and spaces"],
    ] as const) {
      await form.getByLabel("Field name").fill(name);
      await form.getByRole("button").click();
      await expectNotice(page, "Validation Error", message);
    }
    await form.getByLabel("Field name").fill("Size");
    await form.getByLabel("Type").selectOption("select");
    await form.getByRole("button").click();
    await expectNotice(page, "Validation Error", "A select needs at least one option");
    await expectNoAxeFindings(page);
    const type = form.getByLabel("Type");
    await type.selectOption("number");
    await page.getByLabel("Field name").fill("Reach");
    const { arrived, release } = await holdWrites(page, "**/rest/v1/field_definitions*");
    await press(page, "Add Field");
    await arrived;
    await type.focus();
    for (const key of ["ArrowDown", "Home", "s"]) await page.keyboard.press(key);
    expect(await type.inputValue()).toBe("number");
    release();
    await expectNotice(page, "Custom field added successfully");
    await eve.client.from("field_definitions").delete().eq("label", "Reach").throwOnError();
    await page.unrouteAll();

    await form.getByLabel("Field name").fill("Depth");
    await form.getByLabel("Type").selectOption("select");
    await form.getByLabel("Options").fill("Shallow\nDeep");
    // Kept through a reload until it is added.
    await page.reload();
    expect(await form.getByLabel("Options").inputValue()).toBe("Shallow\nDeep");
    await loseAnswer(page, "**/rest/v1/field_definitions?*");
    await press(page, "Add Field");
    await expectNotice(page, "Error", AWAY);
    // Live changes show it by now.
    await page.getByRole("button", { name: "Remove Depth" }).waitFor();
    await press(page, "Add Field");
    await expectNotice(page, "Custom field added successfully");
    expect(await page.getByRole("button", { name: "Remove Depth" }).count()).toBe(1);
    await eve.client.from("field_definitions").delete().eq("label", "Depth").throwOnError();
  });

  test("adds one of each type; its values show on cards and pages until it is removed, and again when it is restored", async () => {
    const page = await openTab("fields");
    const form = page.getByRole("form", { name: "Add custom field" });
    await form.waitFor();
    const goTo = (tab: string) => page.getByRole("tab", { name: tab }).click();
    await goTo("Manage Items");
    await page.getByText("Page Field Visibility").first().waitFor();
    await goTo("Field Settings");
    await form.waitFor();
    expect(await form.getByLabel("Type").locator("option").allInnerTexts()).toEqual([
      "Text",
      "Select",
      "Number",
      "Checkbox",
    ]);
    for (const [name, type] of [
      ["Trade Volume Per Day", "number"],
      ["Origin", "text"],
      ["Size", "select"],
      ["Glows", "checkbox"],
    ] as const) {
      await form.getByLabel("Field name").fill(name);
      await form.getByLabel("Type").selectOption(type);
      if (type === "select") await form.getByLabel("Options").fill("Small\nLarge\nSmall");
      await form.getByRole("button").click();
      await expectNotice(page, "Custom field added successfully");
      await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
    }
    expect(await stored(page)).toEqual(
      expect.arrayContaining([
        {
          name: "custom_trade_volume_per_day",
          label: "Trade Volume Per Day",
          type: "number",
          visible: true,
          required: false,
        },
        {
          name: "custom_size",
          label: "Size",
          type: "select",
          options: ["Small", "Large"],
          visible: true,
          required: false,
        },
      ]),
    );
    // The item tab was already open and updates, as it does for other admins.
    await goTo("Manage Items");
    await page.getByRole("row", { name: /Glows/ }).waitFor();
    await goTo("Field Settings");
    await form.waitFor();
    await form.getByLabel("Field name").fill("ORIGIN");
    await form.getByRole("button").click();
    await expectNotice(page, "Validation Error", "A field with this name already exists");

    const custom_fields = { custom_trade_volume_per_day: 7321, custom_glows: true };
    await eve.client.from("items").update({ custom_fields }).eq("slug", "kitsune");
    await eventually(() => html("/values?q=kitsune")).toContain("7321");
    await eventually(() => html("/fruits/kitsune")).toContain("Trade Volume Per Day");
    expect(await html("/fruits/kitsune")).toMatch(/Glows[\s\S]{0,80}Yes/);

    await press(page, "Remove Trade Volume Per Day");
    await press(page, "Remove");
    await expectNotice(page, "Custom field removed");
    await eventually(() => isLost(page)).toBe(false);
    await eventually(() => html("/values?q=kitsune")).not.toContain("7321");
    await eventually(() => html("/fruits/kitsune")).not.toContain("7321");
    await form.getByLabel("Field name").fill("Trade volume per day");
    await form.getByRole("button").click();
    await expectNotice(page, "Custom field added successfully");
    await eventually(() => html("/fruits/kitsune")).toContain("7321");
  });
});

describe("Ads Management", () => {
  const card = (page: Page, title: string) =>
    page.getByRole("region").filter({ has: page.getByRole("heading", { name: title }) });
  const CODE = `<b>Sail with us</b><script>document.body.append(" from " + origin)</script>`;

  test("has a card for each placement; a preview runs isolated before saving, Cancel keeps the old code; an enabled ad is shown to visitors, stays enabled after a reload, and its code is shown as text", async () => {
    const page = await openTab("ads");
    await page.getByRole("heading", { name: "Values Grid" }).waitFor();
    expect(await page.locator("main h2").allInnerTexts()).toEqual([
      expect.stringMatching(/^Detail Content\s+Disabled$/),
      expect.stringMatching(/^Detail Header\s+Disabled$/),
      expect.stringMatching(/^Detail Sidebar\s+Disabled$/),
      expect.stringMatching(/^Values Grid\s+Disabled$/),
    ]);
    const grid = card(page, "Values Grid");
    await grid.getByRole("button", { name: "Edit values_grid" }).press("Enter");
    await grid.getByLabel("Ad Code").fill(CODE);
    const preview = grid.frameLocator("iframe");
    await preview.getByText("Sail with us from null").waitFor();
    expect(await grid.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts allow-popups");
    await expectNoAxeFindings(page, { exclude: ["iframe"] });
    // What is not saved yet survives a reload, until it is cancelled.
    await page.reload();
    await grid.getByRole("button", { name: "Edit values_grid" }).press("Enter");
    expect(await grid.getByLabel("Ad Code").inputValue()).toBe(CODE);
    await grid.getByLabel("Ad Code").fill("a".repeat(20_001));
    await press(page, "Save");
    await expectNotice(page, "Validation Error", "Ad code must be at most 20000 characters");
    await press(page, "Cancel");
    await grid.getByText("No ad code yet.").waitFor();
    expect(await grid.getByRole("button", { name: "Edit values_grid" }).evaluate(isFocused)).toBe(true);
    await page.keyboard.press("Enter");
    expect(await grid.getByLabel("Ad Code").inputValue()).toBe("");

    await grid.getByLabel("Ad Code").fill(CODE);
    await grid.getByLabel("Enabled").press("Space");
    await press(page, "Save");
    await expectNotice(page, "Ad updated successfully");
    await eventually(() => html("/values")).toContain("/ads/frame/values_grid");
    const visitor = await visit("/values", { baseUrl: site.address });
    const slot = visitor.locator('[data-placement="values_grid"]').first();
    await slot.scrollIntoViewIfNeeded();
    await slot.frameLocator("iframe").getByText("Sail with us from null").waitFor();

    await page.reload();
    await grid.getByText("Enabled", { exact: true }).waitFor();
    expect(await grid.getByRole("region", { name: "Ad code of values_grid" }).textContent()).toBe(CODE);
    expect(await grid.locator("iframe").count()).toBe(0);
    await press(page, "Edit values_grid");
    await grid.frameLocator("iframe").getByText("Sail with us").waitFor();
    const { arrived, release } = await holdWrites(page, "**/rest/v1/ads?*");
    await press(page, "Save");
    await arrived;
    expect(await grid.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    release();
    await press(page, "Edit values_grid");
    await eve.client.from("ads").update({ enabled: false }).eq("placement", "values_grid");
    await grid.getByText("It is disabled now.").waitFor();
    expect(await listTyped(page)).toEqual([]);
    await press(page, "Take theirs");
    expect(await grid.getByLabel("Enabled").isChecked()).toBe(false);
    expect(await grid.getByLabel("Ad Code").evaluate(isFocused)).toBe(true);
  });

  test("one that was saved although the answer was lost is saved by the next attempt", async () => {
    const page = await openTab("ads", { expectedProblems: [/\/rest\/v1\/ads/, /Failed to load/] });
    const sidebar = card(page, "Detail Sidebar");
    await press(page, "Edit detail_sidebar");
    expect(await isWithinReach(sidebar.locator("label", { hasText: "Enabled" }))).toBe(true);
    await sidebar.getByLabel("Ad Code").fill("<b>Sail</b>");
    await loseAnswer(page, "**/rest/v1/ads?*");
    await stopLists(page, "ads");
    await press(page, "Save");
    await expectNotice(page, "Error", AWAY);
    await press(page, "Save");
    await expectNotice(page, "Ad updated successfully");

    // After a reload, it is still no other admin's.
    await page.unrouteAll();
    await page.reload();
    await press(page, "Edit detail_sidebar");
    await sidebar.getByLabel("Ad Code").fill("<b>Sail on</b>");
    await loseAnswer(page, "**/rest/v1/ads?*");
    await stopLists(page, "ads");
    await press(page, "Save");
    await expectNotice(page, "Error", AWAY);
    await page.unrouteAll();
    await page.reload();
    await press(page, "Edit detail_sidebar");
    expect(await sidebar.getByLabel("Ad Code").inputValue()).toBe("<b>Sail on</b>");
    expect(await sidebar.getByRole("button", { name: "Take theirs" }).count()).toBe(0);
    await press(page, "Save");
    await expectNotice(page, "Ad updated successfully");
    await eve.client.from("ads").update({ ad_code: "" }).eq("placement", "detail_sidebar").throwOnError();
  });
});

test("all three fit a phone in dark mode, and axe finds nothing", async () => {
  const page = await openTab("categories", { width: 320, colorScheme: "dark" });
  for (const [tab, content] of [
    ["Manage Categories", "Add New Category"],
    ["Field Settings", "Standard Fields"],
    ["Ads Management", "Values Grid"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("heading", { name: content }).waitFor();
    await expectNoAxeFindings(page, { exclude: ["iframe"] });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBe(320);
  }
});
