import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, read, visit } from "#tests/helpers/visit.ts";

const TEXT_PAGES = ["/about", "/privacy", "/terms", "/parents"];
const SITEMAP_PAGES = [
  "/",
  "/values",
  "/calculator",
  "/community",
  "/changes",
  "/method",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
  "/parents",
  "/safety",
];

/** A page without JavaScript. */
const openStatic = () => visit("/about", { javaScript: false });

async function mainText(page: Page, path: string): Promise<string> {
  await page.goto(path);
  return (await page.getByRole("main").textContent()) ?? "";
}

describe("text pages", () => {
  test("are complete texts without placeholders, also without JavaScript, with a table of contents that links to every section", async () => {
    const page = await openStatic();
    for (const path of TEXT_PAGES) {
      const text = await mainText(page, path);
      expect(text.length, path).toBeGreaterThan(1500);
      expect(text, path).not.toMatch(/lorem|ipsum|\[|\]|\{|\}|TODO|undefined|null|Inc\.\./i);
      expect(await page.getByRole("heading", { level: 1 }).count(), path).toBe(1);
      const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
      const sections = await page
        .locator("main section[id]")
        .evaluateAll((all) => all.map(({ id }) => `#${id}`));
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(
        sections,
      );
      await links.last().click();
      await expect.poll(() => page.locator(sections.at(-1) ?? "").isVisible()).toBe(true);
      expect(page.url()).toContain(sections.at(-1));
    }
  });

  test("/about links to values, calculator and community", async () => {
    const page = await openStatic();
    for (const [name, path] of [
      ["Browse the values", "/values"],
      ["Open the calculator", "/calculator"],
      ["Meet the community", "/community"],
    ] as const)
      expect(await page.getByRole("link", { name }).getAttribute("href")).toBe(path);
    await page.getByRole("link", { name: "Browse the values" }).click();
    await page.waitForURL("**/values");
  });

  test("the privacy policy names what is stored; contact, privacy, terms and method name the chat if nothing else is configured, and promise no other channel", async () => {
    const page = await openStatic();
    for (const path of ["/contact", "/terms", "/method", "/privacy"]) {
      const told = await mainText(page, path);
      expect(told, path).toMatch(/chat/);
      expect(told, path).not.toMatch(
        /tell us (the|and)|write to us[.,]|[Aa]sk us|other ways? to reach us|another channel|a channel on|how to reach us|like to hear/,
      );
    }
    const text = await mainText(page, "/privacy");
    for (const subject of [
      /email address/,
      /password/,
      /username/,
      /saved trades|Trades you save/,
      /rat(e|ing)/,
      /Chat messages are stored/,
      /session/,
      /light or dark/,
      /adminFieldConfig/,
      /did not save yet/,
      /among those who are here/,
      /phone number, only if/,
      /log holds errors/,
      /locked frame/,
      /stays in your browser/,
      /how far you scrolled/,
    ]) {
      expect(text).toMatch(subject);
    }
  });

  test("no sentence starts without a space", async () => {
    for (const path of SITEMAP_PAGES) {
      const main = /<main[\s\S]*<\/main>/.exec((await read(path)).html)?.[0] ?? "";
      const blocks = main.replace(/<!--.*?-->|<\/?(?:a|b|em|strong|span|time)\b[^>]*>/g, "").split(/<[^>]+>/);
      expect(
        blocks.flatMap((text) => text.match(/\S*[a-z][.?!](?=[A-Z])\S*/g) ?? []),
        path,
      ).toEqual([]);
    }
  });
});

describe("unknown addresses", () => {
  // A built site contains neither the gallery's route nor its code.
  test.each(["/nope", "/values/extra", "/fruits", "/%F0%9F%8D%8E", "/%E0%A4%A", "/__proto__", "/gallery"])(
    "%s answers 404 with the page that says so",
    async (path) => {
      const { status, html } = await read(path);
      expect(status).toBe(404);
      expect(html).toContain("Oops! Page not found");
      expect(html).not.toContain("routes/gallery");
    },
  );

  test("a link followed in the browser shows the same page as a hard load, whose link leads to the home page", async () => {
    const page = await openPage({ baseUrl: testSite().address, expectedProblems: [/404/] });
    await page.goto("/nope");
    await page.getByRole("heading", { name: "Oops! Page not found", exact: true }).waitFor();
    const hard = await page.getByRole("main").innerHTML();
    await page.goto("/about");
    await alive(page);
    await page.evaluate(() => {
      history.pushState(null, "", "/nope");
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
    });
    await page.getByRole("heading", { name: "Oops! Page not found" }).waitFor();
    expect(await page.getByRole("main").innerHTML()).toBe(hard);
    await page.getByRole("main").getByRole("link").click();
    await page.waitForURL(`${testSite().address}/`);
  });
});

describe("for search engines and phones", () => {
  test("the sitemap lists the public pages and every item with the date of its last edit, and only pages that exist", async () => {
    const answer = await fetch(`${testSite().address}/sitemap.xml`);
    expect(answer.headers.get("content-type")).toMatch(/^application\/xml/);
    const xml = await answer.text();
    const paths = [...xml.matchAll(/<loc>https:\/\/values\.example([^<]*)<\/loc>/g)].map(([, path]) => path);
    expect(paths.filter((path) => !path?.startsWith("/fruits/"))).toEqual(SITEMAP_PAGES);
    expect(paths.filter((path) => path?.startsWith("/fruits/"))).toHaveLength(86);
    expect(xml).toMatch(/\/fruits\/kitsune<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
    for (const path of [...paths, "/auth"]) {
      const page = await fetch(`${testSite().address}${path}`);
      expect([page.status, (await page.text()).match(/<h1/g)?.length], path).toEqual([200, 1]);
    }
  });

  test("robots.txt allows reading and names the sitemap on the configured host", async () => {
    const text = await (await fetch(`${testSite().address}/robots.txt`)).text();
    expect(text).toMatch(/^User-agent: \*\nAllow: \/$/m);
    expect(text).toContain("\nSitemap: https://values.example/sitemap.xml\n");
  });

  test("the manifest names the site and pictures that exist in their stated type", async () => {
    const answer = await fetch(`${testSite().address}/manifest.webmanifest`);
    expect(answer.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    const manifest = (await answer.json()) as {
      name: string;
      start_url: string;
      display: string;
      icons: { src: string; type: string }[];
    };
    expect(manifest).toMatchObject({ start_url: "/", display: "standalone" });
    expect(manifest.name).toContain("Fruit Values");
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(testSite().address + src);
      expect([src, icon.status, icon.headers.get("content-type")]).toEqual([src, 200, type]);
    }
  });
});
