import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Two taps of an impatient finger, faster than any limit of time. React has shown what the first one changed. */
export function tapTwice(target: Locator): Promise<void> {
  return target.evaluate(async (element: HTMLElement) => {
    element.click();
    await Promise.resolve();
    element.click();
  });
}

export type Effort = { taps: number; swipes: number };

export type Finger = {
  /** Taps the center of an element as a finger would: nothing may cover it. Swipes to it first if it is out of view. */
  tap(target: Locator): Promise<void>;
  /** The effort since the last call. */
  taken(): Effort;
};

/** Counts the taps and swipes a user needs to reach something; typing and waiting are not counted. */
export function countTaps(page: Page): Finger {
  let effort: Effort = { taps: 0, swipes: 0 };
  return {
    async tap(target) {
      await target.waitFor();
      if (!(await isInView(target))) {
        effort.swipes += 1;
        await target.scrollIntoViewIfNeeded();
      }
      await expect.poll(() => isFree(target), { message: `${target} is free` }).toBe(true);
      const box = await target.boundingBox();
      if (!box) throw new Error(`${target} is not shown`);
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      effort.taps += 1;
    },
    taken() {
      const taken = effort;
      effort = { taps: 0, swipes: 0 };
      return taken;
    },
  };
}

function isInView(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const bar = document.querySelector(".bottom-bar");
    const foot = bar && !bar.contains(element) ? bar.getBoundingClientRect().top : innerHeight;
    return top >= 0 && bottom <= foot;
  });
}

function isFree(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  });
}
