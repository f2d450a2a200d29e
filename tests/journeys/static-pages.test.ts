import { describe, expect, test } from "vitest";
import { openPage, openPageWithoutJavaScript } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, read } from "#tests/helpers/visit.ts";

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

describe("text pages", () => {
  test.each(TEXT_PAGES)(
    "%s is a complete text without placeholders, also without JavaScript",
    async (path) => {
      const page = await openPageWithoutJavaScript({
        baseUrl: testSite().address,
        expectedProblems: [/\.js csp$/],
      });
      await page.goto(path);
      const text = (await page.getByRole("main").textContent()) ?? "";
      expect(text.length).toBeGreaterThan(1500);
      expect(text).not.toMatch(/lorem|ipsum|\[|\]|\{|\}|TODO|undefined|null|Inc\.\./i);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    },
  );

  test.each(TEXT_PAGES)("the table of contents of %s links to every section", async (path) => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.goto(path);
    const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
    const sections = await page
      .locator("main section[id]")
      .evaluateAll((all) => all.map(({ id }) => `#${id}`));
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(sections);
    await links.last().click();
    await expect.poll(() => page.locator(sections.at(-1) ?? "").isVisible()).toBe(true);
  });

  test.each([
    ["Browse the values", "/values"],
    ["Open the calculator", "/calculator"],
    ["Meet the community", "/community"],
  ])("/about links by %s to %s", async (name, path) => {
    const page = await openPage({ baseUrl: testSite().address, expectedProblems: [/community/] });
    await page.goto("/about");
    await page.getByRole("link", { name }).click();
    await page.waitForURL(`**${path}`);
  });

  test("the privacy policy names what is stored, and describes the contact form as configured", async () => {
    const text = await mainText("/privacy");
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

  test.each(SITEMAP_PAGES)("no sentence of %s starts without a space", async (path) => {
    const main = /<main[\s\S]*<\/main>/.exec((await read(path)).html)?.[0] ?? "";
    const blocks = main.replace(/<!--.*?-->|<\/?(?:a|b|em|strong|span|time)\b[^>]*>/g, "").split(/<[^>]+>/);
    expect(blocks.flatMap((text) => text.match(/\S*[a-z][.?!](?=[A-Z])\S*/g) ?? [])).toEqual([]);
  });

  test.each(["/contact", "/privacy", "/terms", "/method"])(
    "%s names the chat if nothing else is configured, and promises no other channel",
    async (path) => {
      const text = await mainText(path);
      expect(text).toMatch(/chat/);
      expect(text).not.toMatch(
        /tell us (the|and)|write to us[.,]|[Aa]sk us|other ways? to reach us|another channel|a channel on|how to reach us|like to hear/,
      );
    },
  );
});

describe("unknown addresses", () => {
  test.each(["/nope", "/values/extra", "/fruits", "/%F0%9F%8D%8E", "/%E0%A4%A", "/__proto__"])(
    "%s answers 404 with the page that says so",
    async (path) => {
      const answer = await fetch(testSite().address + path);
      const html = await answer.text();
      expect(answer.status).toBe(404);
      expect(html).toContain("Oops! Page not found");
    },
  );

  test("the page's link leads to the home page", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.goto("/nope");
    await page.getByRole("heading", { name: "Oops! Page not found", exact: true }).waitFor();
    await page.getByRole("main").getByRole("link").click();
    await page.waitForURL(`${testSite().address}/`);
  });

  test("a link followed in the browser shows the same page as a hard load", async () => {
    const page = await openPage({ baseUrl: testSite().address, expectedProblems: [/404/] });
    await page.goto("/nope");
    const hard = await page.getByRole("main").innerHTML();
    await page.goto("/about");
    await alive(page);
    await page.evaluate(() => {
      history.pushState(null, "", "/nope");
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
    });
    await page.getByRole("heading", { name: "Oops! Page not found" }).waitFor();
    expect(await page.getByRole("main").innerHTML()).toBe(hard);
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

async function mainText(path: string): Promise<string> {
  const page = await openPage({ baseUrl: testSite().address });
  await page.goto(path);
  return (await page.getByRole("main").textContent()) ?? "";
}
