import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { coveredHeight } from "#tests/helpers/screen-checks.ts";
import { signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, read, visit } from "#tests/helpers/visit.ts";

const PATHS = [
  "/",
  "/values",
  "/fruits/kitsune",
  "/calculator",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
  "/nope",
  "/community",
  "/changes",
  "/appeal",
];
/** What these begin with differs. */
const HEADED = ["/community", "/changes", "/contact", "/about", "/appeal"];
const NAVIGATION = [
  ["Home", "/"],
  ["Values", "/values"],
  ["Calculator", "/calculator"],
  ["History", "/history"],
  ["Community", "/community"],
  ["Chat", "/chat"],
  ["Login", "/auth"],
];
const FOOTER = [
  ["Browse Values", "/values"],
  ["Trade Calculator", "/calculator"],
  ["Trade History", "/history"],
  ["Community", "/community"],
  ["Value Changes", "/changes"],
  ["About Us", "/about"],
  ["Contact", "/contact"],
  ["Privacy Policy", "/privacy"],
  ["Terms of Service", "/terms"],
  ["Live Chat", "/chat"],
  ["For Parents", "/parents"],
];
const PHONE = { width: 360, height: 740 };

const mainNav = (page: Page) => page.getByRole("navigation", { name: "Main" });
const linksOf = (page: Page, selector: string) =>
  page
    .locator(`${selector} a`)
    .evaluateAll((links) => links.map((link) => [link.textContent?.trim(), link.getAttribute("href")]));
const groundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const themeRadio = (page: Page, name: string) => page.getByRole("radio", { name, exact: true });
const DAY = "rgb(223, 234, 236)";
const NIGHT = "rgb(7, 21, 29)";

/** The links of a page's footer before any script runs. */
async function footerOf(page: Page, path: string): Promise<(string | null | undefined)[][]> {
  const { html } = await read(path);
  return page.evaluate((text) => {
    const links = new DOMParser().parseFromString(text, "text/html").querySelectorAll("footer nav a");
    return [...links].map((link) => [link.textContent?.trim(), link.getAttribute("href")]);
  }, html);
}

describe("navigation", () => {
  test("has six links in order and Login last on every page and width, and highlights only the active one; every footer has its links", async () => {
    const page = await visit("/");
    const distances = new Map<string, number>();
    for (const path of PATHS) {
      if (path !== "/") await page.goto(path);
      const entry = NAVIGATION.find(([, href]) => href === path)?.[0];
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await linksOf(page, "nav[aria-label=Main]"), path).toEqual(NAVIGATION);
        expect(await page.getByRole("link", { name: "Logout" }).count()).toBe(0);
        const marked = page.locator("nav[aria-label=Main] [aria-current=page]");
        expect(await marked.allTextContents(), path).toEqual(entry ? [entry] : []);
        if (width === 320 || !HEADED.includes(path)) continue;
        const heading = await page.locator("main h1").first().boundingBox();
        const header = await page.locator(".site-header").boundingBox();
        distances.set(path, Math.round((heading?.y ?? 0) - (header?.height ?? 0)));
      }
      expect(await footerOf(page, path), path).toEqual(FOOTER);
    }
    const told = [...distances].join(" ");
    expect([...new Set(distances.values())], `from the navigation to the heading: ${told}`).toEqual([32]);
  });

  test("follows a client-side navigation; the footer has three named social links with rel=noopener", async () => {
    const page = await visit("/");
    const social = page.locator("footer a[href^=http]");
    expect(await social.count()).toBe(3);
    for (const [index, kind] of [/\bX$/, /GitHub$/, /Discord$/].entries()) {
      const link = social.nth(index);
      expect(await link.textContent()).toMatch(kind);
      expect(await link.getAttribute("rel")).toContain("noopener");
      expect((await link.boundingBox())?.width).toBeGreaterThanOrEqual(44);
    }
    await mainNav(page).getByRole("link", { name: "Values" }).click();
    await page.getByRole("heading", { name: "Item Values" }).waitFor();
    expect(await mainNav(page).locator("[aria-current=page]").allInnerTexts()).toEqual(["Values"]);
    const fill = (name: string) =>
      mainNav(page)
        .getByRole("link", { name, exact: true })
        .evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(await fill("Values")).not.toBe(await fill("Home"));
  });

  test("on a phone the bar marks the current page, You for account pages, nothing on home, and covers no page's end; every entry is in it or in the sheet behind You", async () => {
    const page = await visit("/about", PHONE);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const top = (await page.locator(".bottom-bar").boundingBox())?.y ?? 0;
    const theme = await page.getByRole("group", { name: "Theme" }).boundingBox();
    expect((theme?.y ?? 0) + (theme?.height ?? 0)).toBeLessThanOrEqual(top);

    // The header's search focuses the box of /values, from any page and repeatedly.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("placeholder"));
    for (let time = 0; time < 2; time++) {
      await page.getByRole("link", { name: "Search items" }).click();
      await expect.poll(focused).toBe("Search items...");
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }

    const marked = page.locator(".bottom-bar-entry[aria-current]");
    const bar = page.getByRole("navigation", { name: "Sections" });
    const you = bar.getByRole("button", { name: "You", exact: true });
    const sheet = page.getByRole("navigation", { name: "You" });
    expect(await marked.allInnerTexts()).toEqual(["Values"]);
    await you.click();
    await sheet.getByRole("link", { name: "History" }).click();
    await expect.poll(() => marked.allInnerTexts()).toEqual(["You"]);
    await you.click();
    await sheet.getByRole("link", { name: "Home" }).click();
    await page.waitForURL("/");
    await expect.poll(() => marked.allInnerTexts()).toEqual([]);
    expect(await sheet.count()).toBe(0);

    // On its side a phone is low: what stays in place takes little of it.
    for (const [width, height] of [
      [740, 360],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => coveredHeight(page)).toBeLessThan(0.15);
    }

    await page.setViewportSize({ width: 320, height: 568 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await mainNav(page).count()).toBe(0);
    const inBar = await bar.getByRole("link").allInnerTexts();
    await you.click();
    await eventually(async () =>
      [...inBar, ...(await sheet.getByRole("link").allInnerTexts())].sort(),
    ).toEqual(NAVIGATION.map(([label]) => label).sort());
    for (const entry of [...(await bar.getByRole("link").all()), ...(await sheet.getByRole("link").all())]) {
      const box = await entry.boundingBox();
      expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await page.keyboard.press("Escape");
    await eventually(() => sheet.count()).toBe(0);

    // A page that takes its time is marked at once.
    const release = Promise.withResolvers<void>();
    await page.route("**/community.data*", (route) => release.promise.then(() => route.continue()));
    const community = bar.getByRole("link", { name: "Community" });
    const color = () => community.evaluate((element) => getComputedStyle(element).color);
    const before = await color();
    await community.click();
    await eventually(color).not.toBe(before);
    expect(new URL(page.url()).pathname).toBe("/");
    release.resolve();
    await page.waitForURL("/community");
  });

  test("every page in a signed-in user's sheet has an icon, and none in the header of a wide screen", async () => {
    const page = await visitAs(await signUpAdmin(), "/values", PHONE);
    await page.getByRole("button", { name: "You", exact: true }).click();
    const links = page.getByRole("navigation", { name: "You" }).getByRole("link");
    await eventually(() => links.allInnerTexts()).toEqual(["Home", "History", "Admin", "Account"]);
    for (const link of await links.all()) expect((await link.locator(".sign").boundingBox())?.width).toBe(18);
    await page.setViewportSize({ width: 1280, height: 800 });
    await mainNav(page).getByRole("link", { name: "Account" }).waitFor();
    expect(await mainNav(page).locator(".sign").filter({ visible: true }).count()).toBe(0);
  });

  test("without scripts the sheet opens, and the theme is the device's, without a dead switch", async () => {
    const page = await visit("/values", { ...PHONE, javaScript: false, colorScheme: "dark" });
    expect(await groundOf(page)).toBe(NIGHT);
    expect(await page.locator("[data-slot=theme-switch]").isVisible()).toBe(false);
    await page.getByRole("button", { name: "You" }).click();
    await page.getByRole("navigation", { name: "You" }).getByRole("link", { name: "History" }).click();
    await page.waitForURL(/\/history/);
  });
});

describe("footer", () => {
  test("says in one sentence that it is not affiliated with the game's company", async () => {
    const { html } = await read("/");
    const text = html.replace(/<!--.*?-->/g, "").replace(/<[^>]+>/g, "");
    expect(text).toMatch(/is not affiliated with[^.]*Gamer Robot Inc\. [A-Z]/);
  });

  test("shows the year of the reader's clock, also on a page cached since last year", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.clock.setFixedTime(new Date("2031-01-01T12:00:00Z"));
    await page.goto("/about");
    await page.getByText("© 2031").waitFor();
    expect((await read("/about")).html).toContain(`${new Date().getFullYear()}`);
  });
});

test("by keyboard every stop has a visible focus ring, the first one skips past the navigation, another page begins at its beginning, and nothing behind the header gets the focus", async () => {
  const page = await visit("/");
  for (let stop = 0; stop < 14; stop++) {
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const ringed = focused.closest("label") ?? focused;
      return [getComputedStyle(ringed).outlineStyle, getComputedStyle(ringed).outlineWidth];
    });
    expect(ring).toEqual(["solid", "3px"]);
  }

  await page.goto("/about");
  await alive(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);

  const foot = page.getByRole("contentinfo");
  const focusAfter = async (name: string, path: RegExp) => {
    await foot.getByRole("link", { name, exact: true }).press("Enter");
    await page.waitForURL(path);
    const isThere = () => document.activeElement?.id === "main";
    return page.waitForFunction(isThere, null, { timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  };
  // The focus handling loads after the first view.
  await eventually(async () => [
    await focusAfter("Trade Calculator", /calculator/),
    await focusAfter("Browse Values", /values/),
  ]).toEqual([true, true]);

  for (const width of [800, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.getByRole("main").getByRole("link", { name: "Dough", exact: true }).focus();
    for (let steps = 0; steps < 30; steps++) {
      await page.keyboard.press("Shift+Tab");
      const topOfFocused = await page.evaluate(
        () => document.activeElement?.getBoundingClientRect().top ?? 0,
      );
      const { y, height } = (await page.locator(".site-header").boundingBox()) ?? { y: 0, height: 0 };
      expect(topOfFocused, `${width} px wide`).toBeGreaterThanOrEqual(y + height);
    }
  }
});

test("the theme follows the system until one is chosen, which persists, applies before the first paint and in other tabs, and is undone by System", async () => {
  const page = await visit("/", { colorScheme: "dark" });
  expect(await groundOf(page)).toBe(NIGHT);
  await page.emulateMedia({ colorScheme: "light" });
  await eventually(() => groundOf(page)).toBe(DAY);
  expect(await themeRadio(page, "System").isChecked()).toBe(true);

  await themeRadio(page, "System").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await eventually(() => groundOf(page)).toBe(NIGHT);
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      Object.assign(window, { themeAtBody: document.documentElement.dataset.theme });
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/fruits/kitsune");
  await alive(page);
  expect(await page.evaluate(() => (window as never as { themeAtBody: string }).themeAtBody)).toBe("dark");
  expect(await groundOf(page)).toBe(NIGHT);
  // On paper it is day, and nothing covers the content.
  const following = page.locator("header, .fruit-actions, .toast-host").filter({ visible: true });
  const places = () => following.evaluateAll((all) => all.map((each) => getComputedStyle(each).position));
  expect(await places()).toContain("sticky");
  await page.emulateMedia({ media: "print" });
  expect(await groundOf(page)).toBe(DAY);
  expect((await places()).filter((place) => /sticky|fixed/.test(place))).toEqual([]);
  await page.emulateMedia({ media: "screen" });
  // The switch shows the stored choice only after hydration.
  await expect.poll(() => themeRadio(page, "Dark").isChecked()).toBe(true);
  // Content above it may still be growing, which moves it from under the pointer.
  const takeBack = () => page.locator("label", { has: themeRadio(page, "System") }).click();
  await expect.poll(() => takeBack().then(() => groundOf(page))).toBe(DAY);
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBeNull();

  const other = await page.context().newPage();
  await other.emulateMedia({ colorScheme: "light" });
  await other.goto("/about");
  await alive(other);
  expect(await groundOf(other)).toBe(DAY);
  await page.locator("label", { has: themeRadio(page, "Dark") }).click();
  await expect.poll(() => groundOf(other)).toBe(NIGHT);
});

type Moved = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
type Shift = PerformanceEntry & { value: number; sources: Moved[] };

test.each([390, 1280])(
  "nothing shifts when the fonts arrive late, %i px wide; those that arrive in time are used from the first paint on",
  async (width) => {
    const page = await openPage({ baseUrl: testSite().address, width });
    await page.route("**/*.woff2", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.addInitScript(() => {
      // What moved, and from where to where.
      const shifts: string[] = [];
      Object.assign(window, { shifts });
      const describeMove = ({ node, previousRect: from, currentRect: to }: Moved) =>
        `${node?.parentElement?.outerHTML.slice(0, 200)}: ${from.x} ${from.y} to ${to.x} ${to.y}`;
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries() as Shift[])
          shifts.push([`by ${value}`, ...sources.map(describeMove)].join(", "));
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const path of ["/", "/values", "/about"]) {
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(300);
      expect(await page.evaluate(() => (window as never as { shifts: string[] }).shifts), path).toEqual([]);
    }
    if (width < 700) return;

    await page.unroute("**/*.woff2");
    await page.goto("/about");
    await alive(page);
    const widthOf = (family: string) =>
      page.locator("h1").evaluate((heading, wanted) => {
        const probe = heading.appendChild(document.createElement("span"));
        probe.textContent = "Harbor of trading pirates";
        if (wanted) probe.style.fontFamily = wanted;
        const { width: measured } = probe.getBoundingClientRect();
        probe.remove();
        return measured;
      }, family);
    expect(await widthOf("")).not.toBe(await widthOf('"Texturina fallback"'));
  },
);

describe("notices", () => {
  const notices = (page: Page) => page.locator("[data-slot=toast]");

  test("only the last of several is shown; Dismiss removes it; one survives a navigation, stays while it is read, and then disappears", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.clock.install();
    await page.goto("/contact");
    await alive(page);
    const send = page.getByRole("button", { name: /send/i });
    for (let press = 0; press < 3; press++) await send.click();
    expect(await page.locator("[aria-invalid=true]").count(), "all at once").toBe(4);
    await eventually(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe(
      "name",
    );
    await fillContact(page);
    await send.click();
    const notice = page.getByRole("status").locator("[data-slot=toast]");
    await notice.waitFor();
    expect(await notices(page).count()).toBe(1);
    expect(await notice.textContent()).toContain("Message Sent!");
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await eventually(() => notices(page).count()).toBe(0);

    await fillContact(page);
    await send.click();
    await notices(page).waitFor();
    await mainNav(page).getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "Explore All Values" }).waitFor();
    expect(await notices(page).count()).toBe(1);
    await notices(page).hover();
    await page.clock.runFor(60_000);
    expect(await notices(page).count()).toBe(1);
    await page.mouse.move(10, 10);
    await page.clock.runFor(5000);
    expect(await notices(page).count()).toBe(1);
    // Neither a mouse resting where it appeared nor a touch counts as reading.
    await notices(page).dispatchEvent("pointerover", { pointerType: "mouse" });
    await notices(page).dispatchEvent("pointermove", { pointerType: "touch" });
    await page.clock.runFor(5000);
    await eventually(() => notices(page).count()).toBe(0);
  });

  test("one moves out of the way of the focused element", async () => {
    const page = await openPage({ baseUrl: testSite().address, width: 360, height: 640 });
    await page.goto("/history");
    await notices(page).waitFor();
    const links = page.getByRole("contentinfo").getByRole("link");
    const isCovered = (control: Locator) =>
      control.evaluate((element) => {
        const notice = document.querySelector("[data-slot=toast]")?.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return notice !== undefined && top < notice.bottom && notice.top < bottom;
      });
    for (const link of await links.all()) {
      await link.focus();
      await eventually(() => isCovered(link)).toBe(false);
    }
  });

  async function fillContact(page: Page) {
    const main = page.locator("main");
    await main.getByLabel("Name").fill("Anne");
    await main.getByLabel("Email").fill("anne@harbor.example");
    await main.getByLabel("Subject").fill("Values");
    await main.getByLabel("Message").fill("Fair winds.");
  }
});

describe("in forced colors", () => {
  // Path, selector of the options, and suffix that matches the selected one.
  const CHOSEN = [
    ["/values", "nav .nav-entry", "[aria-current=page]"],
    ["/values", ".theme-switch label", ":has(:checked)"],
    ["/values", "[role=tab]", "[aria-selected=true]"],
    ["/values", ".segment", ":has(:checked)"],
    ["/community", ".tab", "[aria-current]"],
    ["/calculator?you=kitsune", ".segment", ":has(:checked)"],
  ] as const;

  test("a selected option differs from the others in background and text color", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    await page.emulateMedia({ forcedColors: "active" });
    for (const [path, all, chosen] of CHOSEN) {
      if (!page.url().endsWith(path)) await page.goto(path);
      const colors = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const { backgroundColor, color } = getComputedStyle(element);
            return [backgroundColor, color];
          });
      const [ground, text] = await colors(`${all}${chosen}`);
      const [otherGround, otherText] = await colors(`${all}:not(${chosen})`);
      expect(ground, `${path} ${all}`).not.toBe(otherGround);
      expect(text, `${path} ${all}`).not.toBe(otherText);
    }
  });
});
