import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { ACTS, perform } from "./phone/acts.ts";
import { launchBrowser } from "./phone/cheap-phone.ts";
import type { ActResult, PageResult, PhoneResult } from "./phone/describe-phone.ts";
import { type FirstView, viewFirst } from "./phone/first-view.ts";
import { signUp } from "./servers/sign-up.ts";
import { startServer } from "./servers/start-server.ts";
import { startSite } from "./servers/start-site.ts";

const ROUNDS = 5;
/** The static copies vary less. */
const FLOOR_ROUNDS = 3;
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

/** Public pages on a cheap phone with a slow connection, each compared with the same page without scripts. */
export async function benchPhone(): Promise<PhoneResult> {
  const site = await startSite();
  const floor = await startServer("static-copy", { origin: site.url });
  const browser = await launchBrowser();
  try {
    const trader = await makeTrader(site.url);
    const pages = await viewAll(browser, [...PAGES, trader], site.url, floor.url);
    return { pages, acts: await performAll(browser, site.url) };
  } finally {
    await browser.close();
    await floor.stop();
    await site.stop();
  }
}

/** The profile page of a user who has just signed up. */
async function makeTrader(site: string): Promise<string> {
  const { headers } = await signUp(site);
  const listed = await fetch(`${site}/rest/v1/rpc/choose_age_band`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ band: "18-or-older", list_me: true }),
  });
  if (!listed.ok) throw new Error(`The account could not be listed: ${await listed.text()}`);
  for (let tries = 0; tries < 50; tries++) {
    const [, path] =
      /href="(\/community\/[^"]+)"/.exec(await (await fetch(`${site}/community`)).text()) ?? [];
    if (path) return path;
    await setTimeout(100);
  }
  throw new Error("The new account is not listed.");
}

/**
 * Each round covers all pages, and for each page both ours and the baseline, so that other load on the machine affects
 * all pages a little instead of one page in all rounds.
 */
async function viewAll(
  browser: Browser,
  paths: string[],
  ours: string,
  floor: string,
): Promise<PageResult[]> {
  await Promise.all(paths.map((path) => becomePopular(ours + path)));
  // One request to fill its cache.
  for (const path of paths) await (await fetch(floor + path)).arrayBuffer();
  const views = paths.map((path) => ({ path, ours: [] as FirstView[], floor: [] as FirstView[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const view of views) {
      view.ours.push(await viewFirst(browser, ours, view.path));
      if (round < FLOOR_ROUNDS) view.floor.push(await viewFirst(browser, floor, view.path));
    }
  return views.map(({ path, ...both }) => ({
    path,
    ours: medianView(both.ours),
    floor: medianView(both.floor),
  }));
}

/**
 * Requests a page until the site serves it with full compression, which it does for pages opened several times; 30 s at
 * most.
 */
async function becomePopular(url: string): Promise<void> {
  const began = performance.now();
  const first = await weighPage(url);
  while ((await weighPage(url)) >= first) {
    if (performance.now() - began > 30_000) throw new Error(`${url} is not compressed any further.`);
    await setTimeout(250);
  }
}

async function weighPage(url: string): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "br" } });
  await response.arrayBuffer();
  return Number(response.headers.get("content-length"));
}

async function performAll(browser: Browser, site: string): Promise<ActResult[]> {
  const acts = ACTS.map((act) => ({ act, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { act, times } of acts) times.push(await perform(browser, site, act));
  return acts.map(({ act: { path, name }, times }) => ({ path, name, inp: middle(times, (time) => time) }));
}

/** The view with the median LCP, and the worst layout shift of all, since no view may have any. */
function medianView(views: FirstView[]): FirstView {
  const view = middle(views, ({ lcp }) => lcp);
  return { ...view, shift: Math.max(...views.map(({ shift }) => shift)) };
}

function middle<T>(list: T[], by: (each: T) => number): T {
  return list.toSorted((a, b) => by(a) - by(b))[Math.floor(list.length / 2)] as T;
}
