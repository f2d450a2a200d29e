import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import { expectNoAxeFindings, openPage, type PageOptions } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";

/** Errors of a page without a connection. */
const LOST = [
  /ERR_INTERNET_DISCONNECTED/,
  /net::ERR_FAILED/,
  /^console error: .*Failed to fetch/,
  /^answer 503: GET .*\.data/,
];
const DATED =
  /^(You are offline|The site cannot be reached)\. These values are from [A-Z][a-z]{2} \d+, \d\d:\d\d\.$/;

const KEPT = PUBLIC_PAGES.filter(({ isKept }) => isKept).map(({ path }) => path);

/** A page whose offline copy has been stored. */
async function visitKept(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await openPage({
    baseUrl: testSite().address,
    keepsCopies: true,
    expectedProblems: LOST,
    ...options,
  });
  await page.goto(path);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page;
}

const loseConnection = (page: Page) => page.context().setOffline(true);
const notice = (page: Page) => page.locator(".offline-notice");
const names = (page: Page) => page.locator("main li h2");

/** The paths of all responses cached on the device. */
const listKept = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => url.replace(location.origin, ""));
  });

/** The paths of all cached responses of which the worker knows when they were used last, so that it deletes the oldest. */
const listCounted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open("workbox-expiration");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction("cache-entries").objectStore("cache-entries").getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(({ url }: { url: string }) => url.replace(location.origin, "")));
          };
        };
      }),
  );

/** Holds the answers to some requests until the returned function is called, and changes a text in them. */
async function holdAnswers(page: Page, addresses: string, before = "", after = ""): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.context().route(addresses, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(before, after);
    const headers = { ...response.headers(), ...(before ? { etag: '"changed"' } : {}) };
    await promise;
    // The page may have gone meanwhile.
    await route.fulfill({ response, headers, body }).catch(() => undefined);
  });
  return resolve;
}

const openFromMenu = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true }).first().click();

describe("after one visit, without a connection", () => {
  test("values are available with the date of the copy, and can be searched", async () => {
    const page = await visitKept("/");
    await loseConnection(page);
    await page.goto("/values");
    await alive(page);
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    expect(await names(page).count()).toBe(86);
    await page.getByPlaceholder("Search items...").fill("kits");
    await eventually(() => names(page).first().textContent()).toBe("Kitsune");
    const loaded = await names(page)
      .first()
      .locator("xpath=ancestor::li")
      .locator("img")
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(loaded).toBeGreaterThan(0);
  });

  test("changes are the saved ones, and an address with filters says so", async () => {
    const page = await visitKept("/");
    await loseConnection(page);
    await page.goto("/changes?kind=demand");
    await alive(page);
    await page.getByText("Other filters need a connection: this is the list saved on this device.").waitFor();
    await page.goto("/changes");
    await alive(page);
    await notice(page).waitFor();
    expect(await page.getByText("Other filters need a connection").count()).toBe(0);
  });

  test("its notice passes axe in light and dark mode, on a phone and on a desktop", async () => {
    const page = await visitKept("/calculator", { width: 360, height: 740 });
    await loseConnection(page);
    await page.reload();
    await alive(page);
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectNoAxeFindings(page, { include: ".offline-notice" });
      }
      const box = await notice(page).boundingBox();
      expect(box?.height).toBeGreaterThan(20);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });

  test("a search's address shows the same results", async () => {
    const page = await visitKept("/values");
    await loseConnection(page);
    await page.goto("/values?q=kits");
    await eventually(() => names(page).first().textContent()).toBe("Kitsune");
    expect(new URL(page.url()).search).toBe("?q=kits");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
  });

  test("the calculator judges the trade in its address", async () => {
    const page = await visitKept("/calculator");
    await loseConnection(page);
    await page.goto("/calculator?you=kitsune&them=dough");
    await eventually(() => page.locator("main").textContent()).toMatch(/Losing|Loss|lose/i);
    await eventually(() => notice(page).textContent()).toMatch(DATED);
  });

  test("a visited item is available, also from a link; another says that it is not", async () => {
    const page = await visitKept("/fruits/kitsune");
    await page.reload();
    await loseConnection(page);
    await page.reload();
    await alive(page);
    expect(await page.locator("h1").textContent()).toBe("Kitsune");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await page.goto("/fruits/dough");
    expect(await page.locator("h1").textContent()).toBe("No connection");
    await page.getByRole("link", { name: "Browse Values" }).last().click();
    await page.waitForURL("**/values");
    await alive(page);
    await names(page).getByRole("link", { name: "Dough", exact: true }).click();
    await eventually(() => notice(page).textContent()).toContain("This page is not saved on this device.");
  });

  test("every kept page works, whether its document or only its data is fetched", async () => {
    const page = await visitKept("/");
    await loseConnection(page);
    for (const path of KEPT) {
      await page.goto(path);
      await alive(page);
      expect(await page.locator("h1").textContent(), path).not.toBe("No connection");
      const loaded = () =>
        page
          .locator('link[rel="stylesheet"]')
          .evaluateAll((links: HTMLLinkElement[]) => links.every(({ sheet }) => sheet !== null));
      expect(await loaded(), path).toBe(true);
      await eventually(() => notice(page).textContent()).toMatch(/ from /);
    }
    await page.goto("/");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await page.getByRole("link", { name: "Value Changes" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Value Changes" }).waitFor();
    await eventually(() => notice(page).textContent()).toMatch(/ from /);
  });

  test("an item opened in only one mode is available in both", async () => {
    const page = await visitKept("/");
    await page.goto("/fruits/dough?mode=permanent");
    await eventually(() => listKept(page)).toContain("/fruits/dough");
    await loseConnection(page);
    await page.goto("/fruits/dough?mode=permanent");
    await alive(page);
    expect(await page.locator("h1").textContent()).toBe("Dough");
    await eventually(() => new URL(page.url()).search).toBe("?mode=permanent");
  });

  test("a page that is never cached says so, and the offline notice goes away with the connection's return", async () => {
    const page = await visitKept("/");
    await loseConnection(page);
    await page.goto("/community");
    expect(await page.locator("h1").textContent()).toBe("No connection");
    await page.goto("/values");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await page.context().setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await eventually(() => notice(page).count()).toBe(0);
  });

  test("the notice of a page without data goes away, too", async () => {
    const page = await visitKept("/about");
    await loseConnection(page);
    await page.reload();
    await eventually(() => notice(page).textContent()).toMatch(/ from /);
    await page.context().setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await eventually(() => notice(page).count()).toBe(0);
  });
});

test("a page that was opened before the worker's messages could be read has its notice", async () => {
  const page = await visitKept("/");
  await page.addInitScript(() => {
    window.requestIdleCallback = (call) => {
      addEventListener("test-idle", () => call({ didTimeout: false, timeRemaining: () => 50 }));
      return 0;
    };
  });
  await page.reload();
  await loseConnection(page);
  await openFromMenu(page, "Values");
  await page.waitForURL("**/values");
  await names(page).first().waitFor();
  await page.evaluate(() => dispatchEvent(new Event("test-idle")));
  await eventually(() => notice(page).textContent()).toMatch(DATED);
});

describe("on a slow network", () => {
  test("a page from the network says nothing about the copy that was shown before it", async () => {
    const page = await visitKept("/");
    const release = await holdAnswers(page, "**/values.data*");
    await openFromMenu(page, "Values");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await openFromMenu(page, "Community");
    await page.waitForURL("**/community");
    await eventually(() => notice(page).count()).toBe(0);
    release();
  });

  test("values that arrive after their copy was shown replace it", async () => {
    const page = await visitKept("/");
    const release = await holdAnswers(
      page,
      "**/values.data*",
      String.raw`\"Kitsune\"`,
      String.raw`\"Kitsune the Second\"`,
    );
    await openFromMenu(page, "Values");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await eventually(() => names(page).allTextContents()).toContain("Kitsune");
    release();
    await eventually(() => notice(page).count()).toBe(0);
    await eventually(() => names(page).allTextContents()).toContain("Kitsune the Second");
  });

  test("the notice goes when the late answer has the same values", async () => {
    const page = await visitKept("/");
    const release = await holdAnswers(page, "**/values.data*");
    await openFromMenu(page, "Values");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    release();
    await eventually(() => notice(page).count()).toBe(0);
  });
});

describe("the notice of a copied page goes by itself", () => {
  test.each(["/", "/about"])("when the document of %s arrives late", async (path) => {
    const page = await visitKept(path);
    const release = await holdAnswers(page, testSite().address + path);
    await page.goto(path);
    await eventually(() => notice(page).textContent()).toMatch(/^The site cannot be reached\. .* from /);
    release();
    await eventually(() => notice(page).count()).toBe(0);
    expect(await page.locator("html").getAttribute("data-kept")).toBeNull();
  });

  test.each(["/", "/about"])("after an outage that the browser knew nothing of, on %s", async (path) => {
    const page = await visitKept(path);
    await page.clock.install();
    await page.context().route("**/*", (route) => route.abort());
    await page.reload();
    await eventually(() => notice(page).textContent()).toMatch(/^The site cannot be reached\. .* from /);
    await page.context().unroute("**/*");
    await eventually(async () => {
      await page.clock.fastForward(30_000);
      return notice(page).count();
    }).toBe(0);
  });
});

describe("the stored copy", () => {
  test("has no file that does not count towards the limit", async () => {
    const page = await visitKept("/");
    await page.reload();
    await alive(page);
    const files = (await listKept(page)).filter((path) => path.startsWith("/assets/"));
    expect(files.length).toBeGreaterThan(20);
    const counted = await listCounted(page);
    expect(files.filter((path) => !counted.includes(path))).toEqual([]);
  });

  test("has only public pages, even for a signed-in user", async () => {
    const page = await visitAs(await signUpPerson(), "/", { keepsCopies: true });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    for (const path of ["/account", "/history", "/chat", "/community", "/values", "/fruits/kitsune"]) {
      await page.goto(path);
      await alive(page);
    }
    await eventually(() => listKept(page)).toContain("/fruits/kitsune");
    const kept = await listKept(page);
    const allowed =
      /^\/((values|calculator|changes|method|_root|fruits\/[\w-]+)\.data\?_routes=[\w%-]+|(values|calculator|changes|method|about|contact|privacy|terms|parents|offline|fruits\/[\w-]+)?|assets\/[\w.-]+|(items\/)?[\w-]+\.svg|favicon-32\.png)$/;
    expect(kept.filter((path) => !allowed.test(path))).toEqual([]);
  });
});

describe("another build or operator", () => {
  const without = ownSite({ OFFLINE_COPY: "off" });

  test("the next build's worker takes over visited pages without reloading any page", async () => {
    const page = await visitKept("/");
    await page.evaluate(async () => {
      for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
      for (const name of await caches.keys()) await caches.delete(name);
      await (await caches.open("fruit-values-pages-manifest-old.js")).add("/fruits/dough");
    });
    let loads = 0;
    page.on("domcontentloaded", () => loads++);
    await page.reload();
    await eventually(async () => (await page.evaluate(() => caches.keys())).sort()).toEqual([
      "fruit-values-assets",
      expect.stringMatching(/^fruit-values-pages-manifest-[0-9a-f]+\.js$/),
      "fruit-values-pictures",
    ]);
    expect(await listKept(page)).toContain("/fruits/dough");
    expect(loads).toBe(1);
  });

  test("an operator who turns copies off removes the worker and all copies", async () => {
    const page = await openPage({ baseUrl: without.address, keepsCopies: true });
    expect((await page.request.get("/worker.js")).status()).toBe(404);
    await page.goto("/about");
    await page.evaluate(() => caches.open("fruit-values-pages-old"));
    await page.reload();
    await eventually(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});
