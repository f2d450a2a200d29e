import type { BrowserContext, Page } from "playwright-core";

declare global {
  interface Window {
    /** The lines of the newest toast that no test has waited for yet. */
    seenNotice?: string[];
  }
}

/**
 * Records the lines of each toast: a toast disappears after its reading time, possibly before a busy machine checks for
 * it.
 */
export async function keepNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let known: Element | null = null;
    let text = "";
    const keep = () => {
      const toast = document.querySelector("[data-slot=toast]");
      const lines = [...(toast?.querySelectorAll("p") ?? [])].map((line) => line.textContent);
      // An unchanged toast is not a new one.
      if (toast === known && lines.join("\n") === text) return;
      known = toast;
      text = lines.join("\n");
      if (toast) window.seenNotice = lines;
    };
    new MutationObserver(keep).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/**
 * The lines of the newest toast, whether it still stands or not, unless it was awaited before: what is done again must
 * not be taken for done because it is still told of the first time.
 */
export function newestNotice(page: Page, awaited: string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const lines = window.seenNotice ?? [];
    if (lines.join("\n") === wanted.join("\n")) delete window.seenNotice;
    return lines;
  }, awaited);
}
