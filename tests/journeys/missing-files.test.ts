import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";

/** What Chromium says of a file that is gone, and what was to be loaded with it. */
const GONE = [/^answer 404: GET \S+\/assets\//, /Failed to fetch dynamically imported module/];

const isMarked = (page: Page) => page.evaluate(() => document.documentElement.dataset.seen === "before");
const mark = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dataset.seen = "before";
  });
/** As the build's own loader tells it. */
const missFile = (page: Page) => page.evaluate(() => dispatchEvent(new Event("vite:preloadError")));

/** How often it was asked whether the site can be reached, which comes before a page is loaded anew. */
function countQuestions(page: Page): () => number {
  let questions = 0;
  page.on("request", (request) => {
    questions += Number(request.url().endsWith("/livez"));
  });
  return () => questions;
}

test("a page whose file is gone is loaded anew by itself, and works", async () => {
  const page = await openPage({ baseUrl: testSite().address, expectedProblems: GONE });
  let refused = "";
  let documents = 0;
  page.on("request", (request) => {
    documents += Number(request.isNavigationRequest());
  });
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    if (refused !== "") return route.continue();
    refused = route.request().url();
    await route.fulfill({ status: 404 });
  });
  await page.goto("/calculator");
  await eventually(() => documents).toBe(2);
  await alive(page);
  expect(refused).toContain("/assets/");
  expect(documents).toBe(2);
});

test("one whose file stays away is loaded anew once, and can be read", async () => {
  const page = await openPage({ baseUrl: testSite().address, expectedProblems: GONE });
  const questions = countQuestions(page);
  await page.route(/\/assets\/root-[^/]+\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.goto("/values");
  await page.waitForFunction(() => {
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    // Scripts come, or fail to, before that.
    return loaded?.type === "reload" && document.readyState === "complete";
  });
  expect(questions()).toBe(1);
  expect(await page.getByRole("heading", { name: "Kitsune", exact: true }).isVisible()).toBe(true);
});

test("where somebody has typed, or the site cannot be reached, the page stays", async () => {
  const page = await visit("/values", { expectedProblems: [/livez/] });
  await mark(page);
  await page.route("**/livez", (route) => route.abort());
  const asked = page.waitForRequest("**/livez");
  await missFile(page);
  await asked;
  expect(await isMarked(page)).toBe(true);
  await page.unroute("**/livez");

  await page.getByPlaceholder("Search items...").fill("kits");
  const questions = countQuestions(page);
  await missFile(page);
  expect(questions()).toBe(0);
  expect(await isMarked(page)).toBe(true);
  expect(await page.getByPlaceholder("Search items...").inputValue()).toBe("kits");

  const other = await visit("/values");
  await mark(other);
  await missFile(other);
  await other.waitForFunction(() => document.documentElement.dataset.seen === undefined);
});
