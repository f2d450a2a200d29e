import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openPage, type PageOptions } from "./browser.ts";
import { testSite } from "./site.ts";

/** How Chromium reports each script it does not load when JavaScript is off. */
const SCRIPTS_REFUSED = /^request failed: GET \S+\.js csp$/;

/** Opens a path of the running site and, if scripts run, waits until the page responds to clicks. */
export async function visit(path: string, options: PageOptions = {}): Promise<Page> {
  const scripts = options.javaScript !== false;
  const expectedProblems = [...(options.expectedProblems ?? []), ...(scripts ? [] : [SCRIPTS_REFUSED])];
  const page = await openPage({ baseUrl: testSite().address, ...options, expectedProblems });
  await page.goto(path);
  if (scripts) await alive(page);
  return page;
}

/**
 * Waits for hydration: React attaches its handlers when it hydrates an element, and earlier clicks are lost. Parts of a
 * page hydrate one after another, so the first and last controls are checked.
 */
export async function alive(page: Page): Promise<void> {
  const isAlive = () => {
    const controls = "button, input, select, textarea, a";
    const ends = ["main", "body"].flatMap((part) => {
      const all = [...document.querySelectorAll(`${part} :is(${controls})`)];
      return [all.at(0), all.at(-1)];
    });
    const found = ends.filter((each) => each !== undefined);
    const isTaken = (each: Element) => Object.keys(each).some((key) => key.startsWith("__reactProps"));
    return found.length > 0 && found.every(isTaken);
  };
  // Without `polling`, Playwright asks at each frame, and has frames drawn for that.
  await page.waitForFunction(isAlive, null, { polling: 50 });
}

/**
 * Opens a page and waits until it listens for server events. Pages delay that on purpose, so this page's clock runs
 * ahead. `meanwhile` runs before it listens.
 */
export async function visitListening(
  path: string,
  { meanwhile, ...options }: PageOptions & { meanwhile?: () => Promise<void> } = {},
): Promise<Page> {
  const page = await openPage({ baseUrl: testSite().address, ...options });
  await page.clock.install();
  let isListening = false;
  page.on("response", (response) => {
    isListening ||= new URL(response.url()).pathname === "/live";
  });
  await page.goto(path);
  await alive(page);
  await meanwhile?.();
  await eventually(async () => {
    await page.clock.fastForward(5_000);
    return isListening;
  }).toBe(true);
  return page;
}

type Read = { status: number; html: string; headers: Headers };

/** The HTML of a path as served to a visitor without cookies or scripts. */
export async function read(path: string, address = testSite().address): Promise<Read> {
  const answer = await fetch(address + path);
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}

/** Waits until the HTML of a path satisfies `holds`: pages follow the database within a moment. */
export async function untilPage(path: string, holds: (html: string) => boolean): Promise<void> {
  await eventually(async () => holds((await read(path)).html)).toBe(true);
}

/** Expects something to become true within a moment, even on a busy machine. */
export function eventually<T>(found: () => T) {
  return expect.poll(found);
}
