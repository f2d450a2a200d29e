import type { Browser, Page } from "playwright-core";
import { takePhone } from "./cheap-phone.ts";

/** Something that people do, and what they wait for. */
type Act = {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
};

const searchBox = (page: Page) => page.getByPlaceholder("Search items...").first();

/** What people do on the public pages, each on a page that was just opened. */
export const ACTS: readonly Act[] = [
  {
    name: "type in the search of the home page",
    path: "/",
    act: (page) => searchBox(page).pressSequentially("kits"),
  },
  {
    name: "open what is behind You",
    path: "/",
    act: (page) => page.getByRole("button", { name: "You", exact: true }).click(),
  },
  { name: "type in the search", path: "/values", act: (page) => searchBox(page).pressSequentially("kits") },
  {
    name: "open the filters",
    path: "/values",
    act: (page) => page.getByRole("button", { name: /^Filters/ }).click(),
  },
  {
    name: "change the mode of the list",
    path: "/values",
    act: (page) => page.locator("label", { hasText: "Permanent" }).first().click(),
  },
  {
    name: "change to cards",
    path: "/values",
    act: (page) => page.getByRole("button", { name: "Cards", exact: true }).click(),
  },
  {
    name: "change the mode of a card",
    path: "/values",
    prepare: (page) => page.getByRole("button", { name: "Cards", exact: true }).click(),
    act: (page) => page.locator(".mode-button").first().click(),
  },
  {
    name: "change the order",
    path: "/values",
    act: async (page) => void (await page.getByLabel("Sort by").selectOption("name")),
  },
  {
    name: "change the mode of an item",
    path: "/fruits/kitsune",
    act: (page) => page.locator("main label", { hasText: "Permanent" }).first().click(),
  },
  { name: "open the picker", path: "/calculator", act: openPicker },
  {
    name: "type in the picker",
    path: "/calculator",
    prepare: openPicker,
    act: (page) => page.getByRole("dialog").getByRole("searchbox").pressSequentially("kits"),
  },
  {
    name: "add an item",
    path: "/calculator",
    prepare: openPicker,
    act: (page) =>
      page
        .getByRole("dialog")
        .getByRole("button", { name: /Kitsune/ })
        .first()
        .click(),
  },
];

async function openPicker(page: Page): Promise<void> {
  await page.locator("main").getByRole("button", { name: /Add/ }).first().click();
}

/** Milliseconds from the slowest press of an act to the paint after it; 16 stands for anything below. */
export async function perform(
  browser: Browser,
  baseUrl: string,
  { path, prepare, act }: Act,
): Promise<number> {
  const { page, context } = await takePhone(browser, baseUrl, { isFar: false });
  page.setDefaultTimeout(20_000);
  await page.goto(path, { waitUntil: "networkidle" });
  await prepare?.(page);
  await settle(page);
  await page.evaluate(() => {
    window.timings.events.length = 0;
  });
  await act(page);
  await settle(page);
  const slowest = await page.evaluate(() => Math.max(16, ...window.timings.events));
  await context.close();
  return slowest;
}

/** Until nothing is drawn any more and the browser told of it. */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let quiet = 0; quiet < 3; ) {
      const began = performance.now();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
      quiet = performance.now() - began < 200 ? quiet + 1 : 0;
    }
  });
}
