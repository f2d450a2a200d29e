import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { paint } from "#tests/helpers/screen-checks.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually } from "#tests/helpers/visit.ts";
import {
  choose,
  focused,
  names,
  openCalculator,
  openPicker,
  readText,
  search,
  slots,
  textOf,
  verdict,
} from "./calculator-page.ts";

const PHONE = { width: 360, height: 740 };
const TRADE = "/calculator?you=dough,dough&them=tiger";

/** The top and bottom edge of the visible element, in viewport coordinates. */
const edges = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

describe("the first screen", () => {
  test("of a phone shows both sides and the verdict with its actions", async () => {
    const page = await openCalculator(TRADE, PHONE);
    await page.getByRole("link", { name: "Log in to keep this trade" }).waitFor();
    const strip = await edges(page, ".verdict-head");
    expect((await edges(page, ".offer-you")).top).toBeGreaterThan(0);
    expect((await edges(page, ".offer-them")).bottom).toBeLessThanOrEqual(strip.top);
    expect(strip.bottom).toBeLessThanOrEqual((await edges(page, ".bottom-bar")).top + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test.each([TRADE, `/calculator?you=${Array(9).fill("dough")}&them=${Array(9).fill("kitsune.p")}`])(
    "of a desktop shows all of %s",
    async (trade) => {
      const page = await openCalculator(trade);
      for (const part of [".offer-you", ".offer-them", ".verdict"]) {
        expect((await edges(page, part)).bottom).toBeLessThanOrEqual(800);
      }
    },
  );

  test("grows with its content: filling the last slot of a row adds the next row", async () => {
    const page = await openCalculator("/calculator?you=dough,dough", PHONE);
    const shown = () => page.locator("[id^=slot-you]").filter({ visible: true }).count();
    expect(await shown()).toBe(3);
    await page.getByRole("button", { name: "+1 Dough" }).first().click();
    await eventually(shown).toBe(6);
  });

  test.each([320, 360])("at %i px no control is smaller than 44 px", async (width) => {
    const page = await openCalculator("/calculator?you=dough,kitsune.p,sea-monster", { ...PHONE, width });
    await page.getByRole("link", { name: "Log in to keep this trade" }).waitFor();
    const small = () =>
      page.locator("main").evaluate((main) =>
        [...main.querySelectorAll("button, a, input")]
          .filter((each) => each.checkVisibility() && each.closest("p") === null)
          .map((each) => ({
            what: each.getAttribute("aria-label") ?? each.textContent,
            box: each.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.height < 43.9 || box.width < 43.9)
          .map(({ what }) => what),
      );
    expect(await small()).toEqual([]);
    await openPicker(page, "#slot-them-1");
    await page.getByRole("button", { name: "Add several" }).click();
    expect(await small()).toEqual([]);
  });
});

describe("the strip", () => {
  test("is visible at any scroll position, and covers nothing at the page's end", async () => {
    const page = await openCalculator(TRADE, PHONE);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    for (const name of ["Share this trade", "Reset Calculator"]) {
      await page.getByRole("button", { name }).click({ trial: true });
    }
    const strip = await edges(page, ".verdict-head");
    expect((await edges(page, ".site-footer-foot")).bottom).toBeLessThanOrEqual(strip.top);
  });

  test("leaves room for notices: neither covers the other", async () => {
    const page = await openCalculator(TRADE, PHONE);
    await page.context().grantPermissions(["clipboard-write"]);
    await page.getByRole("button", { name: "Share this trade" }).click();
    await page.getByText("Link copied").waitFor();
    const strip = await edges(page, ".verdict-head");
    expect((await edges(page, ".toast")).bottom).toBeLessThanOrEqual(strip.top);
  });

  test("can restore a removed item", async () => {
    const page = await openCalculator(TRADE, PHONE);
    await page.getByRole("button", { name: "Remove Tiger" }).click();
    await page.waitForURL(/you=dough,dough$/);
    await page.getByRole("button", { name: "Undo remove" }).click();
    await page.waitForURL(/them=tiger$/);
    expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
  });
});

test("a tap on an item adds one more of it in the same mode, until its side is full", async () => {
  const page = await openCalculator("/calculator?you=dough.p", PHONE);
  await page.getByRole("button", { name: "+1 Dough" }).click();
  await eventually(() => slots(page).then((all) => all.slice(0, 3))).toEqual([
    "Dough Permanent",
    "Dough Permanent",
    "",
  ]);
  const full = await openCalculator(`/calculator?you=${Array(9).fill("dough")}`, PHONE);
  expect(await full.getByRole("button", { name: /\+1/ }).count()).toBe(0);
  const picture = full.getByRole("button", { name: "Dough", exact: true, disabled: true }).first();
  await picture.click({ force: true });
  expect(new URL(full.url()).search).toBe(`?you=${Array(9).fill("dough")}`);
});

test("the scale shows the pictures of the items", async () => {
  const page = await openCalculator(TRADE);
  const pictures = () =>
    page.locator(".balance image").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  expect(await pictures()).toEqual(["/items/dough.svg", "/items/dough.svg", "/items/tiger.svg"]);
});

describe("the picker", () => {
  test("accepts several items without closing, shows them, and closes with Done", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-them-1");
    await page.getByRole("button", { name: "Add several" }).click();
    const picked = page.locator(".picker-picked");
    expect(await picked.textContent()).toBe("Nothing picked yet");
    for (const name of ["Dough", "Dough", "Tiger"]) await choose(page, name);
    await eventually(() => picked.textContent()).toBe("2 Dough, Tiger");
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    await page.waitForURL(/\?them=dough,dough,tiger$/);
    // After several picks the picker stays open the next time too; Done is the other way to close it.
    await openPicker(page, "#slot-you-1");
    await search(page).fill("kitsune");
    await page.keyboard.press("Enter");
    await eventually(() => search(page).inputValue()).toBe("");
    await page.getByRole("button", { name: "Done" }).click();
    await page.waitForURL(/\?you=kitsune&them=dough,dough,tiger$/);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("fills the next empty slot also after several were added and that was switched off", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-you-1");
    const several = page.getByRole("button", { name: "Add several" });
    await several.click();
    await choose(page, "Dough");
    await eventually(() => page.locator(".picker-picked").textContent()).toBe("Dough");
    await several.click();
    await choose(page, "Kitsune");
    await page.waitForURL(/\?you=dough,kitsune$/);
    await expect.poll(() => focused(page)).toBe("slot-you-2");
  });

  test("says that a side is full, and stays open for it, whether several are added or not", async () => {
    const page = await openPicker(
      await openCalculator(`/calculator?you=${Array(8).fill("dough")}`, PHONE),
      "#slot-you-9",
    );
    const several = page.getByRole("button", { name: "Add several" });
    await several.click();
    await choose(page, "Tiger");
    const picked = page.locator(".picker-picked");
    await eventually(() => picked.textContent()).toBe("This side is full: 8 Dough, Tiger");
    await several.click();
    await choose(page, "Kitsune");
    expect(await picked.textContent()).toBe("This side is full: 8 Dough, Tiger");
    await page.getByRole("button", { name: "Done" }).click();
    await page.waitForURL(/dough,tiger$/);
  });

  test("is a sheet at the bottom of a phone, with its search focused", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-you-1");
    await page.locator("dialog input:focus").waitFor();
    const box = await page.getByRole("dialog").boundingBox();
    expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))]).toEqual([0, 360, 740]);
  });

  test("lists each item once: recently picked first, then by demand, then all others by name", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-you-1");
    await choose(page, "Rocket");
    await page.waitForURL(/rocket/);
    await openPicker(page, "#slot-you-2");
    await eventually(() => names(page)).toHaveLength(86);
    const list = await names(page);
    expect(new Set(list).size).toBe(86);
    expect(list[0]).toBe("Rocket");
    expect(await page.getByRole("dialog").getByRole("heading", { level: 3 }).allTextContents()).toEqual([
      "Recent",
      "Most wanted",
      "All others",
    ]);
    const rest = list.slice(9);
    expect(rest).toEqual(rest.toSorted());
  });

  test("shows only a category's items when its name is pressed, and all again on the next press", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-you-1");
    const chip = page.getByRole("button", { name: "Gamepasses" });
    await chip.click();
    await eventually(() =>
      names(page).then((all) => all.includes("2x Mastery") && !all.includes("Dough")),
    ).toBe(true);
    await chip.click();
    await eventually(() => names(page).then((all) => all.length)).toBe(86);
  });

  test.each([
    ["leopard", "tiger"],
    ["kitsnue", "kitsune"],
    ["west drag", "west-dragon"],
    ["perm dough", "dough.p"],
  ])("%s picks %s", async (text, slot) => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-you-1");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${testSite().address}/calculator?you=${slot}`);
  });

  test("axe finds nothing in it while several are added, light and dark", async () => {
    const page = await openCalculator("/calculator?you=dough", { ...PHONE, reducedMotion: "reduce" });
    await openPicker(page, "#slot-you-2");
    await page.getByRole("button", { name: "Add several" }).click();
    await expectNoAxeFindings(page);
    await paint(page, "dark");
    await expectNoAxeFindings(page, { rules: ["color-contrast"] });
  });
});

describe("a typed trade", () => {
  const type = async (page: Page, text: string) => {
    await page.getByLabel("Type a trade").fill(text);
    await page.keyboard.press("Enter");
  };
  const answer = (page: Page) => textOf(page, "#typed-answer");

  test("fills both sides, and is undone with one press", async () => {
    const page = await openCalculator("/calculator?you=control", PHONE);
    await type(page, "perm dough + 2 portal for kitsune");
    await page.waitForURL(/\?you=dough\.p,portal,portal&them=kitsune$/);
    await eventually(() => answer(page)).toBe("Both sides are filled.");
    expect(await page.getByLabel("Type a trade").inputValue()).toBe("");
    expect(await verdict(page)).toMatch(/Overpaying/);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForURL(/\?you=control$/);
  });

  test("lists unknown names, fills the rest, and asks where a name is ambiguous", async () => {
    const page = await openCalculator("/calculator", PHONE);
    await type(page, "2 dragon + zzzzzzzz for kitsune");
    await page.waitForURL(/\?them=kitsune$/);
    await eventually(() => answer(page)).toMatch(
      /^There's no item called “zzzzzzzz”\. Their side is filled\. “dragon” could be more than one item\./,
    );
    await eventually(() => page.getByLabel("Type a trade").inputValue()).toBe(
      "2 dragon + zzzzzzzz for kitsune",
    );
    await expectNoAxeFindings(page);
    await page.getByRole("button", { name: "West Dragon" }).click();
    await page.waitForURL(/\?you=west-dragon,west-dragon&them=kitsune$/);
    await eventually(() => page.getByLabel("Type a trade").inputValue()).toBe(
      "2 West Dragon + zzzzzzzz for kitsune",
    );
  });

  test("says what did not fit", async () => {
    const page = await openCalculator("/calculator", PHONE);
    await type(page, "12 dough for tiger");
    await eventually(() => answer(page)).toBe(
      "A side holds nine items: 3 of yours did not fit. Both sides are filled.",
    );
  });

  test("says so if no item was recognized, and keeps the text for correction", async () => {
    const page = await openCalculator("/calculator", PHONE);
    await type(page, "🍩🍩");
    await eventually(() => answer(page)).toMatch(/^No item was found in that\./);
    await eventually(() => page.getByLabel("Type a trade").inputValue()).toBe("🍩🍩");
  });
});

test("at 400 % zoom nothing covers the slots and nothing is wider than the window", async () => {
  const page = await openCalculator(TRADE, { width: 320, height: 200 });
  expect(await page.locator(".verdict-head").evaluate((it) => getComputedStyle(it).position)).toBe("static");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("screen readers get the mode's full name, however short the visible label", async () => {
  const page = await openCalculator("/calculator?you=kitsune", PHONE);
  const slot = page.getByRole("group", { name: "You, slot 1: Kitsune" });
  await slot.getByRole("radio", { name: "Permanent" }).check();
  await page.waitForURL(/kitsune\.p$/);
  expect(await readText(slot)).toContain("6.24B");
});
