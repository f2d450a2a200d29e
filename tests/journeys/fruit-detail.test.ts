import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
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

/** The header's badge of an item that is sold as permanent only. */
const permanentBadge = (page: Page) =>
  header(page).locator('[data-slot="badge"]', { hasText: /^Permanent$/ });

test("an unknown slug answers 404 with a card whose button links to all values", async () => {
  const { status, headers, html } = await read("/fruits/nope");
  expect([status, headers.get("cache-control")]).toEqual([404, expect.not.stringContaining("immutable")]);
  expect(html).toMatch(/<title>Fruit Not Found \|/);
  expect(html).toMatch(/<h1[^>]*>Fruit Not Found</);
  expect(html).toContain("The fruit you&#x27;re looking for doesn&#x27;t exist or has been removed.");
  expect(/<a ([^>]*)>Browse All Values</.exec(html)?.[1]).toContain('href="/values"');
  for (const path of ["/fruits/Kitsune", "/fruits/%27%3B--", "/fruits/kitsune%2F..", "/fruits/%00"])
    expect((await read(path)).status, path).toBe(404);
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

  test("shows name, picture, badges and details, and the figures, analysis and guide of the mode chosen, which the calculator takes over", async () => {
    const page = await visit("/fruits/kitsune");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Kitsune");
    expect(await header(page).locator("img").count()).toBe(1);
    const text = (await header(page).textContent()) ?? "";
    for (const badge of ["Mythical", "very high", "Fruit", "🐉 Mythical Fruits"])
      expect(text).toContain(badge);
    expect(text).not.toContain("_");
    expect(await permanentBadge(page).count()).toBe(0);
    expect(await stats(page, ["Type", "Rarity", "Availability", "Category"])).toEqual([
      "Fruit",
      "Mythical",
      "Regular",
      "Mythical Fruits",
    ]);
    expect(await section(page, "Item Details").textContent()).toMatch(
      /Checked (\d+ \w+ ago|today|yesterday)/,
    );

    const labels = ["Current Value", "Previous Value", "Change", "Percentage", "Trend", "Fair Trade Range"];
    expect(await stats(page, [...labels, "Recommended Offer (Buying)", "Recommended Ask (Selling)"])).toEqual(
      ["640M", "660M", "▼ -20M", "-3.03%", "▼ Falling", "576M to 704M", "608M", "672M"],
    );
    expect(await section(page, "Market Insights").textContent()).toContain("Falling when last checked");
    const link = page.getByRole("link", { name: "Use in Calculator" });
    expect(await link.getAttribute("href")).toBe("/calculator?you=kitsune");

    // The keyboard reaches Back, the mode and the actions.
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
    await link.click();
    await page.waitForURL("**/calculator?you=kitsune.p");
    await page.getByText("6.24B").first().waitFor();
  });

  test("rises or is stable, and without a value in a mode shows en dashes and says that there is not enough data", async () => {
    const page = await visit("/fruits/werewolf");
    const insights = section(page, "Market Insights");
    expect(await stat(page, "Trend").textContent()).toContain("Rising");
    expect(await stat(page, "Percentage").textContent()).toContain("4.95%");
    expect(await insights.textContent()).toContain("Rising when last checked");

    await page.goto("/fruits/control");
    await alive(page);
    expect(await stat(page, "Trend").textContent()).toContain("Stable");
    expect(await stat(page, "Percentage").textContent()).toContain("0.00%");
    // "Stable" would claim too much: nobody has checked for months.
    expect(await insights.textContent()).toContain(
      "No change was seen up to the last check, on Aug 18, 2026.",
    );
    await choose(page, "Permanent");
    await eventually(() => stat(page, "Trend").textContent()).toContain("Falling");
    await eventually(() => insights.textContent()).toContain("Falling when last checked");

    await page.goto("/fruits/fruit-notifier");
    await alive(page);
    await choose(page, "Permanent");
    await eventually(() => stats(page, ["Current Value", "Previous Value"])).toEqual(["–", "–"]);
    // The header changes at once, what is below it follows when idle.
    for (const label of ["Change", "Percentage", "Trend"]) {
      await eventually(() => stat(page, label).textContent()).toBe("– not enough data");
    }
    expect(await section(page, "Trade Reference Guide").textContent()).toContain("no permanent value yet");
    expect(await insights.locator("li").count()).toBe(2);
    expect(await section(page, "Value History").textContent()).toContain(
      "No permanent value of this item has been recorded yet.",
    );
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

  test("shows whether it is permanent, its custom fields, and dates in en-US, the same in every time zone", async () => {
    await changeSite(
      `insert into field_definitions (name, label, type) values
         ('custom_sea', 'Sea', 'text'), ('custom_level', 'Level', 'number'), ('custom_tradable', 'Tradable', 'checkbox');
       update items set custom_fields = '{"custom_sea": "Third", "custom_level": 0, "custom_tradable": true}', is_permanent = true
         where slug = 'gas';
       set session_replication_role = replica;
       update items set updated_at = moment, values_checked_at = moment
         from (select '2026-11-20T13:00:00Z'::timestamptz as moment) as _ where slug = 'gas'`,
      `update items set custom_fields = '{}', is_permanent = false where slug = 'gas';
       delete from field_definitions where name in ('custom_sea', 'custom_level', 'custom_tradable')`,
    );
    await untilPage(
      "/fruits/gas",
      (html) =>
        html.includes(">Nov 20, 2026</time>") &&
        html.includes("Tradable") &&
        /Availability<\/dt><dd>Permanent/.test(html),
    );
    const page = await visit("/fruits/gas");
    expect(await permanentBadge(page).count()).toBe(1);
    expect(await stats(page, ["Sea", "Level", "Tradable"])).toEqual(["Third", "0", "Yes"]);
    expect(await stat(page, "Last Updated").textContent()).toBe("Nov 20, 2026");
    const far = await visit("/fruits/gas", { locale: "de-DE", timezoneId: "Pacific/Auckland" });
    const updated = stat(far, "Last Updated").getByTitle("Nov 21, 2026, 2:00 AM", { exact: true });
    await eventually(() => updated.count()).toBe(1);
    // The same day as in the server's page, and as in the item's chart and insights.
    expect(await updated.textContent()).toBe("Nov 20, 2026");
    const asOf = far.getByText("As of the last check").first();
    expect(await asOf.textContent()).toBe("As of the last check, Nov 20, 2026.");
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
    const fresh = await page.context().newPage();
    await fresh.goto("/fruits/kitsune");
    await alive(fresh);
    await fresh.getByRole("button", { name: "Back" }).click();
    await fresh.waitForURL("**/values");
  });

  test("a loading state is shown and announced while an item loads, from whichever page", async () => {
    const page = await visit("/");
    let seen = Promise.withResolvers<void>();
    await page.route("**/fruits/*.data*", async (route) => {
      await seen.promise;
      await route.continue();
    });
    for (const path of ["/", "/values", "/changes", "/fruits/kitsune"]) {
      if (path !== "/") {
        await page.goto(path);
        await alive(page);
      }
      seen = Promise.withResolvers();
      await page.locator("main a[href^='/fruits/']:not([href='/fruits/kitsune'])").first().click();
      await page.getByText("Loading…").waitFor({ state: "visible" });
      expect(await page.getByRole("status").allTextContents(), path).toContain("Loading item");
      seen.resolve();
      await page.waitForURL((url) => url.pathname !== path);
      await page.getByText("Loading…").waitFor({ state: "detached" });
    }
  });
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

  const without = (...hidden: string[]) =>
    changeSite(
      `insert into page_configurations (page_name, visible_fields)
       values ('fruit_detail', '{${ALL.filter((each) => !hidden.includes(each))}}')
       on conflict (page_name) do update set visible_fields = excluded.visible_fields`,
      "delete from page_configurations where page_name = 'fruit_detail'",
    );
  const shownOn = async (page: Page) => {
    const counts = await Promise.all(PARTS.map(([, part]) => page.locator(`main :is(${part})`).count()));
    return PARTS.map(([field]) => field).filter((_, place) => Number(counts[place]) > 0);
  };
  const otherThan = (...hidden: string[]) =>
    PARTS.map(([field]) => field).filter((field) => !hidden.includes(field));

  test("hides one field, and nothing controlled by other fields", async () => {
    const page = await visit("/fruits/kitsune", { javaScript: false });
    for (const [field] of PARTS) {
      await without(field);
      await eventually(async () => {
        await page.reload();
        return shownOn(page);
      }).toEqual(otherThan(field));
    }
  });

  test("keeps hidden what is hidden once scripts run; a hidden name is still the page's heading to screen readers", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    const fields = PARTS.map(([field]) => field);
    for (const hidden of [fields.slice(0, 5), fields.slice(5)]) {
      await without(...hidden);
      await eventually(async () => {
        await page.goto("/fruits/kitsune");
        return shownOn(page);
      }).toEqual(otherThan(...hidden));
      await alive(page);
      expect(await shownOn(page)).toEqual(otherThan(...hidden));
    }
    await without("name");
    await untilPage("/fruits/kitsune", (html) => /<h1 [^>]*class="sr-only">Kitsune</.test(html));
    await page.goto("/fruits/kitsune");
    await alive(page);
    await expectNoAxeFindings(page);
  });
});

test("the ads of an item's page appear once each in header, content and sidebar, at their sizes, in documents of an opaque origin that stay empty when opened as a page", async () => {
  expect((await read("/ads/frame/nowhere")).status).toBe(404);
  expect((await read("/ads/frame/preview")).html).toContain("if (self === top) stop()");
  expect((await read("/ads/frame/detail_content")).status, "switched off").toBe(404);
  await changeSite(
    `update ads set enabled = true,
       ad_code = '<b>' || placement || '</b><script>document.title = self.origin + location.hash</script>'
     where placement like 'detail%'`,
    "update ads set ad_code = '', enabled = false where placement like 'detail%'",
  );
  await untilPage("/fruits/kitsune", (html) => html.includes("<iframe"));
  const { html, headers } = await read("/ads/frame/detail_header");
  expect(html).toContain("location.hash");
  expect(headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts allow-popups;/);
  const page = await openPage({ baseUrl: testSite().address });
  // With a fragment like that of a mailed link.
  await page.goto("/ads/frame/detail_header#access_token=1", { waitUntil: "commit" });
  await page.waitForTimeout(500);
  expect(await page.title()).toBe("");

  await page.goto("/fruits/kitsune");
  await alive(page);
  for (const [placement, width, height] of [
    ["detail_header", 468, 60],
    ["detail_content", 468, 60],
    ["detail_sidebar", 250, 250],
  ] as const) {
    const slot = page.locator(`[data-placement="${placement}"]`);
    expect(await slot.count()).toBe(1);
    expect(await slot.boundingBox()).toMatchObject({ width, height });
    await slot.scrollIntoViewIfNeeded();
    const frame = slot.locator("iframe").contentFrame();
    expect(await frame.locator("b").textContent()).toBe(placement);
    await eventually(() => frame.locator("title").textContent()).toBe("null");
  }
});

test("the head names the item, with its picture and its breadcrumb", async () => {
  const { html } = await read("/fruits/kitsune");
  expect(html).toMatch(/<title>Kitsune Value \| [^<]+ Values<\/title>/);
  expect(html).toMatch(/<meta name="description" content="Kitsune in /);
  expect(html).toContain('class="drawing drawing-kitsune ');
  expect(html).toContain('"BreadcrumbList"');
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
    expect((await read("/fruits/spring-coil")).html).toMatch(/<h1[^>]*>Spring<\/h1>/);
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
