import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";

/** Chromium's errors about a missing file and the module that needed it. */
const GONE = [
  /^answer 404: GET \S+\/assets\//,
  /Failed to fetch dynamically imported module/,
  /Error loading route module/,
];
const PICKER = /\/assets\/item-picker-[^/]+\.js$/;

/** A page opened two minutes ago by its own clock; a reload makes it a new one. */
async function visitLongAgo(path: string, expectedProblems = GONE): Promise<Page> {
  const page = await openPage({ baseUrl: testSite().address, expectedProblems });
  await page.addInitScript(() => {
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const now = performance.now.bind(performance);
    if (loaded?.type !== "reload") performance.now = () => now() + 120_000;
  });
  await page.goto(path);
  await alive(page);
  await markAsSeen(page);
  return page;
}

const markAsSeen = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dataset.seen = "before";
  });

const isAsBefore = (page: Page) => page.evaluate(() => document.documentElement.dataset.seen === "before");

const untilReloaded = (page: Page) =>
  page.waitForFunction(() => {
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return loaded?.type === "reload" && document.readyState === "complete";
  });

/** Does something that needs a missing file, and waits until the page has noticed. */
async function miss(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() =>
    addEventListener("vite:preloadError", () => {
      document.documentElement.dataset.missed = "yes";
    }),
  );
  await act();
  await page.waitForFunction(() => document.documentElement.dataset.missed === "yes");
}

const openPicker = (page: Page) => page.locator("[data-add-item]").first().click();

/** What Vite says about a file. */
const reportMissing = (page: Page, file = "/assets/gone.js") =>
  page.evaluate((address) => {
    const event = new Event("vite:preloadError", { cancelable: true });
    const payload = new TypeError(`Failed to fetch dynamically imported module: ${address}`);
    dispatchEvent(Object.assign(event, { payload }));
  }, file);

/** Counts checks of whether the site is reachable, which precede a reload. */
function countQuestions(page: Page): () => number {
  let questions = 0;
  page.on("request", (request) => {
    questions += Number(request.url().endsWith("/livez"));
  });
  return () => questions;
}

describe("a page whose files are gone because it stayed open across several upgrades", () => {
  test("reloads by itself when a part of it is missing, once, and then works", async () => {
    const page = await visitLongAgo("/calculator?you=kitsune");
    await page.route(PICKER, (route) => route.fulfill({ status: 404 }));
    await openPicker(page);
    await untilReloaded(page);
    await alive(page);
    expect(new URL(page.url()).search).toBe("?you=kitsune");
    // Still missing: the reloaded page stays, and says so.
    const questions = countQuestions(page);
    await miss(page, () => openPicker(page));
    expect(questions()).toBe(0);
    await page.unroute(PICKER);
    await openPicker(page);
    await page.getByRole("dialog").waitFor();
  });

  // A machine that is busy for the whole time of a navigation has made it fail once in a while.
  test("reloads when the target page of a navigation is missing, and then shows it", {
    retry: 2,
  }, async () => {
    const page = await visitLongAgo("/about");
    const terms = page.getByRole("contentinfo").getByRole("link", { name: "Terms" });
    // Until it is hydrated, it is a plain link, which loads the document instead.
    await eventually(() =>
      terms.evaluate((link) => Object.keys(link).some((key) => key.startsWith("__reactProps"))),
    ).toBe(true);
    let isGone = true;
    page.on("request", (request) => {
      // The reload, and not the other page's document, which the browser may prefetch.
      if (request.isNavigationRequest() && new URL(request.url()).pathname === "/about") isGone = false;
    });
    await page.route(/\/assets\/route-[^/]+\.js$/, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await terms.click();
    await untilReloaded(page);
    await alive(page);
    await terms.click();
    await page.waitForURL("**/terms");
  });

  test("does not reload if the user has typed something", async () => {
    const page = await visitLongAgo("/values");
    await page.getByPlaceholder("Search items...").fill("kits");
    const questions = countQuestions(page);
    await reportMissing(page);
    expect(questions()).toBe(0);
    expect(await isAsBefore(page)).toBe(true);
    await eventually(() => page.getByPlaceholder("Search items...").inputValue()).toBe("kits");
  });

  test("does not reload while the site is unreachable, but does once it is reachable", async () => {
    const page = await visitLongAgo("/values", [/livez/]);
    await page.route("**/livez", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/livez"));
    await reportMissing(page);
    await failed;
    expect(await isAsBefore(page)).toBe(true);
    await page.unroute("**/livez");
    await reportMissing(page);
    await untilReloaded(page);
  });
});

test("a page that was just opened does not reload, whatever is missing, except where the browser does not request a failed file again although it is there", async () => {
  const page = await visit("/values", { expectedProblems: [/gone\.js/] });
  await markAsSeen(page);
  const questions = countQuestions(page);
  const answers: string[] = [];
  page.on("response", (response) => answers.push(new URL(response.url()).pathname));
  await reportMissing(page);
  expect(questions()).toBe(0);
  await reportMissing(page);
  await eventually(() => answers.includes("/assets/gone.js")).toBe(true);
  expect(await isAsBefore(page)).toBe(true);
  await eventually(() => page.getByRole("heading", { name: "Kitsune", exact: true }).isVisible()).toBe(true);
  const file = await page.locator('link[rel="modulepreload"]').first().getAttribute("href");
  await reportMissing(page, file ?? "");
  await reportMissing(page, file ?? "");
  await untilReloaded(page);
});
