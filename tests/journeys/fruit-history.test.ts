import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { alive, eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";

const PHONE = { width: 360, height: 740 };
const card = (page: Page) => page.getByRole("region", { name: "Value History", exact: true });
const marks = (page: Page) => card(page).locator(".chart-marks").getByRole("button");
const panel = (page: Page) => card(page).getByRole("status");
const range = (page: Page, name: string) =>
  card(page).getByRole("group", { name: "Range" }).getByText(name, { exact: true });
const chart = (page: Page) => card(page).getByRole("img", { name: /^Value history of/ });

test("the home page's search leads to an item in two taps on a phone, or by keyboard to the mode it asks for", async () => {
  const page = await visit("/", PHONE);
  const box = page.getByRole("combobox", { name: "Search items" });
  const found = page.getByRole("option", { name: "Kitsune", exact: false }).first();
  const bar = (await page.locator(".bottom-bar").boundingBox())?.y ?? 0;
  expect((await box.boundingBox())?.y).toBeLessThan(bar);
  await box.click();
  await page.keyboard.type("perm kitsune");
  await eventually(() => found.textContent()).toBe("Kitsune 6.24B");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/fruits/kitsune?mode=permanent");

  await page.goto("/");
  await alive(page);
  await box.click();
  await page.keyboard.type("kit");
  await found.click();
  await page.waitForURL("**/fruits/kitsune");
  // Its value and the date of its last change, without scrolling.
  for (const text of ["640M", "-3.03% since Aug 11"]) {
    const place = await page.locator("main .card").first().getByText(text).boundingBox();
    expect([text, place && place.y + place.height < bar]).toEqual([text, true]);
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

/** An item's page in permanent, reached from a list in that mode. */
async function expectPermanent(page: Page): Promise<void> {
  await page.waitForURL("**/fruits/kitsune?mode=permanent");
  await page.locator("main .card").first().getByText("6.24B", { exact: true }).waitFor();
  expect(await page.locator("main .card").first().getByText("-10.60% since Aug 17").count()).toBe(1);
  expect(await page.getByRole("link", { name: "Use in Calculator" }).getAttribute("href")).toBe(
    "/calculator?you=kitsune.p",
  );
  const neighbor = page.getByRole("region", { name: "More Mythical Fruits" }).getByRole("link").first();
  expect(await neighbor.getAttribute("href")).toMatch(/\?mode=permanent$/);
  expect(await neighbor.textContent()).toContain("7.1B");
}

describe("the mode chosen in a list", () => {
  test("carries over to the item's page, also from a single card, is in the shared address, and is all that this carries", async () => {
    const page = await visit("/values?mode=permanent&q=kitsune", PHONE);
    const kitsune = page.getByRole("link", { name: "Kitsune", exact: true });
    await kitsune.click();
    await expectPermanent(page);

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/values?q=kitsune");
    await alive(page);
    await page.getByRole("button", { name: /value of Kitsune, show Permanent$/ }).click();
    await kitsune.click();
    await page.waitForURL("**/fruits/kitsune?mode=permanent");
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Regular").click();
    await eventually(() => new URL(page.url()).search).toBe("");
    await page.getByRole("group", { name: "View Mode", exact: true }).getByText("Permanent").click();
    await page.reload();
    await page.locator("main .card").first().getByText("6.24B", { exact: true }).waitFor();

    // Even if a search was being stored during navigation.
    await page.goto("/values");
    await alive(page);
    await page.getByPlaceholder("Search items...").fill("kitsune");
    // Keeps the list rendered under the item's address for a while.
    await page.evaluate(() => {
      const push = history.pushState;
      history.pushState = (...given) => {
        push.apply(history, given);
        for (const until = performance.now() + 400; performance.now() < until; );
      };
    });
    await kitsune.click();
    await page.getByRole("heading", { level: 1, name: "Kitsune" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("carries over without scripts, where it can be changed and each marker of the chart links to its reason in the list", async () => {
    const page = await visit("/values?mode=permanent&q=kitsune", { ...PHONE, javaScript: false });
    await page.getByRole("link", { name: "Kitsune", exact: true }).click();
    await expectPermanent(page);

    await page.goto("/fruits/kitsune");
    const href = (await card(page).locator(".chart-mark").last().getAttribute("href")) ?? "";
    expect(await page.locator(href).textContent()).toContain("Source:");
    expect(await card(page).getByText("Show both modes").isVisible()).toBe(false);
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

  test("shows the selected time range, of those that have data, and the page's mode or both, in words that a child can read", async () => {
    const page = await visit("/fruits/kitsune", PHONE);
    expect(await card(page).getByRole("radio").count()).toBe(2);
    expect(await chart(page).textContent()).not.toContain("2024");
    await range(page, "All").click();
    await eventually(() => chart(page).textContent()).toContain("Jan 2024");
    await eventually(() => chart(page).textContent()).toContain("Today");
    await range(page, "1 year").click();
    await eventually(() => chart(page).textContent()).not.toContain("2024");

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
});

test("on a phone the value and the date of its last change are above the fold, every control has 44 px, and the actions stay above the bottom bar and end before the footer", async () => {
  const page = await visit("/fruits/kitsune", PHONE);
  const bar = (await page.locator(".bottom-bar").boundingBox())?.y ?? 0;
  for (const text of [
    "Kitsune",
    "640M",
    "-3.03% since Aug 11",
    /^Very High · Checked \d+ \w+ ago$/,
    "Previous Value",
    "Permanent",
  ]) {
    const box = await page.locator("main .card").first().getByText(text).first().boundingBox();
    expect([text, (box?.y ?? bar) + (box?.height ?? 0) <= bar]).toEqual([text, true]);
  }
  const small = await page.locator("main").evaluate((main) =>
    [...main.querySelectorAll(".fruit-actions > *, .chart-mark, summary, .segment > input")]
      .map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (Math.round(box.height) < 44 || Math.round(box.width) < 44))
      .map(({ text, box }) => `${text} ${box.width} × ${box.height}`),
  );
  expect(small).toEqual([]);
  expect(await page.getByRole("region", { name: "More Mythical Fruits" }).textContent()).toMatch(
    /Half of these values were last checked .+ or earlier\./,
  );

  const inReach = () =>
    page.locator(".fruit-actions").evaluate((actions) => {
      const end = document.querySelector(".bottom-bar")?.getBoundingClientRect().top ?? 0;
      return Math.round(end - actions.getBoundingClientRect().bottom);
    });
  expect(await inReach()).toBe(0);
  await page.getByRole("region", { name: "Market Insights" }).scrollIntoViewIfNeeded();
  expect(await inReach()).toBe(0);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await eventually(inReach).toBeGreaterThan(0);
});

test("on a wide screen the actions are in the sidebar, share the link with its mode, and are not sticky in a low window", async () => {
  const page = await visit("/fruits/kitsune?mode=permanent");
  const side = await page.getByRole("region", { name: "Quick Actions" }).boundingBox();
  const button = page.getByRole("button", { name: "Share", exact: true });
  const share = await button.boundingBox();
  expect(share?.x).toBeGreaterThan(side?.x ?? Number.POSITIVE_INFINITY);
  expect((share?.y ?? 0) - (side?.y ?? 0)).toBeLessThan(200);

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button.click();
  await page.getByText("Link copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

  await page.setViewportSize({ width: 320, height: 256 });
  expect(await page.locator(".fruit-actions").evaluate((it) => getComputedStyle(it).position)).toBe("static");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("nothing shifts while the page loads, in light and dark mode and in forced colors", async () => {
  const page = await visit("/fruits/kitsune", PHONE);
  for (const [colorScheme, forcedColors] of [
    ["light", "none"],
    ["dark", "none"],
    ["light", "active"],
  ] as const) {
    await page.emulateMedia({ colorScheme, forcedColors });
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
    expect(shift, `${colorScheme}, forced colors ${forcedColors}`).toBe(0);
  }
});
