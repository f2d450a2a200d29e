import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { startServer } from "#tests/helpers/server-process.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive } from "#tests/helpers/visit.ts";

const PAGES = [
  "/",
  "/values",
  "/fruits/kitsune",
  "/fruits/control",
  "/calculator",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
  "/nope",
  "/fruits/no-such-fruit",
];

describe("every page's head", () => {
  test.each(PAGES)(
    "%s has title, description, keywords, robots, canonical link and sharing tags that agree",
    async (path) => {
      const head = await readHead(`${path}?utm_source=somewhere`);
      expect(head.titles).toHaveLength(1);
      expect(head.title).toMatch(/Blox Fruits/);
      expect(head.title.match(/\| Blox Fruits Values/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(head.meta.get("description")?.length).toBeGreaterThan(40);
      expect(head.meta.get("keywords")).toMatch(/\w/);
      expect(head.meta.get("robots")).toBe("index, follow");
      expect(head.canonical).toEqual([`https://values.example${path}`]);
      expect(head.meta.get("og:url")).toBe(head.canonical[0]);
      expect(head.meta.get("og:type")).toBe("website");
      expect(head.meta.get("og:image")).toMatch(/^https:\/\/values\.example\//);
      expect(head.meta.get("og:site_name")).toBe("Fruit Values");
      expect(head.meta.get("twitter:card")).toMatch(/^summary/);
      for (const kind of ["og", "twitter"]) {
        expect(head.meta.get(`${kind}:title`)).toBe(head.title);
        expect(head.meta.get(`${kind}:description`)).toBe(head.meta.get("description"));
      }
    },
  );

  test("no two pages share a title or a description", async () => {
    const heads = await Promise.all(PAGES.map((path) => readHead(path)));
    expect(new Set(heads.map(({ title }) => title)).size).toBe(PAGES.length);
    expect(new Set(heads.map(({ meta }) => meta.get("description"))).size).toBe(PAGES.length);
  });

  test("a variant of an address names the canonical one", async () => {
    expect((await readHead("/About/")).canonical).toEqual(["https://values.example/about"]);
  });

  test("an item's page names its item, and its breadcrumb goes through the values", async () => {
    const head = await readHead("/fruits/kitsune");
    expect(head.meta.get("description")).toContain("Kitsune");
    const trail = head.breadcrumbs?.itemListElement.map(({ item }) => item);
    expect(trail).toEqual(["", "values", "fruits/kitsune"].map((path) => `https://values.example/${path}`));
  });

  test("every page's preview picture is a large PNG of its own", async () => {
    const pictures = new Set<string>();
    for (const path of [
      "/",
      "/calculator",
      "/calculator?you=kitsune&them=dough,dough",
      "/fruits/kitsune",
      "/fruits/control",
    ]) {
      const image = new URL((await readHead(path)).meta.get("og:image") ?? "");
      const answer = await fetch(testSite().address + image.pathname + image.search);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "image/png"]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
      // Discord, WhatsApp and others skip larger files.
      expect(bytes.length).toBeLessThan(300_000);
      pictures.add(bytes.toString("base64"));
    }
    expect(pictures.size).toBe(4);
  });

  test("there is no preview picture for an item that does not exist", async () => {
    for (const path of [
      "/share/fruits/no-such-fruit.png",
      "/share/fruits/kitsune",
      "/share/fruits/..%2f..%2fmark.png",
      "/share/fruits/%00.png",
    ]) {
      expect([path, (await fetch(testSite().address + path)).status]).toEqual([path, 404]);
    }
  });

  test("a link to a trade describes its items, totals and verdict", async () => {
    const head = await readHead("/calculator?you=dough,dough&them=tiger.p,atlantis&utm_source=x");
    expect(head.title).toMatch(/^2 Dough for permanent Tiger \+ Atlantis: Can't be judged yet/);
    expect(head.meta.get("og:url")).toBe(
      "https://values.example/calculator?you=dough,dough&them=tiger.p,atlantis",
    );
    const judged = await readHead("/calculator?you=kitsune&them=control");
    expect(judged.title).toContain("Kitsune for Control: You're Overpaying");
    expect(judged.meta.get("description")).toMatch(
      /You give Kitsune \(640M\) and get Control \(160M\)\..* 480M, 75%/,
    );
  });

  test("an item's link shows its value, its last change and when it was checked", async () => {
    const { meta } = await readHead("/fruits/kitsune");
    expect(meta.get("og:description")).toMatch(
      /value 640M \(-3\.03% since \w{3} \d+, \d{4}\), permanent .*checked \w{3} \d+, \d{4}/,
    );
  });
});

describe("after client-side navigation", () => {
  test("all head tags match those of a fresh load, without leftovers", async () => {
    const page = await openPage({
      baseUrl: testSite().address,
      expectedProblems: [/404|community|history|chat|auth/],
    });
    await page.goto("/");
    await alive(page);
    const fresh = await page.context().newPage();
    const footer = page.getByRole("contentinfo");
    for (const [name, path] of [
      ["About Us", "/about"],
      ["Contact", "/contact"],
      ["Browse Values", "/values"],
      ["Privacy Policy", "/privacy"],
      ["Trade Calculator", "/calculator"],
      ["Terms of Service", "/terms"],
    ] as const) {
      await footer.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(`**${path}`);
      await fresh.goto(path);
      await alive(fresh);
      await expect.poll(() => page.title()).toBe(await fresh.title());
      expect(await pageTags(page), path).toEqual(await pageTags(fresh));
    }
  });
});

describe("with other names configured", () => {
  test("titles, suffix, host and texts carry the operator's names", async () => {
    const dataDir = readyDataDir();
    const env = {
      DATA_DIR: dataDir,
      SITE_URL: "https://x.example",
      SITE_NAME: "Harbor Prices",
      GAME_NAME: "Fruit Seas",
      GAME_COMPANY: "Sea Studio",
    };
    const server = await startServer({ env });
    try {
      for (const path of [
        "/",
        "/values",
        "/calculator",
        "/about",
        "/contact",
        "/privacy",
        "/terms",
        "/parents",
        "/nope",
      ]) {
        const head = await readHead(path, server.address);
        expect(head.title.includes("Fruit Seas"), head.title).toBe(true);
        expect(head.title).not.toMatch(/Blox Fruits/);
        expect(head.canonical).toEqual([`https://x.example${path}`]);
      }
      const about = await (await fetch(`${server.address}/about`)).text();
      expect(about).toContain("Sea Studio");
      expect(about).not.toMatch(/Blox Fruits|Gamer Robot|Fruit Values/);
      expect(await (await fetch(`${server.address}/calculator`)).text()).toMatch(
        /<main[\s\S]*Harbor Prices[\s\S]*<\/main>/,
      );
      expect(server.output().match(/\/nope/g), "one line of the log names the unknown path").toHaveLength(1);
      expect(await (await fetch(`${server.address}/robots.txt`)).text()).toContain(
        "https://x.example/sitemap.xml",
      );
    } finally {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

type Breadcrumbs = { itemListElement: { name: string; item: string }[] };

/** The head as a crawler reads it: only from the response's HTML. */
async function readHead(path: string, address = testSite().address) {
  const html = await (await fetch(address + path)).text();
  const head = html.slice(0, html.indexOf("</head>"));
  const tags = [...head.matchAll(/<(?:meta|link)\s[^>]*>/g)].map(([tag]) => attributesOf(tag));
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1];
  const titles = [...head.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => decode(title ?? ""));
  return {
    titles,
    title: titles[0] ?? "",
    meta: new Map(tags.map((tag) => [tag.name ?? tag.property ?? "", tag.content ?? ""])),
    canonical: tags.filter(({ rel }) => rel === "canonical").map(({ href }) => href),
    breadcrumbs: data ? (JSON.parse(data) as Breadcrumbs) : null,
  };
}

function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, text]) => [name, decode(text ?? "")]),
  );
}

function decode(text: string): string {
  return text
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

/** The tags that the page added to the document's head, in any order, without those for the build's files. */
function pageTags(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("title, meta, link[rel=canonical], script[type='application/ld+json']")]
      .map((element) => element.outerHTML)
      .sort(),
  );
}
