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
  // Where a network answers with a page of its own.
  /^console error: EventSource's response has a MIME type \("text\/html"\)/,
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

const loseConnection = (page: Page) => page.context().setOffline(true);

async function regainConnection(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.evaluate(() => dispatchEvent(new Event("online")));
}

describe("after one visit, without a connection", () => {
  test("every kept page works, whether its document or only its data is fetched, and the values can be searched", async () => {
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
      expect(await page.getByText("Other filters need a connection").count()).toBe(0);
      if (path === "/values") await expectToSearch(page);
    }
    await page.goto("/");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await page.getByRole("link", { name: "Value Changes" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Value Changes" }).waitFor();
    await eventually(() => notice(page).textContent()).toMatch(/ from /);
  });

  async function expectToSearch(page: Page): Promise<void> {
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
  }

  test("a page shows what its address asks for, or says that it cannot; its notice passes axe and goes away with the connection's return", async () => {
    const page = await visitKept("/calculator", { width: 360, height: 740 });
    await loseConnection(page);
    await page.goto("/calculator?you=kitsune&them=dough");
    await alive(page);
    await eventually(() => page.locator("main").textContent()).toMatch(/Losing|Loss|lose/i);
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

    await page.goto("/changes?kind=demand");
    await alive(page);
    await page.getByText("Other filters need a connection: this is the list saved on this device.").waitFor();

    await page.goto("/values?q=kits");
    await eventually(() => names(page).first().textContent()).toBe("Kitsune");
    expect(new URL(page.url()).search).toBe("?q=kits");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    await regainConnection(page);
    await eventually(() => notice(page).count()).toBe(0);

    // A page without data.
    await loseConnection(page);
    await page.goto("/about");
    await eventually(() => notice(page).textContent()).toMatch(/ from /);
    await regainConnection(page);
    await eventually(() => notice(page).count()).toBe(0);
  });

  test("a visited item is available in both modes, also from a link; one that was not, and a page that is never cached, say so", async () => {
    const page = await visitKept("/");
    await page.goto("/fruits/dough?mode=permanent");
    await eventually(() => listKept(page)).toContain("/fruits/dough");
    await loseConnection(page);
    for (const mode of ["?mode=permanent", ""]) {
      await page.goto(`/fruits/dough${mode}`);
      await alive(page);
      expect(await page.locator("h1").textContent()).toBe("Dough");
      await eventually(() => new URL(page.url()).search).toBe(mode);
      await eventually(() => notice(page).textContent()).toMatch(DATED);
      // Also once what the address asks for is shown.
      await page.waitForLoadState("networkidle");
      expect(await notice(page).textContent()).toMatch(DATED);
    }
    await page.goto("/community");
    expect(await page.locator("h1").textContent()).toBe("No connection");
    // Users may be signed in, which this page cannot know.
    expect(await page.getByRole("link", { name: "Login" }).count()).toBe(0);
    await page.goto("/fruits/kitsune");
    expect(await page.locator("h1").textContent()).toBe("No connection");
    await page.getByRole("link", { name: "Browse Values" }).last().click();
    await page.waitForURL("**/values");
    await alive(page);

    // From an open page likewise, whether code, data or both are missing; Back returns to it.
    const heading = page.getByRole("heading", { level: 1 });
    for (const { path, link } of [
      { path: "/fruits/kitsune", link: names(page).getByRole("link", { name: "Kitsune", exact: true }) },
      { path: "/community", link: page.getByRole("link", { name: "Community", exact: true }).first() },
      { path: "/chat", link: page.getByRole("link", { name: "Chat", exact: true }).first() },
      { path: "/auth", link: page.getByRole("link", { name: "Login" }).first() },
    ]) {
      await link.click();
      await page.waitForURL(`**${path}`);
      await eventually(() => heading.textContent()).toBe("No connection");
      await page.goBack();
      await page.waitForURL("**/values");
      await alive(page);
      await names(page).first().waitFor();
    }
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

test("on a slow network the notice of a copy goes with the page, and with the late answer, whose values replace the copy's", async () => {
  const page = await visitKept("/");
  const openValues = async (before = "", after = "") => {
    const release = await holdAnswers(page, "**/values.data*", before, after);
    await openFromMenu(page, "Values");
    await eventually(() => notice(page).textContent()).toMatch(DATED);
    return release;
  };
  const releaseUnseen = await openValues();
  await openFromMenu(page, "Community");
  await page.waitForURL("**/community");
  await eventually(() => notice(page).count()).toBe(0);
  releaseUnseen();

  const releaseSame = await openValues();
  releaseSame();
  await eventually(() => notice(page).count()).toBe(0);

  await openFromMenu(page, "Community");
  await page.waitForURL("**/community");
  const releaseNew = await openValues(String.raw`\"Kitsune\"`, String.raw`\"Kitsune the Second\"`);
  await eventually(() => names(page).allTextContents()).toContain("Kitsune");
  releaseNew();
  await eventually(() => notice(page).count()).toBe(0);
  await eventually(() => names(page).allTextContents()).toContain("Kitsune the Second");
});

test("the notice of a copied page goes by itself when the document arrives late, and after an outage that the browser knew nothing of; a page that a network gives out is no copy", async () => {
  const page = await visitKept("/");
  const unreachable = /^The site cannot be reached\. .* from /;
  for (const path of ["/", "/about"]) {
    const release = await holdAnswers(page, testSite().address + path);
    await page.goto(path);
    await eventually(() => notice(page).textContent()).toMatch(unreachable);
    release();
    await eventually(() => notice(page).count()).toBe(0);
    expect(await page.locator("html").getAttribute("data-kept"), path).toBeNull();
  }

  await page.clock.install();
  for (const path of ["/about", "/"]) {
    await page.context().route("**/*", (route) => route.abort());
    await page.goto(path);
    await eventually(() => notice(page).textContent()).toMatch(unreachable);
    await page.context().unroute("**/*");
    await eventually(async () => {
      await page.clock.fastForward(30_000);
      return notice(page).count();
    }).toBe(0);
  }

  // A network that answers everything with a page of its own does not answer for the site; nothing of that is kept.
  const login = { contentType: "text/html", body: "<!doctype html><h1>Log in to this Wi-Fi</h1>" };
  await page.context().route("**/*", (route) => route.fulfill(login));
  await openFromMenu(page, "Values");
  await eventually(() => notice(page).textContent()).toMatch(unreachable);
  await openFromMenu(page, "Community");
  await page.getByRole("heading", { name: "Log in to this Wi-Fi" }).waitFor();
  await page.context().unroute("**/*");
  await page.goto("/community");
  await alive(page);
  await page.getByRole("heading", { level: 1, name: "Community" }).waitFor();
});

test("the stored copy has only public pages, even for a signed-in user, and no file that does not count towards the limit", async () => {
  const page = await visitAs(await signUpPerson(), "/", { keepsCopies: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  for (const path of ["/account", "/history", "/chat", "/community", "/values", "/fruits/kitsune"]) {
    await page.goto(path);
    await alive(page);
  }
  await eventually(() => listKept(page)).toContain("/fruits/kitsune");
  const kept = await listKept(page);
  const allowed =
    /^\/((values|calculator|changes|method|_root|fruits\/[\w-]+)\.data\?_routes=[\w%-]+|(values|calculator|changes|method|about|contact|privacy|terms|parents|offline|fruits\/[\w-]+)?|assets\/[\w.-]+|[\w-]+\.svg|favicon-32\.png)$/;
  expect(kept.filter((path) => !allowed.test(path))).toEqual([]);
  const files = kept.filter((path) => path.startsWith("/assets/"));
  expect(files.length).toBeGreaterThan(20);
  const counted = await listCounted(page);
  expect(files.filter((path) => !counted.includes(path))).toEqual([]);
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
