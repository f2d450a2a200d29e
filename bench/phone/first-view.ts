import type { Browser } from "playwright-core";
import { takePhone } from "./cheap-phone.ts";

export type Kind = "document" | "styles" | "scripts" | "fonts" | "pictures" | "others";

/** A first visit to a page, until it fetches nothing more. */
export type FirstView = {
  lcp: number;
  lcpElement: string;
  shift: number;
  bytes: Record<Kind, number>;
  /** Bytes of images below the fold, which browsers prefetch at their discretion; not included in `bytes`. */
  below: number;
  /** Requests that began before the first paint. */
  before: number;
};

const KINDS: Record<string, Kind> = {
  Document: "document",
  Stylesheet: "styles",
  Script: "scripts",
  Font: "fonts",
  Image: "pictures",
};

export async function viewFirst(browser: Browser, baseUrl: string, path: string): Promise<FirstView> {
  const { page, cdp, context } = await takePhone(browser, baseUrl);
  const requests = new Map<string, { kind: Kind; url: string }>();
  const pictures = new Map<string, number>();
  const bytes: Record<Kind, number> = {
    document: 0,
    styles: 0,
    scripts: 0,
    fonts: 0,
    pictures: 0,
    others: 0,
  };
  cdp.on("Network.responseReceived", ({ requestId, type, response }) =>
    requests.set(requestId, { kind: KINDS[type] ?? "others", url: response.url }),
  );
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const { kind = "others", url = "" } = requests.get(requestId) ?? {};
    bytes[kind] += encodedDataLength;
    if (kind === "pictures") pictures.set(url, encodedDataLength);
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const { timings, before, unseen } = await page.evaluate(async () => {
    // The observers report a paint after it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
    const [paint] = performance.getEntriesByType("paint");
    const resources = performance.getEntriesByType("resource");
    const before = 1 + resources.filter(({ startTime }) => startTime < (paint?.startTime ?? 0)).length;
    const isSeen = (image: Element) => image.getBoundingClientRect().top < window.innerHeight;
    const images = [...document.images];
    const seen = new Set(images.filter(isSeen).map(({ currentSrc }) => currentSrc));
    const unseen = images.map(({ currentSrc }) => currentSrc).filter((source) => !seen.has(source));
    return { timings: window.timings, before, unseen: [...new Set(unseen)] };
  });
  await context.close();
  const below = unseen.reduce((sum, url) => sum + (pictures.get(url) ?? 0), 0);
  bytes.pictures -= below;
  return { ...timings, bytes, below, before };
}

export const weigh = (bytes: Record<Kind, number>): number =>
  Object.values(bytes).reduce((sum, each) => sum + each, 0);
