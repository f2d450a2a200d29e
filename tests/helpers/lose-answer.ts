import type { Page, Request } from "playwright-core";

/** Whether a request only reads. Counts are HEAD requests. */
export const onlyReads = (request: Request) => ["GET", "HEAD"].includes(request.method());

/** Lets the next write to this address arrive, and loses its answer. */
export async function loseAnswer(page: Page, address: string | RegExp): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || onlyReads(route.request())) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
