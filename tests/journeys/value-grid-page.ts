import type { Locator, Page } from "playwright-core";
import { type SignedIn, visitAs } from "#tests/helpers/signed-in.ts";

export type Column = "Item" | "Demand" | "Value" | "Permanent" | "Checked" | "Lowest" | "Highest";
const PLACES: Record<Column, number> = {
  Item: 0,
  Demand: 3,
  Value: 4,
  Permanent: 6,
  Checked: 10,
  Lowest: 11,
  Highest: 12,
};

/** Opens the grid and waits for its first row. */
export async function openGrid(
  person: Pick<SignedIn, "session">,
  address: string,
  options: Parameters<typeof visitAs>[2] = {},
): Promise<Page> {
  const page = await visitAs(person, "/admin?tab=grid", { address, ...options });
  await page.getByRole("grid", { name: "Values" }).locator("[data-row]").first().waitFor();
  return page;
}

/** A cell of an item whose row is rendered. */
export function cellOf(page: Page, item: string, column: Column): Locator {
  const name = page.locator(`th:text-is("${item}")`);
  return page.locator("[data-row]", { has: name }).locator(`[data-column="${PLACES[column]}"]`);
}

/** The text of a cell without its screen reader text. */
export const textOf = (cell: Locator) =>
  cell.evaluate((element) => [...element.childNodes].find((node) => node.nodeType === 3)?.textContent ?? "");

/** Pastes a text at the focused element, as the browser does after Ctrl+V. */
export const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

export const statusOf = (page: Page) =>
  page.getByRole("region", { name: "Value grid" }).getByRole("status").first();

/** Fills in the reason, and publishes all unsaved cells. */
export async function publish(page: Page, note: string): Promise<void> {
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await dialog.getByLabel("Reason").selectOption({ label: "Trades were seen at this value" });
  await dialog.getByLabel("Note").fill(note);
  await dialog.getByLabel("Note").press("Enter");
  await dialog.waitFor({ state: "detached" });
}
