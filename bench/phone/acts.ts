import { setTimeout } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { slowDown, takePhone } from "./cheap-phone.ts";

/** An interaction, and the result that the user waits for. */
type Act = {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
};

const searchBox = (page: Page) => page.getByPlaceholder("Search items...").first();

/** Interactions on the public pages, each on a freshly opened page. */
export const ACTS: readonly Act[] = [
  {
    name: "type in the search of the home page",
    path: "/",
    act: (page) => searchBox(page).pressSequentially("kits"),
  },
  {
    name: "open what is behind You",
    path: "/",
    act: (page) => press(page.getByRole("button", { name: "You", exact: true })),
  },
  { name: "type in the search", path: "/values", act: (page) => searchBox(page).pressSequentially("kits") },
  {
    name: "open the filters",
    path: "/values",
    act: (page) => press(page.getByRole("button", { name: /^Filters/ })),
  },
  {
    name: "change the mode of the list",
    path: "/values",
    act: (page) => press(page.locator("label", { hasText: "Permanent" }).first()),
  },
  {
    name: "change to cards",
    path: "/values",
    act: (page) => press(page.getByRole("button", { name: "Cards", exact: true })),
  },
  {
    name: "change the mode of a card",
    path: "/values",
    prepare: (page) => press(page.getByRole("button", { name: "Cards", exact: true })),
    act: (page) => press(page.locator(".mode-button").first()),
  },
  {
    name: "change the order",
    path: "/values",
    act: async (page) => void (await page.getByLabel("Sort by").selectOption("name")),
  },
  {
    name: "change the mode of an item",
    path: "/fruits/kitsune",
    act: (page) => press(page.locator("main label", { hasText: "Permanent" }).first()),
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
      press(
        page
          .getByRole("dialog")
          .getByRole("button", { name: /Kitsune/ })
          .first(),
      ),
  },
];

async function openPicker(page: Page): Promise<void> {
  await press(page.locator("main").getByRole("button", { name: /Add/ }).first());
}

/** How long a finger stays down, in milliseconds. */
const TAP = 80;

/** A realistic tap: the page's touch feedback is painted while the finger is still down. */
async function press(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("What is to be pressed is not on the page");
  const page = target.page();
  const fingers = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await setTimeout(TAP);
  await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await fingers.detach();
}

/** Milliseconds from the slowest press of an interaction to the next paint; 16 stands for anything shorter. */
export async function perform(
  browser: Browser,
  baseUrl: string,
  { path, prepare, act }: Act,
): Promise<number> {
  const { page, cdp, context } = await takePhone(browser, baseUrl, { isSlow: false });
  page.setDefaultTimeout(20_000);
  await page.goto(path, { waitUntil: "networkidle" });
  await slowDown(cdp);
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

/** Resolves when nothing is painted any more and the browser has reported its timings. */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let quiet = 0; quiet < 3; ) {
      const began = performance.now();
      await new Promise((resolve) => requestAnimationFrame(() => window.setTimeout(resolve, 100)));
      quiet = performance.now() - began < 200 ? quiet + 1 : 0;
    }
  });
}
