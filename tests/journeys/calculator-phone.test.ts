import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { expectAccessible } from "#tests/helpers/screen-checks.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
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
const TRADE = "/calculator?you=dough,dough&them=kitsune";

/** The top and bottom edge of the visible element, in viewport coordinates. */
const edges = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

test("the first screen of a phone shows both sides and the verdict with its actions, which covers nothing at the page's end, nor a notice, and can restore a removed item", async () => {
  const page = await openCalculator(TRADE, PHONE);
  await page.getByRole("link", { name: "Log in to keep this trade" }).waitFor();
  const first = await edges(page, ".verdict-head");
  // A second line of totals would move the slots while a trade is filled. Until its own fonts are at hand, the page is
  // shown in wider ones.
  await eventually(async () => {
    await page.reload();
    await page.locator(".offer-them", { hasText: "640MDEMAND4/10 Very High" }).waitFor();
    const heads = page.locator(".offer > dl");
    return new Set(await heads.evaluateAll((all) => all.map((each) => each.clientHeight))).size;
  }).toBe(1);
  expect((await edges(page, ".offer-you")).top).toBeGreaterThan(0);
  expect((await edges(page, ".offer-them")).bottom).toBeLessThanOrEqual(first.top);
  expect(first.bottom).toBeLessThanOrEqual((await edges(page, ".bottom-bar")).top + 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  for (const name of ["Share this trade", "Reset Calculator"]) {
    await page.getByRole("button", { name }).click({ trial: true });
  }
  const strip = await edges(page, ".verdict-head");
  expect((await edges(page, ".site-footer-foot")).bottom).toBeLessThanOrEqual(strip.top);

  await page.evaluate(() => scrollTo(0, 0));
  await page.context().grantPermissions(["clipboard-write"]);
  await page.getByRole("button", { name: "Share this trade" }).click();
  await page.getByText("Link copied").waitFor();
  const { top } = await edges(page, ".verdict-head");
  expect((await edges(page, ".toast")).bottom).toBeLessThanOrEqual(top);

  await page.getByRole("button", { name: "Remove Kitsune" }).click();
  await page.waitForURL(/you=dough,dough$/);
  await page.getByRole("button", { name: "Undo remove" }).click();
  await page.waitForURL(/them=kitsune$/);
  expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
});

test("the first screen of a desktop shows all of a trade, its pictures on the scale; at 400 % zoom nothing covers the slots and nothing is wider than the window", async () => {
  const page = await openCalculator(TRADE);
  const expectAll = async () => {
    for (const part of [".offer-you", ".offer-them", ".verdict"])
      expect((await edges(page, part)).bottom).toBeLessThanOrEqual(800);
  };
  await expectAll();
  const pictures = await page
    .locator(".balance img")
    .evaluateAll((all) => all.map((it) => it.getAttribute("src")));
  expect(pictures).toEqual(["/items/dough.svg", "/items/dough.svg", "/items/kitsune.svg"]);

  await page.goto(`/calculator?you=${Array(9).fill("dough")}&them=${Array(9).fill("kitsune.p")}`);
  await alive(page);
  await expectAll();

  await page.goto(TRADE);
  await page.setViewportSize({ width: 320, height: 200 });
  expect(await page.locator(".verdict-head").evaluate((it) => getComputedStyle(it).position)).toBe("static");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("a tap on an item adds one more of it in the same mode, and the next row with the last slot of one, until its side is full", async () => {
  const page = await openCalculator("/calculator?you=dough.p", PHONE);
  const shown = () => page.locator("[id^=slot-you]").filter({ visible: true }).count();
  await page.getByRole("button", { name: "+1 Dough" }).click();
  await eventually(() => slots(page).then((all) => all.slice(0, 3))).toEqual([
    "Dough Permanent",
    "Dough Permanent",
    "",
  ]);
  expect(await shown()).toBe(3);
  await page.getByRole("button", { name: "+1 Dough" }).first().click();
  await eventually(shown).toBe(6);

  await page.goto(`/calculator?you=${Array(9).fill("dough")}`);
  await alive(page);
  expect(await page.getByRole("button", { name: /\+1/ }).count()).toBe(0);
  const picture = page.getByRole("button", { name: "Dough", exact: true, disabled: true }).first();
  await picture.click({ force: true });
  expect(new URL(page.url()).search).toBe(`?you=${Array(9).fill("dough")}`);
});

test("no control is smaller than 44 px at 320 and 360 px, and screen readers get the mode's full name, however short the visible label", async () => {
  const page = await openCalculator("/calculator?you=dough,kitsune,sea-monster", PHONE);
  const slot = page.getByRole("group", { name: "You, slot 2: Kitsune" });
  await slot.getByRole("radio", { name: "Permanent" }).check();
  await page.waitForURL(/kitsune\.p/);
  expect(await readText(slot)).toContain("6.24B");

  await page.getByRole("link", { name: "Log in to keep this trade" }).waitFor();
  const expectNoneSmall = async () => {
    for (const width of [320, 360]) {
      await page.setViewportSize({ ...PHONE, width });
      const small = await page.locator("main").evaluate((main) =>
        [...main.querySelectorAll("button, a, input")]
          .filter((each) => each.checkVisibility() && each.closest("p") === null)
          .map((each) => ({
            what: each.getAttribute("aria-label") ?? each.textContent,
            box: each.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.height < 43.9 || box.width < 43.9)
          .map(({ what }) => what),
      );
      expect(small, `at ${width} px`).toEqual([]);
    }
  };
  await expectNoneSmall();
  await openPicker(page, "#slot-them-1");
  await page.getByRole("button", { name: "Add several" }).click();
  await expectNoneSmall();
});

describe("the picker", () => {
  test("is a sheet at the bottom of a phone with its search focused, accepts several items without closing, shows them, and closes with Done", async () => {
    const page = await openPicker(await openCalculator("/calculator", PHONE), "#slot-them-1");
    await page.locator("dialog input:focus").waitFor();
    const box = await page.getByRole("dialog").boundingBox();
    expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))]).toEqual([0, 360, 740]);

    const several = page.getByRole("button", { name: "Add several" });
    await several.click();
    const picked = page.locator(".picker-picked");
    expect(await picked.textContent()).toBe("Nothing picked yet");
    await search(page).fill("kits");
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await search(page).fill("");
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

    // The next empty slot also after several were added and that was switched off.
    await openPicker(page, "#slot-you-2");
    await choose(page, "Dough");
    await eventually(() => picked.textContent()).toMatch(/Dough$/);
    await several.click();
    await choose(page, "Tiger");
    await page.waitForURL(/\?you=kitsune,dough,tiger&/);
    await expect.poll(() => focused(page)).toBe("slot-you-3");
  });

  test("has all pictures from one file", async () => {
    const page = await openCalculator("/calculator", PHONE);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await openPicker(page, "#slot-them-1");
    const pictures = page.locator("dialog img.picker-picture");
    const loaded = () =>
      pictures.evaluateAll(
        (all) =>
          all.filter((each) => (each as HTMLImageElement).naturalWidth > 0 && each.matches(".drawing"))
            .length,
      );
    await eventually(loaded).toBe(86);
    expect(asked.filter((address) => address.endsWith(".svg"))).toEqual([
      expect.stringMatching(/\/assets\/drawings-[^/]+\.svg$/),
    ]);
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

  test("lists each item once: recently picked first, then by demand, then all others by name; a pressed category alone; Enter picks the first match", async () => {
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

    const chip = page.getByRole("button", { name: "Gamepasses" });
    await chip.click();
    await eventually(() =>
      names(page).then((all) => all.includes("2x Mastery") && !all.includes("Dough")),
    ).toBe(true);
    await chip.click();
    await eventually(() => names(page).then((all) => all.length)).toBe(86);
    await page.keyboard.press("Escape");

    const picked = ["rocket"];
    for (const [text, slot] of [
      ["leopard", "tiger"],
      ["kitsnue", "kitsune"],
      ["west drag", "west-dragon"],
      ["perm dough", "dough.p"],
    ] as const) {
      await openPicker(page, `#slot-you-${picked.length + 1}`);
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      picked.push(slot);
      await page.waitForURL(`${testSite().address}/calculator?you=${picked}`);
    }
  });
});

test("a typed trade fills both sides, is undone with one press, and says what was not found, ambiguous, or too much", async () => {
  const page = await openCalculator("/calculator?you=control", PHONE);
  const field = page.getByLabel("Type a trade");
  const type = async (text: string) => {
    await field.fill(text);
    await page.keyboard.press("Enter");
  };
  const answer = () => textOf(page, "#typed-answer");
  await type("perm dough + 2 portal for kitsune");
  await page.waitForURL(/\?you=dough\.p,portal,portal&them=kitsune$/);
  await eventually(answer).toBe("Both sides are filled.");
  expect(await field.inputValue()).toBe("");
  expect(await verdict(page)).toMatch(/Overpaying/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.waitForURL(/\?you=control$/);

  await page.goto("/calculator");
  await alive(page);
  await type("2 dragon + zzzzzzzz for kitsune");
  await page.waitForURL(/\?them=kitsune$/);
  await eventually(answer).toMatch(
    /^There's no item called “zzzzzzzz”\. Their side is filled\. “dragon” could be more than one item\./,
  );
  await eventually(() => field.inputValue()).toBe("2 dragon + zzzzzzzz for kitsune");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "West Dragon" }).click();
  await page.waitForURL(/\?you=west-dragon,west-dragon&them=kitsune$/);
  await eventually(() => field.inputValue()).toBe("2 West Dragon + zzzzzzzz for kitsune");

  await type("12 dough for tiger");
  await eventually(answer).toBe("A side holds nine items: 3 of yours did not fit. Both sides are filled.");
  await type("🍩🍩");
  await eventually(answer).toMatch(/^No item was found in that\./);
  await eventually(() => field.inputValue()).toBe("🍩🍩");
});
