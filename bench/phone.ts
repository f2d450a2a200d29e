import type { Browser } from "playwright-core";
import { ACTS, perform } from "./phone/acts.ts";
import { launchBrowser } from "./phone/cheap-phone.ts";
import type { ActResult, PageResult, PhoneResult } from "./phone/describe-phone.ts";
import { type FirstView, viewFirst } from "./phone/first-view.ts";
import { signUp } from "./servers/sign-up.ts";
import { startServer } from "./servers/start-server.ts";
import { startSite } from "./servers/start-site.ts";

const ROUNDS = 5;
/** The static copies swing less. */
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

/** Public pages on a cheap phone with a slow connection, each beside the same page without its scripts. */
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

/** The page of somebody who just signed up. */
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
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The new account is not listed.");
}

async function viewAll(
  browser: Browser,
  paths: string[],
  ours: string,
  floor: string,
): Promise<PageResult[]> {
  const results: PageResult[] = [];
  for (const path of paths) {
    // Once for the caches of both servers; then in turn, so that the machine's mood hits both alike.
    const views = { ours: [] as FirstView[], floor: [] as FirstView[] };
    for (const base of [ours, floor]) await (await fetch(base + path)).arrayBuffer();
    for (let round = 0; round < ROUNDS; round++) {
      views.ours.push(await viewFirst(browser, ours, path));
      if (round < FLOOR_ROUNDS) views.floor.push(await viewFirst(browser, floor, path));
    }
    results.push({ path, ours: medianView(views.ours), floor: medianView(views.floor) });
  }
  return results;
}

async function performAll(browser: Browser, site: string): Promise<ActResult[]> {
  const results: ActResult[] = [];
  for (const act of ACTS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await perform(browser, site, act));
    results.push({ path: act.path, name: act.name, inp: middle(times, (time) => time) });
  }
  return results;
}

/** The view in the middle by LCP, with the worst shift of all: that one must not happen at all. */
function medianView(views: FirstView[]): FirstView {
  const view = middle(views, ({ lcp }) => lcp);
  return { ...view, shift: Math.max(...views.map(({ shift }) => shift)) };
}

function middle<T>(list: T[], by: (each: T) => number): T {
  return list.toSorted((a, b) => by(a) - by(b))[Math.floor(list.length / 2)] as T;
}
