import { expect, test } from "vitest";
import { alive, eventually } from "#tests/helpers/visit.ts";
import {
  choose,
  figure,
  focused,
  mode,
  names,
  openCalculator,
  openPicker,
  search,
  textOf,
  value,
} from "./calculator-page.ts";

type Spot = [left: number, top: number];

test("each of 18 empty slots opens a modal picker that takes focus, searches, fits the window, and fills its slot", async () => {
  const page = await openCalculator();
  for (const side of ["You", "Them"]) {
    const panel = page.getByRole("region", { name: side, exact: true });
    expect(await panel.getByRole("heading", { name: side, exact: true }).count()).toBe(1);
    expect(await panel.getByText("Add Item", { exact: true }).count()).toBe(9);
  }
  await page.locator("#slot-them-5 button").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Select Item" });
  await dialog.waitFor();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  expect(await dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("slot-them-5");

  await openPicker(page, "#slot-them-5");
  await eventually(() => names(page)).toHaveLength(86);
  await search(page).fill("dOUGh");
  await eventually(() => names(page)).toEqual(["Dough"]);
  await page.getByRole("status").getByText("1 item", { exact: true }).waitFor({ state: "attached" });
  await search(page).fill("no such thing");
  await page.getByText("No items found").waitFor();
  await search(page).fill("tiger");
  await choose(page, "Tiger");
  await page.locator("#slot-them-5").getByText("Tiger").first().waitFor();
  await eventually(() => dialog.count()).toBe(0);
  expect(await page.getByText("Add Item", { exact: true }).count()).toBe(17);
  expect(new URL(page.url()).search).toBe("?them=,,,,tiger");

  await openPicker(page, "#slot-you-1");
  expect(await search(page).inputValue()).toBe("");
  await eventually(() => names(page)).toHaveLength(86);
  for (const [width, height] of [
    [320, 800],
    [1280, 1000],
    [1280, 500],
  ] as const) {
    await page.setViewportSize({ width, height });
    const lefts = await dialog
      .locator("li")
      .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().left)));
    expect(new Set(lefts).size, `columns at ${width} px`).toBe(4);
    if (width === 320) continue;
    // It takes at most 80 % of the window and scrolls inside.
    const before = await page.evaluate(() => scrollY);
    expect(Math.round((await dialog.boundingBox())?.height ?? height)).toBeLessThanOrEqual(height * 0.8);
    await page.getByRole("button", { name: "Yeti", exact: false }).last().scrollIntoViewIfNeeded();
    expect((await search(page).boundingBox())?.y).toBeGreaterThan(0);
    expect(await page.evaluate(() => scrollY)).toBe(before);
  }

  // Back closes the picker, which would hide what Back undoes.
  await page.goBack();
  await dialog.waitFor({ state: "hidden" });
  expect(new URL(page.url()).search).toBe("");
});

test("a slot is filled, switched and emptied by keyboard alone, without losing focus; the next item there starts as regular", async () => {
  const page = await openCalculator();
  await page.locator("#slot-you-2 button").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("kitsune");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  const wanted = await page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("Enter");
  await page.waitForURL(/you=/);
  expect(wanted).toMatch(/Kitsune/);
  await page.locator("#slot-you-2 input:focus").waitFor({ state: "attached" });
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/\.p$/);
  // Past the value, which is a link.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/calculator$/);
  await expect.poll(() => focused(page)).toBe("slot-you-2");

  // Down moves to the matches, even if pressed before the grid has updated.
  await openPicker(page, "#slot-you-2");
  await search(page).fill("dough");
  const kitsune = page.getByRole("dialog").getByRole("button", { name: /Kitsune/ });
  await kitsune.first().waitFor({ state: "detached" });
  // In one task, so that no device can update in between.
  await search(page).evaluate((box: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, "kitsune");
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
  });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/Kitsune/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/you=,kitsune$/);
  expect(await mode(page, "#slot-you-2")).toBe("Regular");
});

test("slots and panels show the figures of each item's mode, three slots per row at every width, and each value links to its item", async () => {
  const page = await openCalculator("/calculator?you=kitsune,kitsune");
  const first = page.locator("#slot-you-1");
  expect(await textOf(page, "#slot-you-1")).toMatch(/640M.*8M Beli/s);
  expect(await value(page, "You")).toBe("1.3B");
  for (let turn = 0; turn < 10; turn += 1) {
    const label = turn % 2 ? "Regular" : "Permanent";
    await first.getByText(label).click();
    await expect.poll(() => mode(page, "#slot-you-1")).toBe(label);
    expect(await mode(page, "#slot-you-2")).toBe("Regular");
    await expect.poll(() => value(page, "You")).toBe(turn % 2 ? "1.3B" : "6.9B");
    if (turn > 0) continue;
    await expect.poll(() => textOf(page, "#slot-you-1")).toMatch(/6\.24B.*4K Robux/s);
    expect(new URL(page.url()).search).toBe("?you=kitsune.p,kitsune");
  }

  await page.goto("/calculator?you=fruit-notifier.p,kitsune");
  await alive(page);
  expect(await first.getByRole("img", { name: "none" }).first().textContent()).toBe("–");
  expect(await value(page, "You")).toBe("640M + 1 unpriced");

  await page.goto("/calculator?you=kitsune,control");
  await alive(page);
  expect(await value(page, "You")).toBe("800M");
  expect(await figure(page, "You", "DEMAND")).toBe("4/10 Very High");
  expect(await value(page, "Them")).toBe("0");
  expect(await figure(page, "Them", "DEMAND")).toBe("0/10");

  await page.goto("/calculator?you=kitsune,control,tiger");
  await alive(page);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const spots = await page
      .locator("#slot-you-1, #slot-you-2, #slot-you-3, #slot-you-4")
      .evaluateAll((slots) =>
        slots.map((slot) => slot.getBoundingClientRect()).map(({ left, top }) => [left, top]),
      );
    const [one, two, three, four] = spots as [Spot, Spot, Spot, Spot];
    expect(new Set([one, two, three].map(([, top]) => top)).size, `at ${width} px`).toBe(1);
    expect(four[0]).toBe(one[0]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  const link = page.locator("#slot-you-1 .slot-value a");
  const box = await link.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  await link.click();
  await page.waitForURL(/\/fruits\/kitsune/);
});
