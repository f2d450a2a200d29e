import type { Page } from "playwright-core";
import { onlyReads } from "#tests/helpers/lose-answer.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import type { TestSite } from "#tests/helpers/site-setup.ts";

/** A real picture of 40 × 40 px, drawn by the browser: an orange square on a transparent background. */
export async function drawPicture(page: Page, type = "image/png"): Promise<Buffer> {
  const bytes = await page.evaluate(async (wanted) => {
    const canvas = new OffscreenCanvas(40, 40);
    const context = canvas.getContext("2d");
    if (context) {
      context.fillStyle = "orange";
      context.fillRect(5, 5, 30, 30);
    }
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: wanted })).arrayBuffer())];
  }, type);
  return Buffer.from(bytes);
}

/** An item's row in the list, or its form while it is edited. */
export const rowOf = (page: Page, slug: string) => page.locator(`[data-item="${slug}"]`);

export const addForm = (page: Page) => page.getByRole("form", { name: "Add New Item" });
export const editForm = (page: Page, name: string) => page.getByRole("form", { name: `Edit ${name}` });

/** Opens an item's form in the list. */
export async function edit(page: Page, name: string) {
  await page.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
  return editForm(page, name);
}

/** Holds the writes to this path: `arrived` resolves with the first, and `release` lets all of them through. */
export async function holdWrites(page: Page, path: string) {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (!onlyReads(route.request())) {
      arrive();
      await released;
    }
    await route.continue();
  });
  return { arrived, release };
}

export const AWAY = "The service can't be reached right now. Please try again in a moment.";

/** Fails every read of a list, so that the page learns nothing new; single rows can still be read by id or slug. */
export async function stopLists(page: Page, table: string): Promise<void> {
  await page.route(
    (url) => url.pathname.endsWith(`/rest/v1/${table}`) && !/[?&](id|slug|name)=eq\./.test(url.search),
    (route) => (route.request().method() === "GET" ? route.abort() : route.fallback()),
  );
}

/** Names under which unsaved edits are kept in this tab. */
export const listTyped = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")));

/** Leaves only these items on a site of its own: every further row is drawn again at each visit and after each edit. */
export async function keepItems({ databaseUrl }: TestSite, slugs: readonly string[]): Promise<void> {
  await runOn(databaseUrl, "delete from items where slug <> all ($1)", [slugs]);
  await runOn(databaseUrl, "delete from archived_items");
}
