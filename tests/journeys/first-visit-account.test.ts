import { expect, test } from "vitest";
import { countTaps } from "#tests/helpers/taps.ts";
import { visit } from "#tests/helpers/visit.ts";
import { newAddress, PASSWORD } from "./account-page.ts";
import { expectCount, unique } from "./chat-page.ts";

const TRADE = "/calculator?you=dough,dough&them=tiger";

test("on a phone a visitor signs up and saves the trade in six taps without scrolling, and says hello in two more", async () => {
  const page = await visit(TRADE, { width: 360, height: 740 });
  const { tap, taken } = countTaps(page);
  await tap(page.getByRole("link", { name: "Log in to keep this trade" }));
  await tap(page.getByRole("tab", { name: "Sign Up" }));
  await tap(page.getByLabel("Email"));
  await page.keyboard.type(newAddress());
  await tap(page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(PASSWORD);
  await tap(page.getByRole("button", { name: "Sign Up", exact: true }));
  await page.waitForURL(TRADE);
  await page.getByRole("link", { name: "Saved. See it in your history" }).waitFor();
  // That is below the first screen, where only the button tells it.
  await page.getByRole("button", { name: "Save Trade again" }).waitFor();
  const { taps, swipes } = taken();
  expect(taps).toBeLessThanOrEqual(6);
  expect(swipes).toBe(0);

  await tap(page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Chat" }));
  await tap(page.getByLabel("Message", { exact: true }));
  const hello = unique("hello");
  await page.keyboard.type(hello);
  await page.keyboard.press("Enter");
  await expectCount(page, hello, 1);
  expect(taken()).toEqual({ taps: 2, swipes: 0 });
});
