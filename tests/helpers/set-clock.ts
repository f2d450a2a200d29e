import type { Page } from "playwright-core";

/** Sets the device's clock this many milliseconds ahead, from the next page load on. */
export async function setClock(page: Page, ahead: number): Promise<void> {
  await page.addInitScript((milliseconds) => {
    const now = Date.now;
    globalThis.Date = class extends Date {
      constructor(...of: [] | [string]) {
        super(...((of.length > 0 ? of : [now() + milliseconds]) as [string]));
      }
      static override now = () => now() + milliseconds;
    } as DateConstructor;
  }, ahead);
}
