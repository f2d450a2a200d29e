import { describe, expect, test } from "vitest";
import { eventually } from "#tests/helpers/visit.ts";
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

describe("slots and picker", () => {
  test("there are two headed panels, You and Them, of nine empty slots each", async () => {
    const page = await openCalculator();
    for (const side of ["You", "Them"]) {
      const panel = page.getByRole("region", { name: side, exact: true });
      expect(await panel.getByRole("heading", { name: side, exact: true }).count()).toBe(1);
      expect(await panel.getByText("Add Item", { exact: true }).count()).toBe(9);
    }
  });

  test.each([320, 768, 1280])(
    "there are three slots per row at %i px, and nothing is wider than the window",
    async (width) => {
      const page = await openCalculator("/calculator?you=kitsune,control,tiger", { width });
      const lefts = await page
        .locator("#slot-you-1, #slot-you-2, #slot-you-3, #slot-you-4")
        .evaluateAll((slots) =>
          slots.map((slot) => slot.getBoundingClientRect()).map(({ left, top }) => [left, top]),
        );
      const [first, second, third, fourth] = lefts as [Spot, Spot, Spot, Spot];
      expect(new Set([first, second, third].map(([, top]) => top)).size).toBe(1);
      expect(fourth[0]).toBe(first[0]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    },
  );

  test("a slot's value links to its item, and is large enough to tap", async () => {
    const page = await openCalculator("/calculator?you=kitsune");
    const link = page.locator("#slot-you-1 .slot-value a");
    const box = await link.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await link.click();
    await page.waitForURL(/\/fruits\/kitsune/);
  });

  test("an empty slot opens a modal dialog that takes focus; Escape closes it and focus returns to the slot", async () => {
    const page = await openCalculator();
    await page.locator("#slot-them-5 button").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Select Item" });
    await dialog.waitFor();
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("slot-them-5");
  });

  test("Back closes the picker, which would hide what Back undoes", async () => {
    const page = await openCalculator();
    await openPicker(page, "#slot-you-1");
    await choose(page, "Dough");
    await page.waitForURL(/you=dough/);
    await openPicker(page, "#slot-you-2");
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(new URL(page.url()).search).toBe("");
  });

  test("the search keeps the items whose name contains the text, ignoring case, and says if there are none", async () => {
    const page = await openPicker(await openCalculator(), "#slot-you-1");
    await eventually(() => names(page)).toHaveLength(86);
    await search(page).fill("dOUGh");
    await eventually(() => names(page)).toEqual(["Dough"]);
    await page.getByRole("status").getByText("1 item", { exact: true }).waitFor({ state: "attached" });
    await search(page).fill("no such thing");
    await page.getByText("No items found").waitFor();
  });

  test("the picker has four columns at every width", async () => {
    for (const width of [320, 1280]) {
      const page = await openPicker(await openCalculator("/calculator", { width }), "#slot-you-1");
      const lefts = await page
        .getByRole("dialog")
        .locator("li")
        .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().left)));
      expect(new Set(lefts).size).toBe(4);
    }
  });

  test.each([500, 1000])(
    "in a window of %i px the picker takes at most 80 % of it and scrolls inside",
    async (height) => {
      const page = await openPicker(await openCalculator("/calculator", { height }), "#slot-you-1");
      const dialog = page.getByRole("dialog");
      const before = await page.evaluate(() => scrollY);
      expect(Math.round((await dialog.boundingBox())?.height ?? height)).toBeLessThanOrEqual(height * 0.8);
      await page.getByRole("button", { name: "Yeti", exact: false }).last().scrollIntoViewIfNeeded();
      expect((await search(page).boundingBox())?.y).toBeGreaterThan(0);
      expect(await page.evaluate(() => scrollY)).toBe(before);
    },
  );

  test("choosing an item fills the activated slot, closes the dialog and clears the search", async () => {
    const page = await openPicker(await openCalculator(), "#slot-them-5");
    await search(page).fill("tiger");
    await choose(page, "Tiger");
    await page.locator("#slot-them-5").getByText("Tiger").first().waitFor();
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByText("Add Item", { exact: true }).count()).toBe(17);
    expect(new URL(page.url()).search).toBe("?them=,,,,tiger");
    await openPicker(page, "#slot-you-1");
    expect(await search(page).inputValue()).toBe("");
    await eventually(() => names(page)).toHaveLength(86);
  });

  test("a slot is filled, switched and emptied by keyboard alone, without losing focus", async () => {
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
  });

  test("Down moves to the matches, even if pressed before the grid has updated", async () => {
    const page = await openPicker(await openCalculator(), "#slot-you-1");
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
    await page.waitForURL(/you=kitsune$/);
  });

  test("Enter in the search picks the first item, which starts with the text", async () => {
    const page = await openPicker(await openCalculator(), "#slot-you-1");
    await page.keyboard.type("kitsune");
    await page.keyboard.press("Enter");
    await page.waitForURL(/you=kitsune$/);
  });

  test("removing a slot's item empties it, and the next item there starts as regular", async () => {
    const page = await openCalculator("/calculator?you=kitsune.p");
    await page.getByRole("button", { name: "Remove Kitsune" }).click();
    await page.locator("#slot-you-1").getByText("Add Item").waitFor();
    await openPicker(page, "#slot-you-1");
    await choose(page, "Kitsune");
    await page.waitForURL(/you=kitsune$/);
    expect(await mode(page, "#slot-you-1")).toBe("Regular");
  });
});

describe("figures", () => {
  test("a filled slot shows value and price of its mode, and the panel's total follows", async () => {
    const page = await openCalculator("/calculator?you=kitsune");
    expect(await textOf(page, "#slot-you-1")).toMatch(/640M.*8M Beli/s);
    expect(await value(page, "You")).toBe("640M");
    await page.locator("#slot-you-1").getByText("Permanent").click();
    await expect.poll(() => textOf(page, "#slot-you-1")).toMatch(/6\.24B.*4K Robux/s);
    expect(await value(page, "You")).toBe("6.2B");
    expect(new URL(page.url()).search).toBe("?you=kitsune.p");
  });

  test("an item without a value in a mode shows an en dash and counts as unpriced", async () => {
    const page = await openCalculator("/calculator?you=fruit-notifier.p,kitsune");
    expect(await page.locator("#slot-you-1").getByRole("img", { name: "none" }).first().textContent()).toBe(
      "–",
    );
    expect(await value(page, "You")).toBe("640M + 1 unpriced");
  });

  test("each panel shows the sum of its values, and demand out of ten with its word", async () => {
    const page = await openCalculator("/calculator?you=kitsune,control");
    expect(await value(page, "You")).toBe("800M");
    expect(await figure(page, "You", "DEMAND")).toBe("4/10 Very High");
    expect(await value(page, "Them")).toBe("0");
    expect(await figure(page, "Them", "DEMAND")).toBe("0/10");
  });

  test("a slot toggled ten times alternates and no other slot changes", async () => {
    const page = await openCalculator("/calculator?you=kitsune,kitsune");
    for (let turn = 0; turn < 10; turn += 1) {
      const label = turn % 2 ? "Regular" : "Permanent";
      await page.locator("#slot-you-1").getByText(label).click();
      await expect.poll(() => mode(page, "#slot-you-1")).toBe(label);
      expect(await mode(page, "#slot-you-2")).toBe("Regular");
      await expect.poll(() => value(page, "You")).toBe(turn % 2 ? "1.3B" : "6.9B");
    }
  });
});
