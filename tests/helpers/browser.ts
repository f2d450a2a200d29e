import { existsSync, readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { keepNotices } from "./notices.ts";
import { watchPage } from "./page-problems.ts";
import { findUnlistedKeys } from "./stored-keys.ts";

/** The part of `axe.source` that a browser needs, about half of it: it is parsed again on each page. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface PageOptions {
  /** CSS pixels; default 1280 × 800. */
  width?: number;
  height?: number;
  /** Emulates a touch screen. */
  hasTouch?: boolean;
  colorScheme?: "light" | "dark";
  /** `reduce` by default: drawing animations without a graphics processor takes a tenth of all the tests' time. */
  reducedMotion?: "reduce" | "no-preference";
  /** Time zone and locale of the browser; default UTC and en-US. */
  timezoneId?: string;
  locale?: string;
  /** Lets the site register its service worker. The worker then answers requests, bypassing the test's own routes. */
  keepsCopies?: boolean;
  /** `false` disables JavaScript. */
  javaScript?: boolean;
  /** Resolves `page.goto("/values")`. */
  baseUrl?: string;
  /** Console or network messages that are part of the test and do not fail it. */
  expectedProblems?: RegExp[];
}

// CI runs the tests as root, where Chromium's own sandbox refuses to start; every page they open is our own.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The headless shell that `npm test` installs, or else full Chromium, whose letters are slightly wider. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

let running: Promise<Browser> | undefined;

/**
 * One Chromium per worker, shared by all its files, launched when the first page opens and closed with the worker. Each
 * page gets its own profile.
 */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path)),
    args: flags,
  });
  browser.once("disconnected", () => {
    running = undefined;
  });
  return browser;
}

/**
 * Opens a page in a fresh profile. It is closed when the test ends, and the test fails if the page logged an error or a
 * warning, threw, or made a request that failed.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const context = await openContext(options);
  const page = await context.newPage();
  const problems = watchPage(page, options.expectedProblems ?? []);
  onTestFinished(async () => {
    const unlisted = await findUnlistedKeys(page);
    await context.close();
    expect(problems, "what the page reported").toEqual([]);
    expect(unlisted, "what the page keeps and the privacy page does not know").toEqual([]);
  });
  return page;
}

/** `openPage` with JavaScript disabled: only the server-rendered HTML. */
export function openPageWithoutJavaScript(options: PageOptions = {}): Promise<Page> {
  return openPage({ ...options, javaScript: false });
}

async function openContext(options: PageOptions): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    hasTouch: options.hasTouch ?? false,
    colorScheme: options.colorScheme ?? "light",
    reducedMotion: options.reducedMotion ?? "reduce",
    serviceWorkers: options.keepsCopies ? "allow" : "block",
    javaScriptEnabled: options.javaScript ?? true,
    locale: options.locale ?? "en-US",
    timezoneId: options.timezoneId ?? "UTC",
    ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
  });
  // Shorter than the test timeout, so that a failure names what it was waiting for.
  context.setDefaultTimeout(30_000);
  await keepNotices(context);
  return context;
}

const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with each WCAG 2.2 AA or best-practice rule that the page breaks and the elements that break it. */
export async function expectNoAxeFindings(
  page: Page,
  options: {
    include?: string;
    exclude?: string[];
    /** Run only these rules. */
    rules?: string[];
  } = {},
): Promise<void> {
  await page.evaluate(settle);
  const hasFrames = page.frames().length > 1;
  // Injected once per page: the builder would otherwise send half a megabyte twice on each run.
  if (!(hasFrames || (await page.evaluate(() => "axe" in window)))) await page.evaluate(AXE);
  // Every rule runs, but passing rules need not list all their elements, and none of the rules reads the style sheets,
  // which axe would parse each time.
  const builder = new AxeBuilder({ page, axeSource: hasFrames ? AXE : "0" });
  builder.options({ resultTypes: ["violations"], preload: { assets: ["media"] } });
  if (options.rules) builder.withRules(options.rules);
  else builder.withTags(axeTags);
  if (options.include) builder.include(options.include);
  // Merging frames opens a separate page each time, which costs more than all the rules. A single frame needs no
  // merging.
  builder.setLegacyMode(!hasFrames);
  for (const selector of options.exclude ?? []) builder.exclude(selector);
  let { violations } = await builder.analyze();
  // A toast that was fading in or out fails the contrast check; real findings persist on a second run.
  if (violations.length > 0) {
    await page.evaluate(settle);
    ({ violations } = await builder.analyze());
  }
  const findings = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((n) => n.target.join(" ")),
  }));
  expect(findings, `axe on ${page.url()}`).toEqual([]);
}

/**
 * Waits for a stable layout: on a scrolled page, elements partly under the sticky header count as too small to press,
 * and colors in transition lack their full contrast. Transitions out of view may not run at all.
 */
async function settle(): Promise<void> {
  window.scrollTo(0, 0);
  const isDrawn = ({ effect }: Animation) =>
    (effect as KeyframeEffect | null)?.target?.checkVisibility({ contentVisibilityAuto: true }) === true;
  const moving = document.getAnimations().filter((each) => each instanceof CSSTransition && isDrawn(each));
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** The accessible description of a field, besides its name. */
export function describedBy(field: Locator): Promise<string> {
  return field.evaluate((control) => {
    const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  });
}
