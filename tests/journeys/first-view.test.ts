import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { read } from "#tests/helpers/visit.ts";

const PHONE = { width: 360, height: 740 };
const LIMIT = 180_000;
const PAGES = [
  "/",
  "/values",
  "/fruits/kitsune",
  "/calculator",
  "/calculator?you=kitsune&them=dough,dough",
  "/community",
  "/history",
  "/chat",
  "/auth",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
];

/** Bytes transferred, except pictures below the first screen, which browsers prefetch at their own discretion. */
async function weighFirstView(page: Page, requests: readonly Request[]): Promise<number> {
  const unseen = await page.evaluate(() => {
    const below = (image: HTMLImageElement) => image.getBoundingClientRect().top >= window.innerHeight;
    const images = [...document.images];
    const shown = new Set(images.filter((image) => !below(image)).map(({ currentSrc }) => currentSrc));
    return images.map(({ currentSrc }) => currentSrc).filter((src) => !shown.has(src));
  });
  const seen = requests.filter((request) => !unseen.includes(request.url()));
  const sizes = await Promise.all(seen.map((request) => request.sizes()));
  return sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
}

/** Requests pages several times, because the site fully compresses only popular ones. */
async function becomePopular(paths: readonly string[]): Promise<void> {
  for (let times = 0; times < 4; times++) await Promise.all(paths.map((path) => read(path)));
}

describe("the first view of a phone", () => {
  beforeAll(() => becomePopular(PAGES));

  test.each(PAGES)("weighs at most 180 KB in total, without layout shifts: %s", async (path) => {
    const page = await openPage({
      baseUrl: testSite().address,
      ...PHONE,
      reducedMotion: "no-preference",
    });
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        // On a busy machine a font that arrives after the first paint may shift a line minimally.
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          if (entry.value >= 0.001) moved.push(JSON.stringify(entry));
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(path, { waitUntil: "networkidle" });
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
    const weight = await weighFirstView(page, requests);
    expect(weight).toBeGreaterThan(50_000);
    if (weight <= LIMIT) return;
    // A page is first compressed quickly, and fully a few seconds later.
    const weighAgain = async () => {
      requests.length = 0;
      await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
      await page.goto(path, { waitUntil: "networkidle" });
      return weighFirstView(page, requests);
    };
    await expect.poll(weighAgain, { interval: 2_000 }).toBeLessThanOrEqual(LIMIT);
  });

  test.each(PAGES)("requests styles and one font before any script: %s", async (path) => {
    const { html } = await read(path);
    const head = html.slice(0, html.indexOf("</head>"));
    const links = head.match(/<link [^>]*>/g) ?? [];
    const kindOf = (link: string) => /rel="(\w+)"/.exec(link)?.[1] ?? "";
    const fetched = links.filter((link) => ["preload", "stylesheet", "modulepreload"].includes(kindOf(link)));
    // Texturina is only for wider screens.
    const onPhones = fetched.filter((link) => !link.includes("media="));
    const scripts = onPhones.findIndex((link) => kindOf(link) === "modulepreload");
    expect(onPhones.slice(0, scripts).filter((link) => kindOf(link) === "preload")).toHaveLength(1);
    expect(onPhones.slice(1, scripts).map(kindOf)).toContain("stylesheet");
    expect(new Set(onPhones.slice(scripts).map(kindOf))).toEqual(new Set(["modulepreload"]));
    expect(onPhones.slice(scripts).every((link) => link.includes('fetchpriority="low"'))).toBe(true);
    const styles = links.flatMap((link) => /rel="stylesheet".* href="([^"]*)"/.exec(link)?.[1] ?? []);
    const texts = await Promise.all(styles.map(async (href) => (await read(href)).html));
    const pictures = new Set(texts.join().match(/data:image\/[^"')]+/g));
    expect(pictures.size, "each is a document of its own before the first paint").toBeLessThanOrEqual(4);
  });

  test("fetches other scripts' fonts only if a text needs them, for this page and the next ones", async () => {
    const page = await openPage({ baseUrl: testSite().address, ...PHONE });
    const fetched = [/figtree-west/, /figtree-latin-ext/].map((name) => page.waitForRequest(name));
    await page.goto("/values?q=Zoë Łukasz");
    await Promise.all(fetched);
  });
});
