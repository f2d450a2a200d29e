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
    const keep = () => {
      const lines = document.querySelectorAll<HTMLElement>("[data-slot=toast] p");
      if (lines.length > 0) window.seenNotice = [...lines].map((line) => line.innerText);
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
