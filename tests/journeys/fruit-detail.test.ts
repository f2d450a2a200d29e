import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectNoAxeFindings, openPage, sharedBrowser } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { watchPage } from "#tests/helpers/page-problems.ts";
import { setClock } from "#tests/helpers/set-clock.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";

const section = (page: Page, title: string) => page.getByRole("region", { name: title, exact: true });
const stat = (page: Page, label: string) =>
  page
    .locator("main dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd");
const choose = (page: Page, mode: string) =>
  page.getByRole("group", { name: "View Mode", exact: true }).getByText(mode, { exact: true }).click();
const header = (page: Page) => page.locator("main .card").first();

/** The text of each labeled figure, in the order of the labels. */
async function stats(page: Page, labels: string[]): Promise<(string | null)[]> {
  return Promise.all(labels.map(async (label) => (await stat(page, label).textContent())?.trim() ?? null));
}

/** A page of a reader in Auckland with a German browser, its console watched like any other. */
async function openFarPage(): Promise<Page> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    baseURL: testSite().address,
    locale: "de-DE",
    timezoneId: "Pacific/Auckland",
  });
  const page = await context.newPage();
  const problems = watchPage(page, []);
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return page;
}

describe("an unknown slug", () => {
  test("answers 404 with a card whose button links to all values", async () => {
    const { status, headers } = await read("/fruits/nope");
    expect([status, headers.get("cache-control")]).toEqual([404, expect.not.stringContaining("immutable")]);
    const page = await visit("/fruits/nope");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Fruit Not Found");
    const card = page.locator("main .card");
    expect(await card.textContent()).toContain(
      "The fruit you're looking for doesn't exist or has been removed.",
    );
    await card.getByRole("link", { name: "Browse All Values" }).click();
    await page.waitForURL("**/values");
  });

  test.each(["/fruits/Kitsune", "/fruits/%27%3B--", "/fruits/kitsune%2F..", "/fruits/%00"])(
    "%s is one too",
    async (path) => {
      expect((await read(path)).status).toBe(404);
    },
  );
});

describe("an item before any script runs", () => {
  test.each([
    ["t-rex", "T-Rex"],
    ["plus-1-fruit-storage", "+1 Fruit Storage"],
  ])("%s is the right one", async (slug, name) => {
    const { status, html } = await read(`/fruits/${slug}`);
    expect(status).toBe(200);
    expect(html).toContain(`>${name}</h1>`);
  });

  test("is complete: values, analysis, guide, details, insights and the history chart", async () => {
    const page = await visit("/fruits/kitsune", { javaScript: false });
    expect(await stats(page, ["Current Value", "Previous Value", "Beli Price"])).toEqual([
      "640M",
      "660M",
      "8M",
    ]);
    const chart = page.getByRole("img", { name: /^Value history of Kitsune/ });
    expect(await chart.textContent()).toContain("640M");
    expect(await page.getByRole("button", { name: "1 year" }).count()).toBe(0);
    await page.getByText("4 older changes").click();
    for (const text of ["660M", "The list gives no reason.", "Source: Reading of a public value list"])
      expect(await section(page, "Value History").locator("ol").first().textContent()).toContain(text);
    await page.getByText("All readings").click();
    const table = page.getByRole("table", { name: "Value history of Kitsune" });
    expect(await table.getByRole("row", { name: /Aug 3, 2026/ }).textContent()).toBe("Aug 3, 2026660M6.98B");
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL(/\/values\??$/);
  });
});

describe("an item", () => {
  test("shows its true age to a reader whose clock is a year slow", async () => {
    const { html } = await read("/fruits/kitsune");
    const checkedAt = /Checked [^>]*<time[^>]*>([^<]*ago)</.exec(html)?.[1] ?? "";
    expect(checkedAt).not.toBe("");
    const page = await openPage({ baseUrl: testSite().address });
    await page.clock.setFixedTime(Date.now() - 365 * 24 * 60 * 60_000);
    await page.goto("/fruits/kitsune");
    await alive(page);
    await choose(page, "Permanent");
    await eventually(() => stat(page, "Current Value").textContent()).toBe("6.24B");
    expect(await page.getByText("Checked today").count()).toBe(0);
    expect(await header(page).textContent()).toContain(`Checked ${checkedAt}`);
  });

  test("shows its true age to a reader whose clock is a day fast", async () => {
    await changeSite(
      `create table private.kept_check as select id, values_checked_at as checked from items where slug = 'spider';
       update items set values_checked_at = now() where slug = 'spider'`,
      `update items set values_checked_at = checked from private.kept_check as kept where kept.id = items.id;
       drop table private.kept_check`,
    );
    await untilPage("/fruits/spider", (html) => />today</.test(html));
    const page = await openPage({ baseUrl: testSite().address });
    // Only the time: Playwright's clock also takes over the browser's own account of how the page arrived.
    await setClock(page, 24 * 60 * 60_000);
    await page.goto("/fruits/spider");
    await alive(page);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await choose(page, "Permanent");
    await page.waitForURL(/mode=permanent/);
    expect(await header(page).textContent()).toContain("Checked today");
  });

  test("shows its true age when a page left open for years becomes visible again", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.clock.install();
    await page.goto("/fruits/kitsune");
    await alive(page);
    await page.clock.setSystemTime(Date.now() + 3 * 365 * 24 * 60 * 60_000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await eventually(() => header(page).textContent()).toMatch(/Checked 3 years ago/);
  });

  test("shows its value and the date of the last change above the fold on a phone", async () => {
    const page = await visit("/fruits/kitsune", { width: 360, height: 740 });
    const bar = (await page.locator(".bottom-bar").boundingBox())?.y ?? 0;
    for (const text of [
      "Kitsune",
      "640M",
      "-3.03% since Aug 11",
      /^Very High · Checked \d+ \w+ ago$/,
      "Previous Value",
      "Permanent",
    ]) {
      const box = await header(page).getByText(text).first().boundingBox();
      expect([text, (box?.y ?? bar) + (box?.height ?? 0) <= bar]).toEqual([text, true]);
    }
  });

  test("shows name, picture and badges in its header", async () => {
    const page = await visit("/fruits/kitsune");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Kitsune");
    expect(await header(page).locator("img").count()).toBe(1);
    const text = (await header(page).textContent()) ?? "";
    for (const badge of ["Mythical", "very high", "Fruit", "🐉 Mythical Fruits"])
      expect(text).toContain(badge);
    expect(text).not.toContain("_");
  });

  test("shows the figures, analysis and guide of the mode chosen", async () => {
    const page = await visit("/fruits/kitsune");
    const labels = ["Current Value", "Previous Value", "Change", "Percentage", "Trend", "Fair Trade Range"];
    expect(await stats(page, [...labels, "Recommended Offer (Buying)", "Recommended Ask (Selling)"])).toEqual(
      ["640M", "660M", "▼ -20M", "-3.03%", "▼ Falling", "576M to 704M", "608M", "672M"],
    );
    await choose(page, "Permanent");
    await eventually(() => stats(page, [...labels, "Robux Price"])).toEqual([
      "6.24B",
      "6.98B",
      "▼ -740M",
      "-10.60%",
      "▼ Falling",
      "5.6B to 6.9B",
      "4K",
    ]);
    expect(await stat(page, "Beli Price").count()).toBe(0);
  });

  test.each([
    ["werewolf", "Rising", "4.95%"],
    ["kitsune", "Falling", "-3.03%"],
    ["control", "Stable", "0.00%"],
  ])("%s is %s", async (slug, trend, percentage) => {
    const page = await visit(`/fruits/${slug}`);
    expect(await stat(page, "Trend").textContent()).toContain(trend);
    expect(await stat(page, "Percentage").textContent()).toContain(percentage);
    const insights = (await section(page, "Market Insights").textContent()) ?? "";
    // "Stable" would claim too much: nobody has checked for months.
    if (slug !== "control") return expect(insights).toContain(`${trend} when last checked`);
    expect(insights).toContain("No change was seen up to the last check, on Aug 18, 2026.");
    await choose(page, "Permanent");
    await eventually(() => stat(page, "Trend").textContent()).toContain("Falling");
    await eventually(() => section(page, "Market Insights").textContent()).toContain(
      "Falling when last checked",
    );
  });

  test("without a value in a mode shows en dashes and says that there is not enough data", async () => {
    const page = await visit("/fruits/fruit-notifier");
    await choose(page, "Permanent");
    await eventually(() => stats(page, ["Current Value", "Previous Value"])).toEqual(["–", "–"]);
    // The header changes at once, what is below it follows when idle.
    for (const label of ["Change", "Percentage", "Trend"]) {
      await eventually(() => stat(page, label).textContent()).toBe("– not enough data");
    }
    expect(await section(page, "Trade Reference Guide").textContent()).toContain("no permanent value yet");
    expect(await section(page, "Market Insights").locator("li").count()).toBe(2);
  });

  test("has a rarity line for mythical and legendary, and a different one for each demand", async () => {
    const lines = async (slug: string) => {
      const { html } = await read(`/fruits/${slug}`);
      return (
        html
          .split('id="market-insights"')[1]
          ?.split("</section>")[0]
          ?.match(/<li[^>]*>[^<]+/g) ?? []
      );
    };
    for (const slug of ["kitsune", "lightning"]) expect((await lines(slug)).length).toBe(3);
    for (const slug of ["magma", "diamond", "rocket"]) expect((await lines(slug)).length).toBe(2);
    const demands = await Promise.all(
      ["kitsune", "yeti", "lightning", "creation"].map(async (slug) => (await lines(slug))[0]),
    );
    expect(new Set(demands).size).toBe(4);
  });

  test("shows its details, and whether it is permanent", async () => {
    await changeSite(
      "update items set is_permanent = true where slug = 'rocket'",
      "update items set is_permanent = false where slug = 'rocket'",
    );
    await untilPage("/fruits/rocket", (html) => /Availability<\/dt><dd>Permanent/.test(html));
    const rocket = await visit("/fruits/rocket");
    expect(
      await header(rocket)
        .locator('[data-slot="badge"]', { hasText: /^Permanent$/ })
        .count(),
    ).toBe(1);
    const page = await visit("/fruits/kitsune");
    expect(await stats(page, ["Type", "Rarity", "Availability", "Category"])).toEqual([
      "Fruit",
      "Mythical",
      "Regular",
      "Mythical Fruits",
    ]);
    expect(
      await header(page)
        .locator('[data-slot="badge"]', { hasText: /^Permanent$/ })
        .count(),
    ).toBe(0);
    expect(await section(page, "Item Details").textContent()).toMatch(
      /Checked (\d+ \w+ ago|today|yesterday)/,
    );
  });

  test("shows text, number and boolean custom fields", async () => {
    await changeSite(
      `insert into field_definitions (name, label, type) values
         ('custom_sea', 'Sea', 'text'), ('custom_level', 'Level', 'number'), ('custom_tradable', 'Tradable', 'checkbox');
       update items set custom_fields = '{"custom_sea": "Third", "custom_level": 0, "custom_tradable": true}' where slug = 'yeti'`,
      `update items set custom_fields = '{}' where slug = 'yeti';
       delete from field_definitions where name in ('custom_sea', 'custom_level', 'custom_tradable')`,
    );
    await untilPage("/fruits/yeti", (html) => html.includes("Tradable"));
    const page = await visit("/fruits/yeti");
    expect(await stats(page, ["Sea", "Level", "Tradable"])).toEqual(["Third", "0", "Yes"]);
  });

  test("formats dates in en-US and, after hydration, in the reader's time zone", async () => {
    await changeSite(
      "set session_replication_role = replica; update items set updated_at = moment, values_checked_at = moment from (select '2026-11-20T13:00:00Z'::timestamptz as moment) as _ where slug = 'gas'",
      "select 1",
    );
    await untilPage("/fruits/gas", (html) => html.includes(">Nov 20, 2026</time>"));
    const page = await visit("/fruits/gas");
    expect(await stat(page, "Last Updated").textContent()).toBe("Nov 20, 2026");
    const far = await openFarPage();
    await far.goto("/fruits/gas");
    await eventually(() => stat(far, "Last Updated").textContent()).toBe("Nov 21, 2026");
    const asOf = far.getByText("As of the last check").first();
    await eventually(() => asOf.textContent()).toBe("As of the last check, Nov 21, 2026.");
  });
});

describe("links from an item", () => {
  test("Back goes one step back, or to all values if there is no earlier page of this site", async () => {
    const page = await visit("/calculator");
    await page.goto("/fruits/kitsune");
    await alive(page);
    await page.getByRole("link", { name: "Control", exact: false }).first().click();
    await page.waitForURL("**/fruits/control");
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL("**/fruits/kitsune");
    await page.getByRole("button", { name: "Back" }).click();
    await page.waitForURL("**/calculator");
    const fresh = await visit("/fruits/kitsune");
    await fresh.getByRole("button", { name: "Back" }).click();
    await fresh.waitForURL("**/values");
  });

  test("Use in Calculator carries the item in the mode shown", async () => {
    const page = await visit("/fruits/kitsune");
    const link = page.getByRole("link", { name: "Use in Calculator" });
    expect(await link.getAttribute("href")).toBe("/calculator?you=kitsune");
    await choose(page, "Permanent");
    await link.click();
    await page.waitForURL("**/calculator?you=kitsune.p");
    await page.getByText("6.24B").first().waitFor();
  });

  test.each(["/", "/values", "/changes", "/fruits/kitsune"])(
    "a loading state is shown and announced while an item loads from %s",
    async (path) => {
      const page = await visit(path);
      const seen = Promise.withResolvers<void>();
      await page.route("**/fruits/*.data*", async (route) => {
        await seen.promise;
        await route.continue();
      });
      await page.locator("main a[href^='/fruits/']:not([href='/fruits/kitsune'])").first().click();
      await page.getByText("Loading…").waitFor({ state: "visible" });
      expect(await page.getByRole("status").allTextContents()).toContain("Loading item");
      seen.resolve();
      await page.waitForURL("**/fruits/*");
      await page.getByText("Loading…").waitFor({ state: "detached" });
    },
  );
});

describe("the history", () => {
  test("is drawn with gaps, end labels and unchecked periods", async () => {
    const { html } = await read("/fruits/kitsune");
    const chart = html.split('role="img" aria-label="Value history')[1]?.split("All readings")[0] ?? "";
    expect(chart).toContain("Regular: 135M on Dec 31, 2023, 640M on Aug 18, 2026. Not checked since.");
    expect(chart.match(/<path d="M\d+ \d+H[^"]*V[^"]*" class="chart-known"/g)).toHaveLength(1);
    expect(chart.match(/<path d="M\d+ \d+H1000" class="chart-unchecked"/g)).toHaveLength(1);
    for (const text of [">640M<", ">Today<", "nobody has checked since Aug 18, 2026", "Gaps: nobody knows"])
      expect(chart).toContain(text);
  });
});

describe("the page configuration of fruit_detail", () => {
  const ALL = [
    "image",
    "name",
    "category",
    "rarity",
    "type",
    "demand",
    "current_value",
    "previous_value",
    "beli_price",
    "value_change",
    "is_permanent",
  ];
  const PARTS: [string, string][] = [
    ["image", ".card img"],
    ["category", '[data-slot="badge"]:has-text("Mythical Fruits"), dt:text-is("Category")'],
    ["rarity", '[data-slot="rarity-badge"], dt:text-is("Rarity")'],
    ["type", 'dt:text-is("Type")'],
    ["demand", '[data-slot="demand-badge"]'],
    ["current_value", 'dt:text-is("Current Value"), a.card .figures'],
    ["previous_value", 'dt:text-is("Previous Value")'],
    ["beli_price", 'dt:text-is("Beli Price")'],
    ["value_change", "#value-analysis"],
    ["is_permanent", 'dt:text-is("Availability")'],
  ];

  test.each(PARTS)("hides %s, and nothing controlled by other fields", async (field, part) => {
    await changeSite(
      `insert into page_configurations (page_name, visible_fields)
       values ('fruit_detail', '{${ALL.filter((each) => each !== field)}}')
       on conflict (page_name) do update set visible_fields = excluded.visible_fields`,
      "delete from page_configurations where page_name = 'fruit_detail'",
    );
    const page = await visit("/fruits/kitsune");
    await eventually(async () => {
      await page.reload();
      return page.locator(`main :is(${part})`).count();
    }).toBe(0);
    const others = PARTS.filter(([name]) => name !== field);
    for (const [, other] of others)
      expect(await page.locator(`main :is(${other})`).count(), other).toBeGreaterThan(0);
  });

  test("a hidden name is still the page's heading to screen readers", async () => {
    await changeSite(
      `insert into page_configurations (page_name, visible_fields)
       values ('fruit_detail', '{${ALL.filter((each) => each !== "name")}}')
       on conflict (page_name) do update set visible_fields = excluded.visible_fields`,
      "delete from page_configurations where page_name = 'fruit_detail'",
    );
    await untilPage("/fruits/kitsune", (html) => html.includes('<h1 class="sr-only">Kitsune</h1>'));
    await expectNoAxeFindings(await visit("/fruits/kitsune"));
  });
});

describe("a connection that breaks", () => {
  test("while loading this page shows a retry button", async () => {
    const page = await visit("/values?q=control", { expectedProblems: [/control\.data/, /console error/] });
    await page.route("**/fruits/control.data*", (route) => route.abort("failed"));
    await page.getByRole("link", { name: "Control", exact: true }).click();
    await page.getByText("Values can't be loaded right now").waitFor();
    expect(new URL(page.url()).pathname).toBe("/fruits/control");
  });
});

describe("the ads of an item's page", () => {
  test("appear once each in header, content and sidebar, at their sizes", async () => {
    await changeSite(
      "update ads set ad_code = '<b>' || placement || '</b>', enabled = true where placement like 'detail%'",
      "update ads set ad_code = '', enabled = false where placement like 'detail%'",
    );
    await untilPage("/fruits/kitsune", (html) => html.includes("<iframe"));
    const page = await visit("/fruits/kitsune");
    for (const [placement, width, height] of [
      ["detail_header", 468, 60],
      ["detail_content", 468, 60],
      ["detail_sidebar", 250, 250],
    ] as const) {
      const slot = page.locator(`[data-placement="${placement}"]`);
      expect(await slot.count()).toBe(1);
      expect(await slot.boundingBox()).toMatchObject({ width, height });
      await slot.scrollIntoViewIfNeeded();
      expect(await slot.locator("iframe").contentFrame().locator("b").textContent()).toBe(placement);
    }
  });

  test("an ad's document has an opaque origin, and stays empty when opened as a page", async () => {
    await changeSite(
      "update ads set ad_code = '<script>document.title = self.origin + location.hash</script>', enabled = true where placement = 'detail_header'",
      "update ads set ad_code = '', enabled = false where placement = 'detail_header'",
    );
    expect((await read("/ads/frame/nowhere")).status).toBe(404);
    expect((await read("/ads/frame/detail_content")).status).toBe(404);
    const { html, headers } = await read("/ads/frame/detail_header");
    expect(html).toContain("location.hash");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts allow-popups;/);
    const page = await openPage({ baseUrl: testSite().address });
    // With a fragment like that of a mailed link.
    await page.goto("/ads/frame/detail_header#access_token=1", { waitUntil: "commit" });
    await page.waitForTimeout(500);
    expect(await page.title()).toBe("");
    await page.goto("/fruits/kitsune");
    const frame = page.locator('[data-placement="detail_header"] iframe').contentFrame();
    await eventually(() => frame.locator("title").textContent()).toBe("null");
  });
});

describe("for everybody", () => {
  test("the head names the item, with its picture and its breadcrumb", async () => {
    const { html } = await read("/fruits/kitsune");
    expect(html).toMatch(/<title>Kitsune Value \| [^<]+ Values<\/title>/);
    expect(html).toMatch(/<meta name="description" content="Kitsune in /);
    expect(html).toContain('/items/kitsune.svg"');
    expect(html).toContain('"BreadcrumbList"');
    expect((await read("/fruits/nope")).html).toMatch(/<title>Fruit Not Found \|/);
  });

  test("the keyboard reaches Back, the mode and the actions", async () => {
    const page = await visit("/fruits/kitsune");
    await page.getByRole("button", { name: "Back" }).focus();
    const stops: (string | undefined)[] = [];
    for (let stop = 0; stop < 3; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute("value") || document.activeElement?.textContent || "",
        ),
      );
    }
    expect(stops).toEqual(["low confidence", "regular", "1 year"]);
    await page.locator("input:focus, button:focus").press("Shift+Tab");
    await page.keyboard.press("ArrowRight");
    await eventually(() => stat(page, "Current Value").textContent()).toBe("6.24B");
  });
});

describe("a former slug of an item", () => {
  const leadsTo = async (path: string) => {
    const { status, headers } = await fetch(testSite().address + path, { redirect: "manual" });
    return `${status} ${headers.get("location")}`;
  };

  test("redirects to the current one, keeping the mode, for page and preview", async () => {
    await changeSite(
      "update items set slug = 'spring-fruit' where slug = 'spring'; update items set slug = 'spring-coil' where slug = 'spring-fruit'",
      "update items set slug = 'spring' where slug = 'spring-coil'; delete from former_slugs",
    );
    await eventually(() => leadsTo("/fruits/spring?mode=permanent")).toBe(
      "301 /fruits/spring-coil?mode=permanent",
    );
    expect(await leadsTo("/fruits/spring-fruit")).toBe("301 /fruits/spring-coil");
    expect(await leadsTo("/share/fruits/spring.png")).toBe("302 /share/fruits/spring-coil.png");
    const page = await visit("/fruits/spring-coil");
    await page.getByRole("heading", { level: 1, name: "Spring" }).waitFor();
  });

  test("leads to the item that has it now", async () => {
    await changeSite(
      "update items set slug = 'spike-fruit' where slug = 'spike'; update items set slug = 'spike' where slug = 'spring'",
      "update items set slug = 'spring' where slug = 'spike'; update items set slug = 'spike' where slug = 'spike-fruit'; delete from former_slugs",
    );
    await eventually(() => leadsTo("/fruits/spring")).toBe("301 /fruits/spike");
    expect(await leadsTo("/fruits/spike")).toBe("200 null");
  });
});
