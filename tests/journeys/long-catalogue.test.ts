import { Client } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { ITEMS_A_PAGE } from "#app/routes/values/found/found-items.ts";
import { openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { alive, eventually, read } from "#tests/helpers/visit.ts";

const ADDED = 10_000;
const LAST = "Driftwood Omega";
const HTML_LIMIT = 500_000;

const site = ownSite();
let count = 0;

/** Adds items, and one that comes last in every order by value. */
beforeAll(async () => {
  const client = new Client({ connectionString: site.databaseUrl });
  await client.connect();
  await client.query(
    `insert into public.items (name, slug, current_value, previous_value, category_id)
     select 'Ware ' || n, 'ware-' || n, (n * 7 % 90001)::text, (n * 5 % 90001)::text, (select id from public.categories limit 1)
     from generate_series(1, $1) as n`,
    [ADDED],
  );
  await client.query(
    `insert into public.items (name, slug, aliases, current_value) values ($1, 'driftwood-omega', 'flotsam', '0')`,
    [LAST],
  );
  const { rows } = await client.query("select count(*)::int as count from public.items");
  await client.end();
  count = rows[0].count;
}, 180_000);
const weigh = async (path: string) => (await read(path, site.address)).html.length;

describe("a catalog of ten thousand items", () => {
  test("is counted completely, and pages and what the browser requests stay light", async () => {
    await eventually(async () => (await read("/values", site.address)).html).toContain(`${count} items`);
    for (const path of ["/", "/values", "/values?q=ware", "/values?sort=rise&page=3", "/fruits/ware-1"])
      expect(await weigh(path), path).toBeLessThan(HTML_LIMIT);
    for (const path of ["/values.data", "/values/found.json?q=ware"])
      expect(await weigh(path), path).toBeLessThan(HTML_LIMIT / 4);
  });

  test("the last item is found without scripts, by search and by paging", async () => {
    expect((await read("/values?q=driftwood", site.address)).html).toContain(LAST);
    expect((await read("/values?q=driftwod%20omga", site.address)).html).toContain(LAST);
    expect((await read("/values", site.address)).html).not.toContain(LAST);
    const last = Math.ceil(count / ITEMS_A_PAGE);
    const { html } = await read(`/values?page=${last}`, site.address);
    expect(html).toContain(LAST);
    expect(html).toContain(`href="/values?page=${last - 1}"`);
    expect(html).not.toContain("Show more");
    const page = await openPage({
      baseUrl: site.address,
      javaScript: false,
      expectedProblems: [/\.js csp$/],
    });
    await page.goto("/values?sort=name");
    await page.getByRole("link", { name: "Show more" }).click();
    await page.waitForURL("**/values?sort=name&page=2", { waitUntil: "commit" });
    await eventually(() => page.locator("main li h2").count()).toBe(ITEMS_A_PAGE);
  });

  test("a search within a category covers all items while the categories cannot be read", async () => {
    const path = "/values?q=driftwood&category=limiteds";
    const says = async (text: string) => (await read(path, site.address)).html.includes(text);
    await eventually(() => says("No items found")).toBe(true);
    const edit = "update items set updated_at = now() where slug = 'spin'";
    await changeSite(
      `revoke select on categories from anon; ${edit}`,
      "grant select on categories to anon",
      site.databaseUrl,
    );
    await eventually(() => says(LAST)).toBe(true);
    const page = await openPage({ baseUrl: site.address });
    await page.goto(path);
    await alive(page);
    expect(await page.locator("main li h2").allTextContents()).toEqual([LAST]);
  });

  test("with scripts a search covers all items and is not called empty if the server does not answer, and Show more adds to the list", async () => {
    const page = await openPage({ baseUrl: site.address, expectedProblems: [/503|found\.json/] });
    await page.goto("/values");
    await alive(page);
    await page.route("**/values/found.json*", (route) => route.fulfill({ status: 503 }));
    await page.getByPlaceholder("Search items...").fill("flotsam");
    await page.getByText("the others can’t be searched right now").waitFor();
    expect(await page.getByText("No items found").count()).toBe(0);
    expect(await page.getByRole("status").first().textContent()).toBe("");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("button", { name: "Show items", exact: true }).click();
    // What is found is not all that may match.
    await page.getByPlaceholder("Search items...").fill("kitsune");
    await eventually(() => page.getByRole("status").first().textContent()).toBe("3 items among those loaded");
    await page.getByPlaceholder("Search items...").fill("flotsam");
    await page.getByText("the others can’t be searched right now").waitFor();
    await page.unroute("**/values/found.json*");
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(() => page.locator("main li h2").allTextContents()).toEqual([LAST]);
    expect(await page.getByRole("status").first().textContent()).toBe("1 item");

    await page.goto("/values");
    await alive(page);
    const names = page.locator("main li h2");
    await page.getByRole("link", { name: "Show more" }).click();
    await eventually(() => names.count()).toBe(2 * ITEMS_A_PAGE);
    expect(new Set(await names.allTextContents()).size).toBe(2 * ITEMS_A_PAGE);
    await page.getByPlaceholder("Search items...").fill("flotsam");
    await eventually(() => names.allTextContents()).toEqual([LAST]);
    await eventually(() => page.getByRole("status").first().textContent()).toBe("1 item");
    await page.getByPlaceholder("Search items...").fill("nothing like it");
    await page.getByText("No items found").waitFor();
    await page.getByRole("link", { name: "Show all items" }).click();
    await eventually(() => names.count()).toBe(ITEMS_A_PAGE);
    await page.goto("/values?page=3");
    await alive(page);
    await page.getByRole("link", { name: "Show more" }).click();
    await eventually(() => names.count()).toBe(2 * ITEMS_A_PAGE);
    await page.getByText(`${2 * ITEMS_A_PAGE + 1} to ${4 * ITEMS_A_PAGE} of ${count}`).waitFor();
    expect(new URL(page.url()).search).toBe("?page=3");
  });
});
