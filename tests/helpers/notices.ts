import type { BrowserContext, Page } from "playwright-core";

declare global {
  interface Window {
    /** The lines of the newest notice that no test has waited for. */
    seenNotice?: string[];
  }
}

/** A notice goes after the seconds that it takes to read, sooner than a busy machine may look: its lines are kept. */
export async function keepNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let known: Element | null = null;
    let text = "";
    const keep = () => {
      const toast = document.querySelector("[data-slot=toast]");
      const lines = [...(toast?.querySelectorAll("p") ?? [])].map((line) => line.innerText);
      // One that only goes on standing is no news.
      if (toast === known && lines.join("\n") === text) return;
      known = toast;
      text = lines.join("\n");
      if (toast) window.seenNotice = lines;
    };
    new MutationObserver(keep).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/**
 * The lines of the notice that stands, or of one that came and is gone again. Those that a test waits for are no news
 * after that.
 */
export function newestNotice(page: Page, awaited: string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const standing = document.querySelectorAll<HTMLElement>("[data-slot=toast] p");
    const lines = standing.length > 0 ? [...standing].map((line) => line.innerText) : window.seenNotice;
    if (lines?.join("\n") === wanted.join("\n")) delete window.seenNotice;
    return lines ?? [];
  }, awaited);
}
