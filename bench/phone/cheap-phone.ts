import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";

/** 1.6 Mbps down and 750 kbps up with a latency of 150 ms, and a processor four times as slow. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWDOWN = 4;
const SCREEN = { width: 360, height: 740 };

export type Phone = { page: Page; cdp: CDPSession; context: BrowserContext };

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
}

/** A phone on its first visit. Interaction benchmarks need no slow connection, since they start on a loaded page. */
export async function takePhone(browser: Browser, baseURL: string, { isSlow = true } = {}): Promise<Phone> {
  const context = await browser.newContext({ baseURL, viewport: SCREEN, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  if (isSlow) await cdp.send("Network.emulateNetworkConditions", NETWORK);
  if (isSlow) await slowDown(cdp);
  await page.addInitScript(watchTimings);
  return { page, cdp, context };
}

/** From now on, throttles the processor to that of a cheap phone. */
export async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** Timings reported by the page's browser; see `watchTimings`. */
type Timings = {
  lcp: number;
  lcpElement: string;
  shift: number;
  /** Milliseconds from the press to the next paint, for every event since `events` was cleared. */
  events: number[];
};

declare global {
  interface Window {
    timings: Timings;
  }
}

/** Runs in the page before any of its own scripts. */
function watchTimings(): void {
  const timings: Timings = { lcp: 0, lcpElement: "", shift: 0, events: [] };
  window.timings = timings;
  type Entry = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    interactionId: number;
    element?: Element;
  };
  const watch = (type: string, read: (entry: Entry) => void, more = {}) =>
    new PerformanceObserver((list) => (list.getEntries() as Entry[]).forEach(read)).observe({
      type,
      buffered: true,
      ...more,
    });
  watch("largest-contentful-paint", (entry) => {
    timings.lcp = entry.startTime;
    timings.lcpElement = `${entry.element?.tagName.toLowerCase() ?? "?"}.${entry.element?.className ?? ""}`;
  });
  watch("layout-shift", (entry) => {
    if (!entry.hadRecentInput) timings.shift += entry.value;
  });
  watch("event", (entry) => entry.interactionId && timings.events.push(entry.duration), {
    durationThreshold: 16,
  });
}
