import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openPage, type PageOptions } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive } from "#tests/helpers/visit.ts";

export async function openCalculator(path = "/calculator", options: PageOptions = {}): Promise<Page> {
  const page = await openPage({ baseUrl: testSite().address, ...options });
  await page.goto(path);
  if (options.javaScript !== false) await alive(page);
  return page;
}

export async function openPicker(page: Page, slot: string): Promise<Page> {
  await page.locator(`${slot} [data-add-item]`).click();
  await page.getByRole("dialog", { name: "Select Item" }).waitFor();
  return page;
}

export const search = (page: Page) => page.getByPlaceholder("Search items...");

export async function choose(page: Page, name: string) {
  await page
    .getByRole("dialog")
    .locator("li button", { has: page.getByText(name, { exact: true }) })
    .click();
}

export function names(page: Page): Promise<string[]> {
  return page
    .getByRole("dialog")
    .locator("li button")
    .evaluateAll((items) => items.map((item) => item.querySelector(":scope > span")?.textContent ?? ""));
}

export async function textOf(page: Page, selector: string): Promise<string> {
  return readText(page.locator(selector));
}

export const value = (page: Page, side: string) => figure(page, side, "VALUE");

export async function figure(page: Page, side: string, label: string): Promise<string> {
  const panel = page.getByRole("region", { name: side, exact: true });
  const line = panel.locator("dl > div").filter({ hasText: label });
  return readText(line.locator("dd"));
}

export function mode(page: Page, slot: string): Promise<string> {
  return readText(page.locator(`${slot} label:has(input:checked)`));
}

export function verdict(page: Page): Promise<string> {
  return readText(page.getByRole("region", { name: "Verdict" }).getByRole("status").first());
}

/** Each slot as name and mode; an empty string for an empty slot. */
export function slots(page: Page): Promise<string[]> {
  return page.locator("[id^=slot-]").evaluateAll((elements) =>
    elements.map((slot) => {
      const name = slot.querySelector("legend")?.textContent?.split(": ")[1];
      return name ? `${name} ${slot.querySelector("label:has(:checked)")?.textContent ?? "unknown"}` : "";
    }),
  );
}

/** The id of the focused slot. */
export function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest("li")?.id);
}

/** Reloads until the condition holds: a change in the database reaches the pages within a second. */
export async function expectAfterReload(page: Page, isTrue: () => Promise<boolean>) {
  await expect
    .poll(
      async () => {
        await page.reload();
        await alive(page);
        return isTrue();
      },
      { interval: 300 },
    )
    .toBe(true);
}

/** The visible text, with whitespace collapsed. */
export async function readText(locator: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what CSS hides is not what a reader sees
  return (await locator.innerText()).replace(/\s+/g, " ").trim();
}
