import { existsSync, readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { keepNotices } from "./notices.ts";
import { watchPage } from "./page-problems.ts";
import { findUnlistedKeys } from "./stored-keys.ts";

/** Half of what `axe.source` holds: a browser reads it anew on each page. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface PageOptions {
  /** CSS pixels; 1280 × 800 unless told. */
  width?: number;
  height?: number;
  /** Whether fingers point, as on a phone. */
  hasTouch?: boolean;
  colorScheme?: "light" | "dark";
  reducedMotion?: "reduce" | "no-preference";
  /** Where the reader is, and how a browser there is set; UTC and en-US unless told. */
  timezoneId?: string;
  locale?: string;
  /** Whether the site may keep a copy on the device. Then the worker answers, and a test's own answers are not asked for. */
  keepsCopies?: boolean;
  /** `false`: a visitor whose scripts never run. */
  javaScript?: boolean;
  /** Resolves `page.goto("/values")`. */
  baseUrl?: string;
  /** Text that the console or network may report here without failing the test, because the test is about it. */
  expectedProblems?: RegExp[];
}

// The tests run as root in CI, where Chromium's own sandbox refuses to start; every page they open is our own.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What `npm test` installs and takes, or else the whole browser, in which letters are a little wider. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

let running: Promise<Browser> | undefined;

/**
 * One Chromium for all files of a worker, started when the first page is opened; each page has a profile of its own. It
 * ends with its worker.
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
 * A page in a fresh profile. When the test ends it is closed, and the test fails if the page logged an error or a
 * warning, threw, or requested something that failed.
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

/** `openPage` for a visitor without scripts: what the server sent is all there is. */
export function openPageWithoutJavaScript(options: PageOptions = {}): Promise<Page> {
  return openPage({ ...options, javaScript: false });
}

async function openContext(options: PageOptions): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    hasTouch: options.hasTouch ?? false,
    colorScheme: options.colorScheme ?? "light",
    reducedMotion: options.reducedMotion ?? "no-preference",
    serviceWorkers: options.keepsCopies ? "allow" : "block",
    javaScriptEnabled: options.javaScript ?? true,
    locale: options.locale ?? "en-US",
    timezoneId: options.timezoneId ?? "UTC",
    ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
  });
  // Sooner than a test's own time is up, so that a failure names what it waited for.
  context.setDefaultTimeout(30_000);
  await keepNotices(context);
  return context;
}

const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with each WCAG 2.2 AA or best-practice rule that the page breaks, and the elements that break it. */
export async function expectNoAxeFindings(
  page: Page,
  options: {
    include?: string;
    exclude?: string[];
    /** These rules alone. */
    rules?: string[];
  } = {},
): Promise<void> {
  await page.evaluate(settle);
  const hasFrames = page.frames().length > 1;
  // Half a megabyte that the builder would send twice each time. It stays until the page goes elsewhere.
  if (!(hasFrames || (await page.evaluate(() => "axe" in window)))) await page.evaluate(AXE);
  // Every rule runs; of those that pass it need not bring all elements.
  const builder = new AxeBuilder({ page, axeSource: hasFrames ? AXE : "0" });
  builder.options({ resultTypes: ["violations"] });
  if (options.rules) builder.withRules(options.rules);
  else builder.withTags(axeTags);
  if (options.include) builder.include(options.include);
  // Joining frames takes a page of its own each time, which costs more than all rules. One frame has nothing to join.
  builder.setLegacyMode(!hasFrames);
  for (const selector of options.exclude ?? []) builder.exclude(selector);
  let { violations } = await builder.analyze();
  // A notice that came or went meanwhile had not its full contrast either; what is wrong stays so.
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
 * On a scrolled page a part of what lies under the sticky header counts as too small to press, and a color on its way to
 * another has not its full contrast. What is out of view may not move at all.
 */
async function settle(): Promise<void> {
  window.scrollTo(0, 0);
  const isDrawn = ({ effect }: Animation) =>
    (effect as KeyframeEffect | null)?.target?.checkVisibility({ contentVisibilityAuto: true }) === true;
  const moving = document.getAnimations().filter((each) => each instanceof CSSTransition && isDrawn(each));
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** What a screen reader says of a field besides its name. */
export function describedBy(field: Locator): Promise<string> {
  return field.evaluate((control) => {
    const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  });
}
