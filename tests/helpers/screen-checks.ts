import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeFindings } from "./browser.ts";
import { eventually } from "./visit.ts";

/**
 * Forces a repaint: content rendered lazily (content-visibility) would keep the old text colors until it is scrolled
 * into view.
 */
export async function paint(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>("body *"))
      if (getComputedStyle(part).contentVisibility === "auto") part.style.contentVisibility = "visible";
  });
}

/** Checks, on a phone and on a desktop: no horizontal scrolling, all axe rules, and contrast in light and dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  // Elements in transition lack their full contrast.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [width, scheme] of [
    [390, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
    await paint(page, scheme);
    await expectNoAxeFindings(page, { rules: ["color-contrast"] });
  }
}

/** Expects nothing to be wider than the window, and nothing in an open dialog wider than the dialog. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const surplus = () =>
    page.evaluate(() => {
      const body = document.querySelector("dialog:modal .dialog-body");
      const inDialog = body ? body.scrollWidth - body.clientWidth : 0;
      return Math.max(document.documentElement.scrollWidth - innerWidth, inDialog);
    });
  await eventually(surplus).toBe(0);
}

/** Expects every selected control to look different from an unselected one in forced colors. */
export async function expectChoicesToShow(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  const alike = await page.evaluate(() => {
    const chosen = [
      ["a[aria-current]", "a:not([aria-current])"],
      ["[aria-selected=true]", "[aria-selected=false]"],
      ["button[aria-pressed=true]", "button[aria-pressed=false]"],
      ["label:has(> [type=radio]:checked)", "label:has(> [type=radio]:not(:checked))"],
    ] as const;
    const look = (element: Element) => {
      const { backgroundColor, borderColor, color } = getComputedStyle(element);
      return [backgroundColor, borderColor, color].join();
    };
    const isShown = (element: Element) => element.checkVisibility() && !element.closest(".sr-only");
    return chosen.flatMap(([yes, no]) =>
      [...document.querySelectorAll(yes)].filter(isShown).flatMap((element) => {
        const group =
          element.closest("nav, [role=tablist], fieldset, [role=group], ul") ?? element.parentElement;
        const other = [...(group?.querySelectorAll(no) ?? [])].find(isShown);
        return other && look(other) === look(element) ? [element.outerHTML.slice(0, 120)] : [];
      }),
    );
  });
  await page.emulateMedia({ forcedColors: "none" });
  expect(alike, "chosen, and not to be told from what is not").toEqual([]);
}

/** Expects no animation with prefers-reduced-motion. */
export async function expectNoMotion(page: Page): Promise<void> {
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === "running")
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
    );
  await eventually(moving).toEqual([]);
}

/**
 * The fraction of the window's height, from 0 to 1, covered by elements that stay in place while the page scrolls; 0
 * under a dialog.
 */
export async function coveredHeight(page: Page): Promise<number> {
  return page.evaluate(() => {
    if (document.querySelector("dialog:modal, [popover]:popover-open")) return 0;
    scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2);
    const stays = (element: Element | null): boolean =>
      element !== null &&
      (/fixed|sticky/.test(getComputedStyle(element).position) || stays(element.parentElement));
    const rows = Array.from({ length: Math.floor(innerHeight / 4) }, (_, at) => at * 4 + 2);
    const covered = rows.filter((y) => stays(document.elementFromPoint(innerWidth / 2, y)));
    scrollTo(0, 0);
    return covered.length / rows.length;
  });
}

/**
 * Expects every control of the page, or of the open dialog, to scroll into view, be pressable there, and show an
 * unobscured focus ring (WCAG 2.2: 1.4.10, 2.4.7, 2.4.11).
 */
export async function expectControlsWithinReach(page: Page): Promise<void> {
  // From here on the browser treats focus as keyboard focus.
  await page.keyboard.press("Tab");
  const faults = await page.evaluate(async () => {
    const scope = document.querySelector("dialog:modal, [popover]:popover-open") ?? document;
    const controls = [
      ...scope.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary"),
    ].filter(isForEverybody);

    function isForEverybody(control: HTMLElement) {
      const { width, height } = control.getBoundingClientRect();
      const isDrawn = control.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
      // The skip link slides in; chrome.test.ts covers that.
      return isDrawn && control.tabIndex >= 0 && !control.matches(":disabled, .skip-link");
    }
    function isHit(control: HTMLElement) {
      const { left, top, width, height } = control.getBoundingClientRect();
      return [0.5, 0.15, 0.85].some((y) =>
        [0.5, 0.15, 0.85].some((x) => {
          const hit = document.elementFromPoint(left + width * x, top + height * y);
          return (
            hit !== null && (control.contains(hit) || (hit.contains(control) && hit.matches("label, a, li")))
          );
        }),
      );
    }
    function isRinged(control: HTMLElement) {
      const bearers = [control, control.closest("label"), control.closest(".search")];
      // Chart marks thicken their own stroke; the chart's journey checks that.
      if (control.closest("svg")) return true;
      return bearers.some((bearer) =>
        [null, "::after"].some((part) => {
          if (!bearer) return false;
          const { outlineStyle, outlineWidth } = getComputedStyle(bearer, part);
          return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
        }),
      );
    }
    const faultsOf = (control: HTMLElement) => {
      const name =
        control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
      const what = `${control.tagName} ${name?.trim().slice(0, 40)}`;
      return [
        ...(isHit(control) ? [] : [`hidden: ${what}`]),
        ...(isRinged(control) ? [] : [`no ring: ${what}`]),
      ];
    };
    const found: string[] = [];
    for (const control of controls) {
      control.focus();
      if (document.activeElement !== control) continue;
      // Movement on focus finishes within a few frames; a busy machine takes seconds to draw them.
      const patience = performance.now() + 5_000;
      while (faultsOf(control).length > 0 && performance.now() < patience)
        await new Promise(requestAnimationFrame);
      found.push(...faultsOf(control));
    }
    return found;
  });
  expect(faults).toEqual([]);
}

/** Whether a finger finds 44 px of a link or button: its middle, and what is 21 px above and below it. */
export function isWithinReach(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    element.scrollIntoView({ block: "center" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const hits = [-21, 0, 21].map((by) => document.elementFromPoint(left + width / 2, top + height / 2 + by));
    return hits.every((hit) => hit === element);
  });
}
