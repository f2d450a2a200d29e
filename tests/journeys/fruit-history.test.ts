import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";

const PHONE = { width: 360, height: 740 };
const card = (page: Page) => page.getByRole("region", { name: "Value History", exact: true });
const marks = (page: Page) => card(page).locator(".chart-marks").getByRole("button");
const panel = (page: Page) => card(page).getByRole("status");
const range = (page: Page, name: string) =>
  card(page).getByRole("group", { name: "Range" }).getByText(name, { exact: true });
const chart = (page: Page) => card(page).getByRole("img", { name: /^Value history of/ });

describe("an item's value and the date of its last change", () => {
  test("is two taps from home on a phone, without scrolling", async () => {
    const page = await visit("/", PHONE);
    const box = page.getByRole("combobox", { name: "Search items" });
    const bar = (await page.locator(".bottom-bar").boundingBox())?.y ?? 0;
    expect((await box.boundingBox())?.y).toBeLessThan(bar);
    await box.click();
    await page.keyboard.type("kit");
    await page.getByRole("option", { name: "Kitsune", exact: false }).first().click();
    await page.waitForURL("**/fruits/kitsune");
    for (const text of ["640M", "-3.03% since Aug 11"]) {
      const place = await page.locator("main .card").first().getByText(text).boundingBox();
      expect([text, place && place.y + place.height < bar]).toEqual([text, true]);
    }
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});

describe("the mode chosen in a list", () => {
  test("is also recognized in the home page's search", async () => {
    const page = await visit("/", PHONE);
    await page.getByRole("combobox", { name: "Search items" }).click();
    await page.keyboard.type("perm kitsune");
    const found = page.getByRole("option", { name: "Kitsune", exact: false }).first();
    expect(await found.textContent()).toBe("Kitsune 6.24B");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/fruits/kitsune?mode=permanent");
  });

  test.each([true, false])("carries over to the item's page, scripts: %s", async (javaScript) => {
    const page = await visit("/values?mode=permanent&q=kitsune", { ...PHONE, javaScript });
    await page.getByRole("link", { name: "Kitsune", exact: true }).click();
    await page.waitForURL("**/fruits/kitsune?mode=permanent");
    await page.locator("main .card").first().getByText("6.24B", { exact: true }).waitFor();
    expect(await page.locator("main .card").first().getByText("-10.60% since Aug 17").count()).toBe(1);
    expect(await page.getByRole("link", { name: "Use in Calculator" }).getAttribute("href")).toBe(
      "/calculator?you=kitsune.p",
    );
    const neighbor = page.getByRole("region", { name: "More Mythical Fruits" }).getByRole("link").first();
    expect(await neighbor.getAttribute("href")).toMatch(/\?mode=permanent$/);
    expect(await neighbor.textContent()).toContain("7.1B");
  });

  test("is all that the item's address carries, even if a search was being stored during navigation", async () => {
    const page = await visit("/values");
    await page.getByPlaceholder("Search items...").fill("kitsune");
    // Keeps the list rendered under the item's address for a while.
    await page.evaluate(() => {
      const push = history.pushState;
      history.pushState = (...given) => {
        push.apply(history, given);
        for (const until = performance.now() + 400; performance.now() < until; );
      };
    });
    await page.getByRole("link", { name: "Kitsune", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Kitsune" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("carries over from a single card, and is in the shared address", async () => {
    const page = await visit("/values?q=kitsune");
    await page.getByRole("button", { name: /value of Kitsune, show Permanent$/ }).click();
    await page.getByRole("link", { name: "Kitsune", exact: true }).click();
    await page.waitForURL("**/fruits/kitsune?mode=permanent");
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Regular").click();
    await eventually(() => new URL(page.url()).search).toBe("");
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Permanent").click();
    await page.reload();
    await page.locator("main .card").first().getByText("6.24B", { exact: true }).waitFor();
  });

  test("can be changed without scripts", async () => {
    const page = await visit("/fruits/kitsune", { javaScript: false });
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Permanent").click();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator("main .card").first().getByText("6.24B", { exact: true }).waitFor();
  });

  test("is not part of the canonical address for search engines", async () => {
    const { html } = await read("/fruits/kitsune?mode=permanent");
    expect(html).toMatch(/<link rel="canonical" href="[^"?]+\/fruits\/kitsune"/);
  });
});

describe("the chart", () => {
  test("has markers that open their reasons by tap and by keyboard", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    const last = marks(page).last();
    expect(await last.getAttribute("aria-label")).toBe("3 changes, Jul 23, 2026 to Aug 11, 2026");
    await last.click();
    await eventually(() => last.getAttribute("aria-expanded")).toBe("true");
    for (const text of [
      "Aug 11, 2026",
      "660M",
      "-3.03%",
      "The list gives no reason.",
      "Source: Reading of a",
    ])
      expect(await panel(page).textContent()).toContain(text);
    await last.press(" ");
    await eventually(() => last.getAttribute("aria-expanded")).toBe("false");
    expect(await panel(page).textContent()).toBe("Press a mark to read why the value changed.");
    await last.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await eventually(() => panel(page).textContent()).toContain("Jan 16, 2026");
    expect(await page.evaluate(() => location.hash)).toBe("");
    await expectNoAxeFindings(page);
  });

  test("has no control smaller than 44 px", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    const small = await page.locator("main").evaluate((main) =>
      [...main.querySelectorAll(".fruit-actions > *, .chart-mark, summary, .segment > input")]
        .map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (Math.round(box.height) < 44 || Math.round(box.width) < 44))
        .map(({ text, box }) => `${text} ${box.width} × ${box.height}`),
    );
    expect(small).toEqual([]);
  });

  test("shows the selected time range, of those that have data", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    expect(await card(page).getByRole("radio").count()).toBe(2);
    expect(await chart(page).textContent()).not.toContain("2024");
    await range(page, "All").click();
    await eventually(() => chart(page).textContent()).toContain("Jan 2024");
    await eventually(() => chart(page).textContent()).toContain("Today");
    await range(page, "1 year").click();
    await eventually(() => chart(page).textContent()).not.toContain("2024");
  });

  test("shows the page's mode, and both on demand, in words that a child can read", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    expect(await chart(page).textContent()).not.toContain("6.24B");
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Permanent").click();
    await eventually(() => chart(page).getAttribute("aria-label")).toMatch(
      /^Value history of Kitsune. Permanent/,
    );
    await card(page).getByRole("button", { name: "Show both modes" }).click();
    for (const value of ["640M", "6.24B"]) expect(await chart(page).textContent()).toContain(value);
    await eventually(() => card(page).textContent()).toContain("Each line up is twice as much.");
    await card(page).getByRole("button", { name: "Show permanent only" }).click();
    await eventually(() => chart(page).textContent()).not.toContain("640M");
  });

  test("of an item without a permanent value says so in that mode", async () => {
    const page = await visit("/fruits/fruit-notifier?mode=permanent");
    expect(await card(page).textContent()).toContain(
      "No permanent value of this item has been recorded yet.",
    );
  });

  test("updates after a check and a change, with its reason", async () => {
    await changeSite(
      `insert into item_value_checks (item_id) select id from items where slug = 'blade'`,
      "select 1",
    );
    await untilPage("/fruits/blade", (html) => html.includes("Checked <time") && !html.includes("Dashed:"));
    expect((await read("/fruits/blade")).html).not.toContain('class="chart-unchecked"');
    await changeSite(
      `create table private.kept_blade as select * from items where slug = 'blade';
       update items set current_value = '9.9M', change_reason = 'Made stronger in an update' where slug = 'blade'`,
      `update items set current_value = kept.current_value, previous_value = kept.previous_value
         from private.kept_blade as kept where kept.id = items.id;
       drop table private.kept_blade`,
    );
    await untilPage("/fruits/blade", (html) => html.includes("Made stronger in an update"));
    const page = await visit("/fruits/blade", PHONE);
    await marks(page).last().click();
    await eventually(() => panel(page).textContent()).toContain(
      "Made stronger in an updateSource: Our editors",
    );
    expect(await page.getByRole("region", { name: "Market Insights" }).textContent()).toContain("Rising:");
  });

  test("links each marker to its reason in the list without scripts", async () => {
    const page = await visit("/fruits/kitsune", { javaScript: false });
    const href = (await card(page).locator(".chart-mark").last().getAttribute("href")) ?? "";
    expect(await page.locator(href).textContent()).toContain("Source:");
    expect(await card(page).getByText("Show both modes").isVisible()).toBe(false);
  });
});

describe("the actions of an item's page", () => {
  const inReach = (page: Page) =>
    page.locator(".fruit-actions").evaluate((actions) => {
      const end = document.querySelector(".bottom-bar")?.getBoundingClientRect().top ?? 0;
      return Math.round(end - actions.getBoundingClientRect().bottom);
    });

  test("stay above a phone's bottom bar at any scroll position, and end before the footer", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    expect(await inReach(page)).toBe(0);
    await page.getByRole("region", { name: "Market Insights" }).scrollIntoViewIfNeeded();
    expect(await inReach(page)).toBe(0);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await eventually(() => inReach(page)).toBeGreaterThan(0);
  });

  test("are in the sidebar on a wide screen, and not sticky in a low window", async () => {
    const page = await visit("/fruits/kitsune");
    const side = await page.getByRole("region", { name: "Quick Actions" }).boundingBox();
    const share = await page.getByRole("button", { name: "Share", exact: true }).boundingBox();
    expect(share?.x).toBeGreaterThan(side?.x ?? Number.POSITIVE_INFINITY);
    expect((share?.y ?? 0) - (side?.y ?? 0)).toBeLessThan(200);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await page.locator(".fruit-actions").evaluate((it) => getComputedStyle(it).position)).toBe(
      "static",
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test("share the link with its mode, using the phone's share sheet or else the clipboard", async () => {
    const page = await visit("/fruits/kitsune?mode=permanent");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  });
});

describe("the age shown on lists", () => {
  test("an item's neighbors show how old most of them are", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    expect(await page.getByRole("region", { name: "More Mythical Fruits" }).textContent()).toMatch(
      /Half of these values were last checked .+ or earlier\./,
    );
  });
});

test.each([
  ["light", "none"],
  ["dark", "none"],
  ["light", "active"],
] as const)(
  "nothing shifts while the page loads, in %s mode with forced colors %s",
  async (colorScheme, forced) => {
    const page = await visit("/fruits/kitsune", { ...PHONE, colorScheme });
    await page.emulateMedia({ forcedColors: forced });
    await page.reload();
    await eventually(() => page.evaluate(() => document.readyState)).toBe("complete");
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              sum += (entry as PerformanceEntry & { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    expect(shift).toBe(0);
  },
);
