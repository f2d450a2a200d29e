import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { testSite } from "#tests/helpers/site.ts";
import { showOriginal, translate } from "#tests/helpers/translate.ts";
import { alive, eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";

const cards = (page: Page) => page.locator("main li:has(h2)");
const slots = (page: Page) => page.locator('[data-placement="values_grid"]');
const card = (page: Page, name: string) =>
  cards(page).filter({ has: page.getByRole("link", { name, exact: true }) });
const names = (page: Page) => page.locator("main li h2").allTextContents();
const figure = (within: Locator, label: string) =>
  within
    .locator("dl > div")
    .filter({ has: within.page().locator("dt", { hasText: label }) })
    .locator("dt + dd");
/** Presses a card's own toggle. */
const toggle = (within: Locator) =>
  within.getByRole("button", { name: /^(Regular|Permanent) value of/ }).click();
const showCards = (page: Page) => page.getByRole("button", { name: "Cards", exact: true }).click();
const choose = (within: Locator, group: string, mode: string) =>
  within.getByRole("group", { name: group, exact: true }).getByText(mode, { exact: true }).click();
const search = (page: Page, text: string) => page.getByPlaceholder("Search items...").fill(text);

/** The slugs of the list, in the order of the HTML. */
const slugsOf = (html: string) =>
  [...html.matchAll(/<h2[^>]*><a [^>]*href="\/fruits\/([^"]+)"/g)].map((match) => match[1]);

/** Enables the grid's ads for one test: they are off in a fresh catalog. */
async function switchAdsOn(code = ""): Promise<void> {
  await changeSite(
    `update ads set ad_code = $ad$${code}$ad$, enabled = true where placement = 'values_grid'`,
    "update ads set ad_code = '', enabled = false where placement = 'values_grid'",
  );
  const state = code.trim() ? "<iframe" : "Your ad space here";
  await untilPage("/values", (html) => html.includes(state));
}

describe("before any script runs", () => {
  test("the page has its heading and all 86 items, sorted by value with unpriced ones last", async () => {
    const { status, html } = await read("/values");
    expect(status).toBe(200);
    expect(html).toMatch(/<h1[^>]*>Item Values<\/h1>/);
    const slugs = slugsOf(html);
    expect(slugs).toHaveLength(86);
    expect(slugs.slice(0, 3)).toEqual(["galaxy-empyrean-kitsune", "crimson-kitsune", "ember-west-dragon"]);
    expect(slugs.indexOf("west-dragon")).toBe(8);
    expect(slugs.indexOf("rocket")).toBeLessThan(slugs.indexOf("eclipse"));
  });

  test("a visitor without scripts reads names, values, demand and rarity", async () => {
    const page = await visit("/values", { javaScript: false });
    expect(await cards(page).count()).toBe(86);
    const kitsune = (await card(page, "Kitsune").textContent()) ?? "";
    for (const text of ["640M", "Mythical", "Click for detailed statistics →"])
      expect(kitsune).toContain(text);
    expect(kitsune.toLowerCase()).toContain("very high");
    expect(kitsune).not.toContain("_");
  });

  test("the server applies the search and default mode in the address", async () => {
    expect(slugsOf((await read("/values?q=kItS")).html)).toHaveLength(3);
    expect(slugsOf((await read("/values?category=gamepasses")).html)).toHaveLength(9);
    expect(slugsOf((await read("/values?mode=permanent")).html)[0]).not.toBe("galaxy-empyrean-kitsune");
  });
});

describe("searching and choosing a category", () => {
  const kitsunes = ["Kitsune", "Galaxy Empyrean Kitsune", "Crimson Kitsune"];
  const chosenTab = (page: Page) => page.getByRole("tab", { selected: true }).textContent();

  test("the search and the tabs narrow the list, alone and together, in translation, too; an empty result says so, and suggests the closest names", async () => {
    const page = await visit("/values");
    const tabs = await page.getByRole("tab").allInnerTexts();
    expect(tabs).toHaveLength(9);
    expect(tabs[0]).toBe("All Items");
    expect(tabs[1]).toMatch(/🐉\s*Mythical Fruits/);
    expect(await chosenTab(page)).toBe("All Items");

    await search(page, "kItS");
    await eventually(() => names(page)).toEqual(kitsunes);
    await search(page, "");
    await eventually(() => cards(page).count()).toBe(86);

    await page.getByRole("tab", { name: "Gamepasses" }).click();
    await eventually(() => cards(page).count()).toBe(9);
    await page.getByRole("tab", { name: "Limiteds" }).click();
    await search(page, "pain");
    await eventually(async () => (await names(page)).every((name) => /pain/i.test(name))).toBe(true);
    expect(await names(page)).not.toContain("Pain");
    await search(page, "");
    await page.getByRole("tab", { name: "All Items" }).click();
    await eventually(() => cards(page).count()).toBe(86);

    // A translation by the browser follows what changes, leaves names and values, and can be taken back.
    await translate(page);
    await search(page, "kItS");
    await page.getByText("«3 items»").waitFor();
    expect(await names(page)).toEqual(kitsunes);
    expect(await figure(cards(page).first(), "Value").textContent()).toBe("640M");
    await search(page, "zzzz");
    await page.getByText("«No items found»").waitFor();
    await showOriginal(page);
    expect(await page.locator("font").count()).toBe(0);
    await page.getByText("No items found", { exact: true }).waitFor();
    expect([await cards(page).count(), await slots(page).count()]).toEqual([0, 0]);
    await page.locator("main").getByRole("link", { name: "Show all items" }).click();
    await eventually(() => cards(page).count()).toBe(86);

    await page.goto("/values?category=gamepasses&q=kxtsxne");
    await alive(page);
    const near = page.getByRole("list", { name: "Did you mean" }).getByRole("link");
    expect(await near.first().textContent()).toBe("Kitsune");
    await near.first().click();
    await eventually(() => names(page)).toEqual(kitsunes);
    await eventually(() => page.getByPlaceholder("Search items...").inputValue()).toBe("Kitsune");
    expect(await chosenTab(page)).toBe("All Items");
  });

  test("the header's search keeps what is chosen; a card opens its item by click and by Enter, and Back restores the search", async () => {
    const page = await visit("/values?category=gamepasses&mode=permanent&sort=name");
    const shown = await names(page);
    await page.getByRole("link", { name: "Search items" }).click();
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe("search");
    await page.keyboard.type("x");
    await eventually(() => new URL(page.url()).search).toBe(
      "?q=x&category=gamepasses&mode=permanent&sort=name",
    );
    await page.keyboard.press("Backspace");
    await eventually(() => names(page)).toEqual(shown);
    expect(await chosenTab(page)).toContain("Gamepasses");

    await page.goto("/values");
    await alive(page);
    await search(page, "kits");
    await eventually(() => new URL(page.url()).search).toBe("?q=kits");
    await card(page, "Kitsune").click({ position: { x: 20, y: 20 } });
    await page.getByRole("heading", { level: 1, name: "Kitsune" }).waitFor();
    await page.goBack();
    await eventually(() => cards(page).count()).toBe(3);
    await eventually(() => page.getByPlaceholder("Search items...").inputValue()).toBe("kits");
    await search(page, "control");
    await eventually(() => cards(page).count()).toBe(1);
    await page.getByRole("link", { name: "Control", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/fruits/control");
  });
});

describe("the view mode", () => {
  test("a card's toggle changes only that card, and does not navigate by mouse or keyboard; without a value there are en dashes", async () => {
    const page = await visit("/values");
    const kitsune = card(page, "Kitsune");
    const control = await card(page, "Control").textContent();
    expect(await figure(kitsune, "Price").textContent()).toBe("8M Beli");
    expect(await figure(kitsune, "Change").textContent()).toContain("-20M");
    await toggle(kitsune);
    expect(await figure(kitsune, "Value").textContent()).toBe("6.24B");
    expect(await figure(kitsune, "Price").textContent()).toBe("4K Robux");
    expect(await figure(kitsune, "Change").textContent()).toMatch(/▼\s*-740M/);
    expect(await card(page, "Control").textContent()).toBe(control);
    await kitsune.getByRole("button", { name: "Permanent value of Kitsune, show Regular" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    expect(await figure(kitsune, "Value").textContent()).toBe("640M");
    expect(new URL(page.url()).pathname).toBe("/values");
    expect(await kitsune.locator("a button").count()).toBe(0);
    for (let round = 0; round < 5; round += 1) {
      await toggle(kitsune);
      expect(await figure(kitsune, "Value").textContent()).toBe("6.24B");
      await toggle(kitsune);
      expect(await figure(kitsune, "Value").textContent()).toBe("640M");
    }

    // Neither 0 nor the other mode's figures.
    const notifier = card(page, "Fruit Notifier");
    await toggle(notifier);
    expect(await figure(notifier, "Value").textContent()).toBe("–");
    expect(await figure(notifier, "Change").textContent()).toMatch(/–\s*not enough data/);
    expect(await notifier.textContent()).not.toContain("4.79B");
  });

  test("the default sets every card, including hidden ones, sorts by that mode's values, and follows a search that asks for one", async () => {
    const page = await visit("/values");
    const all = page.locator("main");
    const group = page.getByRole("group", { name: "Default View Mode" });
    const gap = await group.evaluate((element) => {
      const words = document.createRange();
      words.selectNodeContents(element.parentElement?.querySelector(":scope > span") as Node);
      return element.getBoundingClientRect().left - words.getBoundingClientRect().right;
    });
    expect(gap, "its name is beside it, on a wide screen too").toBeGreaterThan(0);
    expect(gap).toBeLessThan(20);

    expect(await group.getByRole("radio").count()).toBe(2);
    for (const name of ["Kitsune", "Control", "Fruit Notifier"]) {
      await toggle(card(page, name));
    }
    await search(page, "control");
    await eventually(() => cards(page).count()).toBe(1);
    await choose(all, "Default View Mode", "Permanent");
    await choose(all, "Default View Mode", "Regular");
    await search(page, "");
    await eventually(() => cards(page).count()).toBe(86);
    expect(await shownModes(page)).toEqual(["regular"]);
    await choose(all, "Default View Mode", "Permanent");
    await eventually(() => shownModes(page)).toEqual(["permanent"]);
    const values = await cards(page).locator("dl > div:first-child dd").allTextContents();
    expect(values.indexOf("–")).toBe(values.filter((value) => value !== "–").length);

    await choose(all, "Default View Mode", "Regular");
    await eventually(() => shownModes(page)).toEqual(["regular"]);
    await search(page, "perm dough");
    await eventually(() => group.getByRole("radio", { name: "Permanent" }).isChecked()).toBe(true);
    await eventually(() => shownModes(page)).toEqual(["permanent"]);
    // Choosing one overrules the search.
    await choose(all, "Default View Mode", "Regular");
    await eventually(() => shownModes(page)).toEqual(["regular"]);
    await eventually(() => page.getByPlaceholder("Search items...").inputValue()).toBe("dough");
    expect(await names(page)).toEqual(["Dough"]);
  });
});

/** The distinct modes of the cards. */
async function shownModes(page: Page): Promise<string[]> {
  const modes = cards(page).locator("[data-mode]");
  return [
    ...new Set(await modes.evaluateAll((all) => all.map((each) => each.getAttribute("data-mode") ?? ""))),
  ];
}

describe("a card", () => {
  test("has its custom fields and the age of its check, and a placeholder of the same size instead of a missing or broken picture", async () => {
    const uploads = "/storage/v1/object/public/item-images/";
    const page = await openPage({
      baseUrl: testSite().address,
      expectedProblems: [/answer 40[04]: GET .*gone\.png/],
    });
    await page.goto("/values");
    await alive(page);
    const box = (name: string) => card(page, name).locator("img").boundingBox();
    const shown = (name: string) => card(page, name).locator("img").getAttribute("class");
    const picture = await box("Rocket");
    expect(await shown("Rocket")).toContain("drawing-rocket");
    // Its part of the sheet is the very picture of its own file.
    const image = card(page, "Rocket").locator("img");
    await image.scrollIntoViewIfNeeded();
    await image.evaluate((own: HTMLImageElement) => own.decode());
    const part = await image.screenshot();
    await image.evaluate(async (own: HTMLImageElement) => {
      own.classList.remove("drawing");
      own.src = "/items/rocket.svg";
      await own.decode();
    });
    expect((await image.screenshot()).equals(part)).toBe(true);
    await changeSite(
      `update items set image_url = null where slug = 'rocket';
       update items set image_url = '${uploads}gone.png' where slug = 'spin';
       insert into field_definitions (name, label, type) values ('custom_tier', 'Tier', 'text');
       update items set custom_fields = '{"custom_tier": "S+"}' where slug = 'kitsune'`,
      `update items set image_url = '/items/' || slug || '.svg' where slug in ('rocket', 'spin');
       update items set custom_fields = '{}' where slug = 'kitsune';
       delete from field_definitions where name = 'custom_tier'`,
    );
    await untilPage("/values", (html) => html.includes("gone.png") && html.includes("S+"));
    await page.goto("/values");
    await alive(page);
    for (const name of ["Rocket", "Spin"]) {
      await eventually(() => shown(name)).toMatch(/drawing- /);
      expect(await box(name)).toMatchObject({ width: picture?.width, height: picture?.height });
    }
    expect(await figure(card(page, "Kitsune"), "Tier").textContent()).toBe("S+");
    expect(await page.getByText("S+").count()).toBe(1);
    expect(await card(page, "Kitsune").textContent()).toMatch(/Checked (\d+ \w+ ago|today|yesterday)/);
  });
});

describe("the page configuration of values", () => {
  const ALL = ["image", "name", "rarity", "demand", "current_value", "beli_price", "value_change"];
  const without = (...fields: string[]) =>
    changeSite(
      `insert into page_configurations (page_name, visible_fields)
       values ('values', '{${ALL.filter((each) => !fields.includes(each))}}')
       on conflict (page_name) do update set visible_fields = excluded.visible_fields`,
      "delete from page_configurations where page_name = 'values'",
    );

  const PARTS = [
    ["image", "img", 'class="drawing '],
    ["rarity", '[data-slot="rarity-badge"]', 'data-slot="rarity-badge"'],
    ["demand", '[data-slot="demand-badge"]', 'data-slot="demand-badge"'],
    ["current_value", 'dt:text-is("Value")', ">Value</dt>"],
    ["beli_price", 'dt:text-is("Price")', ">Price</dt>"],
    ["value_change", 'dt:text-is("Change")', ">Change</dt>"],
  ] as const;

  test("hides one field from every card, in both modes, and nothing else", async () => {
    const both = ["/values", "/values?mode=permanent"];
    for (const [field] of PARTS) {
      await without(field);
      for (const path of both)
        await untilPage(path, (html) => {
          const shown = PARTS.filter(([, , markup]) => html.includes(markup)).map(([name]) => name);
          const others = PARTS.map(([name]) => name).filter((name) => name !== field);
          return slugsOf(html).length === 86 && shown.join() === others.join();
        });
    }
  });

  test("shows nothing hidden when the mode is switched; a hidden name is still the name of the card's link", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    for (const parts of [PARTS.slice(0, 3), PARTS.slice(3)]) {
      const hidden = parts.map(([field]) => field as string);
      await without(...hidden);
      await untilPage(
        "/values",
        (html) =>
          parts.every(([, , markup]) => !html.includes(markup)) &&
          PARTS.every(([field, , markup]) => hidden.includes(field) || html.includes(markup)),
      );
      await page.goto("/values");
      await alive(page);
      const expectParts = async () => {
        expect(await cards(page).count()).toBe(86);
        for (const [field, part] of PARTS)
          expect((await cards(page).locator(part).count()) > 0, field).toBe(!hidden.includes(field));
      };
      await expectParts();
      await choose(page.locator("main"), "Default View Mode", "Permanent");
      await eventually(() => shownModes(page)).toEqual(["permanent"]);
      await expectParts();
    }

    await without("name");
    await untilPage("/values", (html) => html.includes('aria-label="Kitsune"'));
    await page.goto("/values");
    await alive(page);
    expect(await names(page)).toEqual(Array(86).fill(""));
    expect(await page.getByRole("link", { name: "Kitsune", exact: true }).count()).toBe(1);
    await search(page, "kitsune");
    await eventually(() => cards(page).count()).toBe(3);
    await expectNoAxeFindings(page);
  });
});

describe("the ads of the grid", () => {
  test("follow every eighth card but never the last row, show the placeholder if their code is blank, and take up no space if disabled", async () => {
    await switchAdsOn("   ");
    const page = await visit("/values");
    expect(await slots(page).count()).toBe(10);
    const order = await page
      .locator("main ul:has(> li h2) > li")
      .evaluateAll((all) => all.map((li) => li.querySelector("h2") === null));
    const places = order.flatMap((isAd, index) => (isAd ? [index] : []));
    expect(places).toEqual(Array.from({ length: 10 }, (_, index) => 8 + index * 9));
    expect(await slots(page).first().boundingBox()).toMatchObject({ width: 728, height: 90 });
    expect(await slots(page).first().textContent()).toMatch(/Advertisement\s*Your ad space here/);
    expect(await page.locator("iframe").count()).toBe(0);

    await page.getByRole("tab", { name: "Gamepasses" }).click();
    await eventually(() => slots(page).count()).toBe(1);
    for (const width of [320, 768, 1024, 1300, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      const [last, ad] = await Promise.all([cards(page).last().boundingBox(), slots(page).boundingBox()]);
      expect(last?.y, `at ${width}`).toBeGreaterThan(ad?.y ?? Number.POSITIVE_INFINITY);
    }
    await search(page, "2x");
    await eventually(() => slots(page).count()).toBe(0);
    await changeSite(
      "update items set category_id = null where slug = 'dark-blade'",
      "update items set category_id = (select id from categories where slug = 'gamepasses') where slug = 'dark-blade'",
    );
    await untilPage("/values?category=gamepasses", (html) => slugsOf(html).length === 8);
    expect((await read("/values?category=gamepasses")).html).not.toContain("values_grid");

    await switchAdsOn("<b>hello ad</b>");
    await changeSite("update ads set enabled = false where placement = 'values_grid'", "select");
    await untilPage("/values", (html) => !html.includes('data-placement="values_grid"'));
    await page.goto("/values");
    await alive(page);
    expect([await cards(page).count(), await page.locator("main ul:has(> li h2) > li").count()]).toEqual([
      86, 86,
    ]);
  });

  test("whose picture cannot be loaded show the placeholder until another picture is set", async () => {
    const lost = "data:image/png;base64,AAAA";
    const other = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
    await switchAdsOn(`<a href="/about"><img src="${lost}" alt="Great fruit"></a><img src="${other}" width="1" height="1">
      <script>addEventListener("message", () => { document.images[0].width = 300; document.images[0].src = "${other}"; });</script>`);
    const page = await visit("/values");
    const frame = page.locator("iframe").first();
    await frame.scrollIntoViewIfNeeded();
    const ad = frame.contentFrame();
    await ad.getByText("Your ad space here").waitFor();
    const room = await ad.locator("[data-placeholder]").boundingBox();
    expect(room).toEqual(await slots(page).first().boundingBox());
    expect(await ad.getByRole("img").count()).toBe(0);
    expect(await ad.getByRole("link").count()).toBe(0);
    await frame.evaluate((element: HTMLIFrameElement) => element.contentWindow?.postMessage("again", "*"));
    await ad.getByRole("img", { name: "Great fruit" }).waitFor();
    expect(await ad.getByText("Your ad space here").count()).toBe(0);
  });

  test("are centered in a taller slot, and aligned to the top if they are taller themselves", async () => {
    const picture = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='728' height='90'/>`;
    await switchAdsOn(`<img src="${picture}" alt="Great fruit">`);
    const page = await visit("/values", { width: 360, height: 740 });
    const slot = slots(page).first();
    await slot.scrollIntoViewIfNeeded();
    const shown = slot.locator("iframe").contentFrame().getByRole("img");
    const spaces = async () => {
      const [outer, inner] = [await slot.boundingBox(), await shown.boundingBox()];
      if (!outer || !inner) return null;
      return { above: inner.y - outer.y, below: outer.y + outer.height - inner.y - inner.height };
    };
    await eventually(async () => (await spaces())?.above).toBeGreaterThan(15);
    const { above = 0, below = 0 } = (await spaces()) ?? {};
    expect(Math.abs(above - below)).toBeLessThan(10);
    await shown.evaluate((image: HTMLElement) => image.style.setProperty("height", "300px"));
    await eventually(async () => (await spaces())?.above).toBe(0);
  });

  test("run their code in a frame without access to the page, without a lost picture, dimmed in dark mode, and not in an offline copy", async () => {
    await switchAdsOn(`<img src="data:image/png;base64,AAAA" alt="Great fruit"><b>hello ad</b><script>
      document.write('<i>1</i>');
      const tried = (what) => { try { what(); return 'reached'; } catch { return 'refused'; } };
      document.write('<u>' + [() => localStorage.length, () => document.cookie, () => parent.document.title].map(tried) + '</u>');
    </script>`);
    const page = await visit("/values", {
      keepsCopies: true,
      expectedProblems: [/ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED/, /Failed to fetch/, /^answer 503/],
    });
    const slot = slots(page).first();
    const frame = slot.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts allow-popups");
    await frame.scrollIntoViewIfNeeded();
    const ad = frame.contentFrame();
    expect(await ad.locator("b").textContent()).toBe("hello ad");
    expect(await ad.locator("i").textContent()).toBe("1");
    expect(await ad.locator("u").textContent()).toBe("refused,refused,refused");
    expect(await slot.boundingBox()).toMatchObject({ width: 728, height: 90 });
    await ad.locator("img[data-lost]").waitFor({ state: "attached" });
    expect(await ad.locator("img").isVisible()).toBe(false);
    expect(await ad.locator("b").isVisible()).toBe(true);
    expect(await ad.getByText("Your ad space here").count()).toBe(0);

    const cover = () => slot.evaluate((element) => getComputedStyle(element, "::after").backgroundColor);
    expect(await cover()).toBe("rgba(0, 0, 0, 0)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await cover()).toBe("rgba(0, 0, 0, 0.15)");

    // Instead of the browser's error page, until the connection returns.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    await page.context().setOffline(true);
    await page.reload();
    expect(await frame.isVisible()).toBe(false);
    expect(await slot.evaluate((element) => getComputedStyle(element, "::after").content)).toBe(
      '"Advertisement"',
    );
    expect((await slot.boundingBox())?.height).toBe(90);
    await page.context().setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await frame.waitFor();
    await slot.scrollIntoViewIfNeeded();
    await frame.contentFrame().getByText("hello ad").waitFor();
  });
});

test("the keyboard reaches search, filters, mode, view, tabs, order and the first item in this order; cards have two columns on the smallest screen, six on the largest, and never fewer as it grows", async () => {
  const page = await visit("/values");
  await page.getByPlaceholder("Search items...").focus();
  const stops: string[] = [];
  for (let stop = 0; stop < 8; stop += 1) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate(
        () => document.activeElement?.getAttribute("name") || document.activeElement?.textContent || "",
      ),
    );
  }
  expect(stops).toEqual([
    "Filters",
    "mode",
    "List",
    "Cards",
    "All Items",
    "sort",
    "Galaxy Empyrean Kitsune",
    "Regular value of Galaxy Empyrean Kitsune, show Permanent",
  ]);

  await showCards(page);
  const counts: number[] = [];
  for (const width of [320, 640, 1024, 1536, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const columns = await page
      .locator("main ul:has(> li h2)")
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns);
    counts.push(columns.split(" ").length);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect([counts[0], counts.at(-1)]).toEqual([2, 6]);

  await page.getByRole("tab", { name: "All Items" }).focus();
  await page.keyboard.press("End");
  await eventually(() => cards(page).count()).toBe(2);
});

test("a connection that breaks while this page or an item loads leaves the page's frame and a retry button", async () => {
  const page = await visit("/about", {
    expectedProblems: [/values\.data/, /control\.data/, /console error/],
  });
  await page.route("**/values.data*", (route) => route.abort("failed"));
  await page.getByRole("navigation").first().getByRole("link", { name: "Values", exact: true }).click();
  await page.getByText("Values can't be loaded right now").waitFor();

  await page.goto("/values?q=control");
  await alive(page);
  await page.route("**/fruits/control.data*", (route) => route.abort("failed"));
  await page.getByRole("link", { name: "Control", exact: true }).click();
  await page.getByText("Values can't be loaded right now").waitFor();
  expect(new URL(page.url()).pathname).toBe("/fruits/control");
});
