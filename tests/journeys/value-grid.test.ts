import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { keepItems } from "./admin-items-page.ts";
import { cellOf, openGrid, paste, publish, statusOf, textOf } from "./value-grid-page.ts";

const site = ownSite();
let eve: SignedIn;
const NAMES = ["Anchor", "Barrel", "Cannon", "Dinghy", "Ensign"];

const sql = (statement: string, values: unknown[] = []) => runOn(site.databaseUrl, statement, values);
const publishedValue = async (name: string) =>
  (await sql("select current_value from items where name = $1", [name]))[0]?.current_value;

beforeAll(async () => {
  eve = await signUpAdmin(site);
  await keepItems(site, "bomb dough kitsune light smoke spin spring".split(" "));
  // Five items for each of these that nothing else edits: Test Anchor is worth 1M, Test Barrel 2M …
  await sql(
    `insert into items (name, slug, current_value, previous_value, permanent_value)
     select prefix || ' ' || name, lower(prefix || '-' || name), place || 'M', place || 'M', place || '0M'
     from unnest($1::text[]) as prefix, unnest($2::text[]) with ordinality as names (name, place)`,
    [PREFIXES, NAMES],
  );
});

const PREFIXES = "Keys Count Spread Noted Composed Many Paste Tabs Kept Both Right Gone Lost Phone".split(
  " ",
);

/** Opens the grid with the five items of a prefix. */
async function openWith(prefix: string, options: Parameters<typeof openGrid>[2] = {}): Promise<Page> {
  const page = await openGrid(eve, site.address, options);
  await page.keyboard.press("/");
  await page.keyboard.type(prefix);
  await eventually(() => statusOf(page).textContent()).toMatch(/^5 of/);
  return page;
}

/** Shows the five items of a prefix alone, with the focus on the filter. */
async function show(page: Page, prefix: string): Promise<void> {
  await page.getByLabel("Filter by name").fill(prefix);
  await page.locator(`th:text-is("${prefix} Anchor")`).waitFor();
  await eventually(() => statusOf(page).textContent()).toMatch(/^5 of/);
}

test("values are typed down a column, edited further, canceled, undone, redone, published and taken back by keys alone", async () => {
  const page = await openWith("Keys");
  const value = (name: string) => textOf(cellOf(page, `Keys ${name}`, "Value"));
  await page.keyboard.press("Enter");
  // From the filter to the first value; Enter moves down the column.
  for (const text of ["1.5M", "2.5M", "3.5M"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  expect(await Promise.all(NAMES.map(value))).toEqual(["1.5M", "2.5M", "3.5M", "4M", "5M"]);
  // F2 edits the existing text; Escape cancels.
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type("M");
  await page.keyboard.press("Escape");
  await page.keyboard.type("9");
  await page.keyboard.press("Escape");
  expect(await value("Dinghy")).toBe("4M");
  expect(await statusOf(page).textContent()).toContain("3 unsaved");
  // Tab moves to the next editable column; a letter chooses a demand.
  await page.keyboard.press("Tab");
  await page.keyboard.type("44M");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("h");
  await page.keyboard.press("Enter");
  await eventually(() => textOf(cellOf(page, "Keys Dinghy", "Permanent"))).toBe("44M");
  await eventually(() => textOf(cellOf(page, "Keys Dinghy", "Demand"))).toBe("High");

  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Control+z");
  expect(await Promise.all(NAMES.map(value))).toEqual(["1M", "2M", "3M", "4M", "5M"]);
  expect(await statusOf(page).textContent()).not.toContain("unsaved");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Control+y");
  expect(await statusOf(page).textContent()).toContain("5 unsaved");

  await publish(page, "Seen in trades today");
  await expectNotice(page, "5 cells published");
  expect(await publishedValue("Keys Cannon")).toBe("3.5M");
  const [row] = await sql(
    `select demand, permanent_value, previous_value from items where name = 'Keys Dinghy'`,
  );
  expect(row).toEqual({ demand: "high", permanent_value: "44M", previous_value: "4M" });
  const ledger = await sql(
    `select distinct reason, reason_code from item_value_changes
     where reason is not null and item_id in (select id from items where name like 'Keys %')`,
  );
  expect(ledger).toEqual([{ reason: "Seen in trades today", reason_code: "trades_seen" }]);
  expect(await statusOf(page).textContent()).not.toContain("unsaved");

  // Everything is taken back at once, exactly.
  await page.getByRole("button", { name: "Take back 5 cells" }).click();
  await expectNotice(page, "Taken back", "5 cells as before.");
  await eventually(() => Promise.all(NAMES.map(value))).toEqual(["1M", "2M", "3M", "4M", "5M"]);
  expect(await publishedValue("Keys Cannon")).toBe("3M");

  // Of what was published, only the values can be taken back, and are counted.
  await show(page, "Count");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1.1M");
  await page.keyboard.press("Enter");
  await cellOf(page, "Count Barrel", "Item").click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("!");
  await publish(page, "Seen");
  await expectNotice(page, "3 cells published");
  await page.getByRole("button", { name: "Take back 1 cell" }).click();
  await expectNotice(page, "Taken back", "1 cell as before.");

  // Escape and Tab leave the grid, and a dialog lists the keys.
  await page.getByLabel("Filter by name").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const isIn = () => page.evaluate(() => document.activeElement?.closest("[role=grid]") !== null);
  expect(await isIn()).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  expect(await isIn()).toBe(false);
  await page.getByRole("button", { name: "Keys of the grid" }).click();
  await page.getByRole("dialog", { name: "Keys of the grid" }).getByText("Ctrl+D").waitFor();
});

test("ranges are typed and pasted by their headings, and one that does not contain its value says so at its cell; notes and composed text arrive whole", async () => {
  const page = await openWith("Spread");
  await cellOf(page, "Spread Anchor", "Lowest").click();
  for (const text of ["900K", "9M"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  await cellOf(page, "Spread Cannon", "Item").click();
  await paste(page, "Item\tHighest\tValue\nSpread Cannon\t4.5M\t4M\nSpread Dinghy\tlots\t4.1M\n");
  expect(await textOf(cellOf(page, "Spread Cannon", "Highest"))).toBe("4.5M");
  await publish(page, "Seen in trades today");
  await eventually(() => statusOf(page).textContent()).toMatch(/2 unsaved/);
  await cellOf(page, "Spread Barrel", "Lowest").click();
  const region = page.getByRole("region", { name: "Value grid" });
  await region.getByText("The value would not lie between its lowest and highest").first().waitFor();
  await cellOf(page, "Spread Dinghy", "Highest").click();
  await region.getByText("Not a number. Empty is none").first().waitFor();
  const rows = await sql(
    "select current_low, current_value, current_high from items where name like 'Spread %' order by name",
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["900K", "1M", null],
    [null, "2M", null],
    [null, "4M", "4.5M"],
    [null, "4.1M", null],
    [null, "5M", null],
  ]);
  for (let step = 0; step < 2; step += 1) {
    await cellOf(page, step ? "Spread Barrel" : "Spread Dinghy", step ? "Lowest" : "Highest").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Delete");
  }

  // A note is kept when another cell is pressed while it is being typed.
  await show(page, "Noted");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1.1M");
  await page.keyboard.press("Enter");
  await cellOf(page, "Noted Anchor", "Value").click();
  const note = page.getByLabel("Note for this cell");
  await note.fill("Seen twice");
  await cellOf(page, "Noted Barrel", "Value").click();
  await note.waitFor({ state: "detached" });
  await cellOf(page, "Noted Anchor", "Value").click();
  await eventually(() => note.inputValue()).toBe("Seen twice");
  await note.fill("");
  await page.keyboard.press("Escape");
  await cellOf(page, "Noted Anchor", "Value").click();
  await page.keyboard.press("Delete");
  expect(await statusOf(page).textContent()).not.toContain("unsaved");

  // What an input method or an accent composes on a closed cell.
  await show(page, "Composed");
  const cdp = await page.context().newCDPSession(page);
  /** A key that the input method takes, and what it has composed by then, as Chromium reports them. */
  async function compose(key: string, text: string) {
    await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, windowsVirtualKeyCode: 229 });
    await cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  const value = (name: string) => textOf(cellOf(page, `Composed ${name}`, "Value"));
  await cellOf(page, "Composed Anchor", "Value").click();
  await compose("Process", "1");
  await compose("Process", "12");
  await cdp.send("Input.insertText", { text: "12M" });
  await page.keyboard.press("Enter");
  await eventually(() => value("Anchor")).toBe("12M");
  await compose("Dead", "~");
  await cdp.send("Input.insertText", { text: "7M" });
  await page.keyboard.press("Enter");
  await eventually(() => value("Barrel")).toBe("7M");
  // Nothing composed changes nothing, and a list of choices opens as it is.
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Dead", windowsVirtualKeyCode: 229 });
  await page.keyboard.press("Enter");
  expect(await value("Cannon")).toBe("3M");
  await cellOf(page, "Composed Cannon", "Demand").click();
  const before = await textOf(cellOf(page, "Composed Cannon", "Demand"));
  await cdp.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    windowsVirtualKeyCode: 229,
  });
  await page.keyboard.press("Enter");
  expect(await textOf(cellOf(page, "Composed Cannon", "Demand"))).toBe(before);
  expect(await statusOf(page).textContent()).toContain("2 unsaved");
});

test("many cells at once are selected, raised, rounded, filled and confirmed, pasted from a spreadsheet, in place or by item name, and copied into one", async () => {
  const page = await openWith("Many");
  const value = (name: string) => textOf(cellOf(page, `Many ${name}`, "Value"));
  // Drag over three of them.
  await cellOf(page, "Many Anchor", "Value").hover();
  await page.mouse.down();
  await cellOf(page, "Many Cannon", "Value").hover();
  await page.mouse.up();
  await page.keyboard.press("%");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  expect(await Promise.all(NAMES.map(value))).toEqual(["1.05M", "2.1M", "3.15M", "4M", "5M"]);
  expect(await statusOf(page).textContent()).toContain("3 values raised");
  // Round the cells that are still selected.
  await page.keyboard.press("~");
  await page.keyboard.type("100K");
  await page.keyboard.press("Enter");
  expect(await Promise.all(NAMES.map(value))).toEqual(["1.1M", "2.1M", "3.2M", "4M", "5M"]);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");

  // A column's header selects the whole column.
  await page.getByRole("columnheader", { name: "Permanent" }).click();
  await page.keyboard.press("%");
  await page.keyboard.type("-10");
  await page.keyboard.press("Enter");
  await eventually(() => textOf(cellOf(page, "Many Ensign", "Permanent"))).toBe("45M");
  await page.keyboard.press("Delete");
  await eventually(() => textOf(cellOf(page, "Many Ensign", "Permanent"))).toBe("50M");

  await cellOf(page, "Many Anchor", "Value").click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+d");
  expect(await value("Barrel")).toBe("1M");
  await page.keyboard.press("Control+z");

  // Names select rows; a check needs no reason.
  await sql("update items set values_checked_at = now() - interval '9 days' where name like 'Many %'");
  await cellOf(page, "Many Barrel", "Item").click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("!");
  await eventually(() => textOf(cellOf(page, "Many Cannon", "Checked"))).toBe("still right");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Publish 2 cells" }).click();
  await expectNotice(page, "2 cells published");
  const checked = await sql(
    `select name from items where name like 'Many %' and values_checked_at > now() - interval '1 hour' order by name`,
  );
  expect(checked).toEqual([{ name: "Many Barrel" }, { name: "Many Cannon" }]);

  await show(page, "Paste");
  const pasted = (name: string) => textOf(cellOf(page, `Paste ${name}`, "Value"));
  await cellOf(page, "Paste Barrel", "Value").click();
  await paste(page, "7M\tx\t70M\r\n8M\ty\t80M\r\n");
  expect(await Promise.all(NAMES.map(pasted))).toEqual(["1M", "7M", "8M", "4M", "5M"]);
  expect(await textOf(cellOf(page, "Paste Cannon", "Permanent"))).toBe("80M");

  await cellOf(page, "Paste Anchor", "Item").click();
  await paste(
    page,
    "Item\tDemand\tValue\npaste ensign\tVery High\t9M\nNobody\tlow\t1M\nPaste Anchor\thuge\tlots",
  );
  expect(await pasted("Ensign")).toBe("9M");
  expect(await textOf(cellOf(page, "Paste Ensign", "Demand"))).toBe("Very High");
  expect(await statusOf(page).textContent()).toContain("1 name not found: “Nobody”");
  // Invalid cells say why, and are not published with the others.
  expect(await cellOf(page, "Paste Anchor", "Value").getAttribute("aria-invalid")).toBe("true");
  const wrong = page.getByRole("button", { name: "Go to the next" });
  for (const column of ["Demand", "Value", "Demand", "Value"] as const) {
    await wrong.click();
    const cell = cellOf(page, "Paste Anchor", column);
    await eventually(() => cell.evaluate((each) => each === document.activeElement)).toBe(true);
  }
  await page.getByText("Not a number. 640M, 1.2B and 640,000,000 are").first().waitFor();
  // A check is not published beside a value; once undone, nothing is said of it.
  await page.keyboard.press("!");
  await eventually(() => statusOf(page).textContent()).toContain("1 item marked as still right");
  await page.getByRole("button", { name: "Publish 6 cells" }).waitFor();
  await page.keyboard.press("Control+z");
  await eventually(() => statusOf(page).textContent()).not.toContain("marked");

  await page.keyboard.press("Shift+ArrowDown");
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return clipboardData.getData("text/plain");
  });
  expect(copied).toBe("lots\n7M");
  // One undo reverts a whole paste.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  expect(await Promise.all(NAMES.map(pasted))).toEqual(["1M", "2M", "3M", "4M", "5M"]);

  // A hidden item gets its values, too, and not another one that has its name as an alias.
  await sql("update items set aliases = 'Paste Cannon' where name = 'Paste Barrel'");
  const filter = page.getByLabel("Filter by name");
  await filter.fill("Paste Barrel");
  await eventually(() => statusOf(page).textContent()).toMatch(/^1 of/);
  await cellOf(page, "Paste Barrel", "Item").click();
  await paste(page, "Paste Cannon\t6M");
  await eventually(() => statusOf(page).textContent()).toContain("1 hidden item among them");
  await filter.fill("Paste");
  await eventually(() => pasted("Cannon")).toBe("6M");
  expect(await pasted("Barrel")).toBe("2M");
});

test("a reload loses no input, not even the text of an open cell or the reason; filters are saved under a name; a second tab takes over nothing", async () => {
  const page = await openWith("Tabs");
  await cellOf(page, "Tabs Anchor", "Value").click();
  await page.keyboard.type("1.5");
  const other = await page.context().newPage();
  await other.goto("/admin?tab=grid");
  await other.locator("[data-row]").first().waitFor();
  await other.getByLabel("Unsaved only").check();
  await eventually(() => statusOf(other).textContent()).toMatch(/^0 of \d+ items$/);
  await page.bringToFront();
  await page.keyboard.type("M");
  await page.keyboard.press("Enter");
  await eventually(() => textOf(cellOf(page, "Tabs Anchor", "Value"))).toBe("1.5M");
  await other.close();
  await page.keyboard.press("Control+z");
  await eventually(() => statusOf(page).textContent()).not.toContain("unsaved");

  await show(page, "Kept");
  await sql("update items set current_value = 'N/A' where name = 'Kept Ensign'");
  await page.getByLabel("Missing values").selectOption("regular");
  await eventually(() => statusOf(page).textContent()).toMatch(/^1 of/);
  await page.getByRole("button", { name: "Save filter" }).click();
  await page.keyboard.type("Mine");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Show all" }).click();

  await show(page, "Kept");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1.2M");
  await page.keyboard.press("Enter");
  await page.keyboard.type("2.2M");
  await page.reload();
  await page.locator("[data-row]").first().waitFor();
  await page.getByLabel("Unsaved only").check();
  await eventually(() => textOf(cellOf(page, "Kept Barrel", "Value"))).toBe("2.2M");
  expect(await textOf(cellOf(page, "Kept Anchor", "Value"))).toBe("1.2M");
  await page.getByRole("button", { name: "Publish 2 cells" }).click();
  await page.getByRole("dialog").getByLabel("Note").fill("Half a sentence");
  await page.reload();
  await page.getByRole("button", { name: "Publish 2 cells" }).click();
  await eventually(() => page.getByRole("dialog").getByLabel("Note").inputValue()).toBe("Half a sentence");
  await page.keyboard.press("Escape");
  expect(await publishedValue("Kept Anchor")).toBe("1M");

  await page.getByLabel("Saved filters").selectOption("Mine");
  await eventually(() => statusOf(page).textContent()).toMatch(/^1 of/);
  await page.getByRole("button", { name: "Forget the filter Mine" }).click();
  await page.getByRole("button", { name: "Show all" }).click();
  await eventually(() => statusOf(page).textContent()).toMatch(/^\d+ items/);
});

test("two editors in one grid see each other's values, and choose one if both changed it", async () => {
  const ben = await signUpAdmin(site);
  const page = await openWith("Both");
  const other = await openGrid(ben, site.address);
  await other.keyboard.press("/");
  await other.keyboard.type("Both");
  await other.keyboard.press("Enter");
  const value = (where: Page, name: string) => textOf(cellOf(where, `Both ${name}`, "Value"));

  // Eve edits two cells; Ben publishes one of these and a third.
  await page.keyboard.press("Enter");
  await page.keyboard.type("1.1M");
  await page.keyboard.press("Enter");
  await page.keyboard.type("2.1M");
  await page.keyboard.press("Enter");
  await cellOf(other, "Both Barrel", "Value").click();
  await other.keyboard.type("2.2M");
  await other.keyboard.press("Enter");
  await other.keyboard.type("3.2M");
  await other.keyboard.press("Enter");
  await publish(other, "Seen by Ben");

  await eventually(() => value(page, "Cannon")).toBe("3.2M");
  await cellOf(page, "Both Barrel", "Value").and(page.locator("[data-mark=clash]")).waitFor();
  expect(await value(page, "Barrel")).toBe("2.1M");
  expect(await statusOf(page).textContent()).toContain("1 changed by others meanwhile");
  // Only the other cell can be published until this conflict is resolved.
  await page.getByRole("button", { name: "Publish 1 cell" }).waitFor();
  await cellOf(page, "Both Barrel", "Value").click();
  await page.getByText("Somebody else published 2.2M meanwhile.").waitFor();
  await page.getByRole("button", { name: "Keep 2.1M" }).click();
  await cellOf(page, "Both Barrel", "Value").click();
  await publish(page, "Seen by Eve");
  await eventually(() => value(other, "Barrel")).toBe("2.1M");
  await eventually(() => value(other, "Anchor")).toBe("1.1M");
  expect(await publishedValue("Both Barrel")).toBe("2.1M");

  // The other editor's value can also be accepted with one press.
  await cellOf(page, "Both Dinghy", "Value").click();
  await page.keyboard.type("4.1M");
  await page.keyboard.press("Enter");
  await sql("update items set current_value = '4.4M' where name = 'Both Dinghy'");
  await cellOf(page, "Both Dinghy", "Value").and(page.locator("[data-mark=clash]")).waitFor();
  await cellOf(page, "Both Dinghy", "Value").click();
  await page.getByRole("button", { name: "Take 4.4M" }).click();
  await eventually(() => value(page, "Dinghy")).toBe("4.4M");

  // A large change waits for a second person, since one exists, and stays marked.
  await cellOf(page, "Both Ensign", "Value").click();
  await page.keyboard.type("7M");
  await page.keyboard.press("Enter");
  await publish(page, "A big step");
  await expectNotice(page, "Nothing published yet", "1 cell waits for a second person.");
  await cellOf(page, "Both Ensign", "Value").and(page.locator("[data-mark=waiting]")).waitFor();
  await cellOf(page, "Both Ensign", "Value").click();
  await page.getByText("7M is proposed. A second person looks at it first: the change is large.").waitFor();
  // The other editor sees it too; once it is approved, both see the value.
  await cellOf(other, "Both Ensign", "Value").and(other.locator("[data-mark=waiting]")).waitFor();
  expect(await publishedValue("Both Ensign")).toBe("5M");
  const [{ id }] = await sql("select id from value_proposals where state = 'waiting' and new_value = '7M'");
  await ben.client.rpc("approve_proposals", { ids: [id] }).throwOnError();
  await eventually(() => value(page, "Ensign")).toBe("7M");
  await eventually(() => page.locator("[data-mark]").count()).toBe(0);
});

test("no value that its editor has not seen is confirmed as still right, and cells of an item that is deleted meanwhile are counted and dropped with one press", async () => {
  const page = await openWith("Right");
  await cellOf(page, "Right Anchor", "Item").click();
  await page.keyboard.press("!");
  await page.getByRole("button", { name: "Publish 1 cell" }).waitFor();
  await sql("update items set current_value = '1.1M' where name = 'Right Anchor'");
  const mark = cellOf(page, "Right Anchor", "Checked");
  await mark.and(page.locator("[data-mark=clash]")).waitFor();
  await mark.click();
  await page.getByText("Somebody else published 1.1M meanwhile.").waitFor();
  await page.getByRole("button", { name: "Keep still right" }).click();
  await page.getByRole("button", { name: "Publish 1 cell" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish 1 cell" });
  await sql("update items set current_value = '1.2M' where name = 'Right Anchor'");
  await dialog.getByRole("button", { name: "Publish 1 cell" }).click();
  await expectNotice(page, "Nothing published yet", "1 cell not published: they stay marked in the grid.");
  const checks = await sql(
    "select from item_value_checks where checked_by = $1 and item_id = (select id from items where name = 'Right Anchor')",
    [eve.id],
  );
  expect(checks).toEqual([]);
  // Publishing a value confirms it: no mark is left that says otherwise.
  await mark.click();
  await page.getByRole("button", { name: "Keep still right" }).click();
  await cellOf(page, "Right Anchor", "Value").click();
  await page.keyboard.type("1.3M");
  await page.keyboard.press("Enter");
  await publish(page, "Seen in trades today");
  await expectNotice(page, "1 cell published");
  await eventually(() => statusOf(page).textContent()).toMatch(/^5 of \d+ items$/);

  await show(page, "Gone");
  await page.keyboard.press("Enter");
  for (const text of ["1.5M", "2.5M"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  await sql("delete from items where name = 'Gone Anchor'");
  await eventually(() => statusOf(page).textContent()).toMatch(/ · 1 unsaved · 1 cell of deleted items/);
  await page.getByRole("button", { name: "Publish 1 cell" }).waitFor();
  await page.getByRole("button", { name: "Drop 1 cell" }).click();
  await eventually(() => statusOf(page).textContent()).toMatch(/ · 1 unsaved$/);
  await page.reload();
  await eventually(() => statusOf(page).textContent()).toMatch(/ · 1 unsaved$/);
});

test("values that were published although the answer was lost count as published, at once or at the next attempt", async () => {
  const page = await openWith("Lost", {
    expectedProblems: [/rpc\/publish_values|value_proposals/, /Failed to load/],
  });
  await page.keyboard.press("Enter");
  await page.keyboard.type("1.1M");
  await page.keyboard.press("Enter");
  await page.route("**/rpc/publish_values", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await publish(page, "Seen");
  await expectNotice(page, "1 cell published");
  expect(await publishedValue("Lost Anchor")).toBe("1.1M");
  await page.getByRole("button", { name: "Take back 1 cell" }).click();
  await expectNotice(page, "Taken back", "1 cell as before.");
  expect(await publishedValue("Lost Anchor")).toBe("1M");

  await page.route("**/value_proposals?*", (route) => route.abort());
  await cellOf(page, "Lost Barrel", "Value").click();
  await page.keyboard.type("2.1M");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Publish 1 cell" });
  await dialog.getByLabel("Reason").selectOption({ label: "Trades were seen at this value" });
  await dialog.getByLabel("Note").fill("Seen");
  const boxes = await Promise.all(
    ["Reason", "Note"].map((label) => dialog.getByLabel(label, { exact: true }).boundingBox()),
  );
  expect(boxes[0]?.y, "the two fields are level").toBe(boxes[1]?.y);
  await dialog.getByLabel("Note").press("Enter");
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  await page.unrouteAll();
  await dialog.getByLabel("Note").press("Enter");
  await expectNotice(page, "1 cell published");
  expect(await publishedValue("Lost Barrel")).toBe("2.1M");
  await eventually(() => statusOf(page).textContent()).toMatch(/^5 of \d+ items$/);
});

test("a new editor's changes wait, and one who loses the role meanwhile publishes nothing and keeps the input", async () => {
  const ida = await signUpAdmin(site);
  await sql("update user_roles set role = 'editor' where user_id = $1", [ida.id]);
  const page = await openGrid(ida, site.address, { expectedProblems: [/403|42501/] });
  const waiting = (await page.locator("[data-row] > th").nth(2).textContent()) ?? "";
  const cell = cellOf(page, waiting, "Demand");
  await cell.click();
  await page.keyboard.press("l");
  await page.keyboard.press("Enter");
  await publish(page, "Nobody asks for it");
  await expectNotice(page, "Nothing published yet", "1 cell waits for a second person.");
  await cell.and(page.locator("[data-mark=waiting]")).waitFor();
  await cell.click();
  await page.getByText("a new editor’s changes wait").waitFor();

  const name = (await page.locator("[data-row] > th").first().textContent()) ?? "";
  await cellOf(page, name, "Value").click();
  const before = await textOf(cellOf(page, name, "Value"));
  await page.keyboard.type("123M");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Publish 1 cell" });
  await dialog.getByLabel("Reason").selectOption({ index: 1 });
  await dialog.getByLabel("Note").fill("One more");
  await dialog.getByLabel(/more than half/).check();
  await sql("delete from user_roles where user_id = $1", [ida.id]);
  await dialog.getByRole("button", { name: "Publish 1 cell" }).click();
  await expectNotice(page, "Error", "Only editors and admins publish values");
  expect(await publishedValue(name)).toBe(before);
  await page.waitForURL("/");
  await sql("insert into user_roles (user_id, role) values ($1, 'editor')", [ida.id]);
  await page.goto("/admin?tab=grid");
  await eventually(() => textOf(cellOf(page, name, "Value"))).toBe("123M");
});

test("on a phone the name stays visible and the actions are reachable, and axe finds nothing", async () => {
  const page = await openWith("Phone", { width: 360, height: 740, colorScheme: "dark" });
  await expectNoSidewaysScroll(page);
  const cell = cellOf(page, "Phone Anchor", "Permanent");
  await cell.scrollIntoViewIfNeeded();
  const left = (await page.locator(".value-grid").boundingBox())?.x;
  const name = await cellOf(page, "Phone Anchor", "Item").boundingBox();
  expect(name?.x).toBe(left);
  await cell.click();
  await page
    .getByRole("toolbar", { name: "Selected cells" })
    .getByRole("button", { name: "Raise by %" })
    .click();
  expect(await textOf(cell)).toBe("10.5M");
  await expectNoAxeFindings(page);
});
