import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { isWithinReach } from "#tests/helpers/screen-checks.ts";
import { signUpPerson } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { enterQuietChat, expectCount, fillChat, row, say, textsOf, unique, write } from "./chat-page.ts";

/** The visible part of the page on a 360 × 740 phone while its keyboard is open. */
const KEYBOARD_OPEN = { width: 360, height: 380 };

const field = (page: Page) => page.getByLabel("Message", { exact: true });

/** The messages that are fully visible. */
const seenWhole = (page: Page) =>
  page.locator(".chat-log").evaluate((log) => {
    const frame = log.getBoundingClientRect();
    const texts = [...log.querySelectorAll(".chat-bubble > .chat-text")];
    return texts
      .filter((text) => {
        const { top, bottom } = text.getBoundingClientRect();
        return top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight);
      })
      .map((text) => text.textContent);
  });

test("with the keyboard open several messages are visible, including the newest, and field and button are uncovered", async () => {
  // Short enough to fit on one line.
  const name = unique("said").split(" ").slice(0, 3).join(" ");
  await fillChat(await signUpPerson(), 12, name);
  const { page } = await enterQuietChat({ width: 360, height: 740 });
  await expectCount(page, `${name} 12`, 1);
  await field(page).click();
  await page.setViewportSize(KEYBOARD_OPEN);
  // Other tests write to the same room, and their messages push earlier ones out of view.
  const seesNewest = async () => (await seenWhole(page)).includes((await textsOf(page)).at(-1) ?? "");
  await eventually(seesNewest).toBe(true);
  expect((await seenWhole(page)).length).toBeGreaterThanOrEqual(3);
  const free = (label: string) =>
    page.locator(label).evaluate((element) => {
      const { left, top, width, height, bottom } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return bottom <= innerHeight && (element === hit || element.contains(hit));
    });
  expect([await free(".chat-field"), await free(".chat-composer .button-primary")]).toEqual([true, true]);
  expect(await page.getByText("Stay safe:").isVisible()).toBe(true);

  // The keyboard stays open from one message to the next.
  const own = unique("own");
  await field(page).fill(own);
  await page.getByRole("button", { name: "Send" }).click();
  await expectCount(page, own, 1);
  expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).name)).toBe("message");
  await eventually(seesNewest).toBe(true);

  // Phones on their side, without a keyboard: messages, field and button are in view together.
  await field(page).blur();
  for (const [width, height] of [
    [740, 360],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await eventually(seesNewest).toBe(true);
    await eventually(() =>
      Promise.all([free(".chat-field"), free(".chat-composer .button-primary")]),
    ).toEqual([true, true]);
  }

  await page.setViewportSize({ width: 360, height: 740 });
  await eventually(() => page.locator(".bottom-bar").isVisible()).toBe(true);
  await eventually(seesNewest).toBe(true);
  // Other tests post in the same room meanwhile.
  const mine = (await textsOf(page)).filter((text) => text === own || text.startsWith(name));
  expect(mine.at(-1)).toBe(own);
  await write(page, unique("and another"));
});

test("a finger finds a message's button and its writer's name, a report's buttons are visible at once and cover none of its reasons, and the page makes room for the keyboard", async () => {
  const text = unique("said");
  await say(await signUpPerson(), text);
  const { page } = await enterQuietChat({ width: 360, height: 740, hasTouch: true });
  expect(await page.locator("meta[name=viewport]").getAttribute("content")).toContain(
    "interactive-widget=resizes-content",
  );
  const button = row(page, text).getByRole("button", { name: /react or report$/ });
  await button.waitFor();
  /** 44 px around it. */
  const isHit = () =>
    button.evaluate((element) => {
      const { left, right, top } = element.getBoundingClientRect();
      const hits = [left - 3, right + 3].map((x) => document.elementFromPoint(x, top - 3));
      return hits.every((hit) => hit === element);
    });
  await eventually(isHit).toBe(true);
  await eventually(() => isWithinReach(row(page, text).locator(".chat-writer"))).toBe(true);

  const dialog = page.getByRole("dialog", { name: "Report this message" });
  const isFree = (control: Locator) =>
    control.evaluate((element) => {
      const { left, top, width: wide, height: high, bottom } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + wide / 2, top + high / 2);
      return (
        bottom <= innerHeight && (element === hit || element.contains(hit) || hit?.contains(element) === true)
      );
    });
  for (const [width, height] of [
    [360, 740],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await button.click();
    await page.getByRole("button", { name: "Report to the moderators" }).click();
    for (const name of ["Cancel", "Send report"])
      await eventually(() => isFree(dialog.getByRole("button", { name, exact: true }))).toBe(true);
    // Focusing the last choice by keyboard scrolls it out from behind the footer.
    const last = dialog.getByRole("checkbox");
    await last.focus();
    await eventually(() => isFree(last)).toBe(true);
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  }
});
