import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { describedBy, expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice, makeAccount, PASSWORD, submit } from "./account-page.ts";
import { holdWrites } from "./admin-items-page.ts";

const PHONE = { width: 360, height: 740 };

/** The requirements still listed as missing under a new password. */
const missingIn = async (page: Page) =>
  (await page.getByRole("list", { name: "What the password needs" }).getByRole("listitem").allTextContents())
    .filter((text) => text.endsWith(": still missing."))
    .map((text) => text.replace(": still missing.", ""));

/** The names of the invalid fields, and of the focused one. */
async function faultsOf(page: Page) {
  const wrong = await page
    .locator("[aria-invalid=true]")
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).name));
  return { wrong, focused: await page.evaluate(() => (document.activeElement as HTMLInputElement).name) };
}

test("at sign-up a new password is checked rule by rule while typing, without announcements, and of several errors only the first is shown, at its field, which has the focus", async () => {
  const page = await visit("/auth", PHONE);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  const field = page.getByLabel("Password", { exact: true });
  expect(await missingIn(page)).toEqual([]);
  await field.pressSequentially("a");
  expect(await missingIn(page)).toEqual([
    "At least 12 characters",
    "An uppercase letter",
    "A number",
    "A symbol, such as ! or #",
  ]);
  await field.pressSequentially("B1!");
  expect(await missingIn(page)).toEqual(["At least 12 characters"]);
  expect(await describedBy(field)).toContain("At least 12 characters: still missing.");
  const list = page.getByRole("list", { name: "What the password needs" });
  expect(await list.evaluate((part) => part.closest("[aria-live], [role=status], [role=alert]"))).toBeNull();
  await field.pressSequentially("cdefghij");
  expect(await missingIn(page)).toEqual([]);
  await field.fill(`Aa1!${"x".repeat(125)}`);
  await eventually(() => missingIn(page)).toEqual(["At most 128 characters"]);

  await submit(page, "Sign Up", "abc", "a");
  await expectNotice(page, "Invalid input", "Please enter a valid email");
  expect(await faultsOf(page), "only the first failure").toEqual({ wrong: ["email"], focused: "email" });
  expect(await page.getByRole("alert").allInnerTexts(), "announced once").toEqual([
    expect.stringMatching(/Invalid input\s+Please enter a valid email/),
  ]);
  expect(await describedBy(field)).toContain("At least 12 characters: still missing.");
  await expectNoAxeFindings(page);
});

test("a form takes no other choice while it is sent, by mouse or keyboard, and keeps the focus", async () => {
  const [person, trader] = await Promise.all([signUpPerson(), signUpPerson()]);
  const page = await visitAs(person, `/community/${trader.username}`);
  await page.getByRole("button", { name: "Report name" }).click();
  const dialog = page.getByRole("dialog");
  const [chosen, other] = [dialog.getByLabel("Not for children"), dialog.getByLabel("Something else")];
  await chosen.check();
  const { arrived, release } = await holdWrites(page, "**/rest/v1/reports*");
  await page.keyboard.press("Enter");
  await arrived;
  const states = () => Promise.all([chosen, other].map((choice) => choice.isChecked()));
  const focused = () => chosen.evaluate((choice) => choice === document.activeElement);
  for (const key of ["ArrowDown", "ArrowUp", "Space"]) {
    await page.keyboard.press(key);
    expect([...(await states()), await focused()], key).toEqual([true, false, true]);
  }
  await dialog.getByText("Something else").click();
  await other.click({ force: true });
  expect(await states()).toEqual([true, false]);
  expect(await dialog.locator("input:focus").count()).toBe(1);
  release();
  await dialog.waitFor({ state: "detached" });
});

/** Whether a tap on its center would hit it at its current position. */
function isOnTop(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element === hit || element.contains(hit);
  });
}

describe("on a phone a notice covers neither the pressed button nor the bottom bar", () => {
  /** Presses a button, waits for a notice, and checks that the button and the bar can be pressed again. */
  async function pressFreely(page: Page, button: Locator, title: string) {
    await button.click();
    const toast = page.locator("[data-slot=toast]");
    await toast.getByText(title, { exact: true }).waitFor();
    await expect.poll(() => isOnTop(toast)).toBe(true);
    if (await button.count()) await expect.poll(() => isOnTop(button)).toBe(true);
    for (const entry of await page.locator(".bottom-bar-entry").all())
      expect(await isOnTop(entry)).toBe(true);
  }

  test("a failure, wherever the button is; a form takes no typing while it is sent, keeps the focus, and goes on after a refusal", async () => {
    const page = await visit("/auth", { ...PHONE, expectedProblems: [/answer 4\d\d: /] });
    const email = page.getByLabel("Email");
    await email.fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a");
    const button = page.getByRole("button", { name: "Sign In", exact: true });
    for (const place of ["start", "center", "end"] as const) {
      await button.evaluate((element, block) => element.scrollIntoView({ block }), place);
      await pressFreely(page, button, "Error");
      await page.getByRole("button", { name: "Dismiss" }).click();
    }

    const { arrived, release } = await holdWrites(page, "**/auth/v1/token?*");
    await email.press("Enter");
    await arrived;
    expect(await email.isEditable()).toBe(false);
    await page.keyboard.type(".au");
    await eventually(() => email.inputValue()).toBe("nobody@example.com");
    release();
    await expectNotice(page, "Error", "Invalid login credentials");
    await expect.poll(() => email.isEditable()).toBe(true);
  });

  test("a success, one that another page shows, and one above a dialog; a new password on the account page is checked as at sign-up", async () => {
    const { email } = await makeAccount();
    const page = await visit("/auth", PHONE);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await pressFreely(
      page,
      page.getByRole("button", { name: "Sign In", exact: true }),
      "Logged in successfully",
    );
    // At the top of a page the header's controls must be reachable too.
    for (const tool of await page.locator(".site-header a:visible, .header-tool:visible").all())
      expect(await isOnTop(tool)).toBe(true);
    await page.goto("/account");
    await pressFreely(page, page.getByRole("button", { name: "Save username" }), "Username saved");

    const field = page.getByLabel("New password", { exact: true });
    await field.fill("Another-word-");
    await eventually(() => missingIn(page)).toEqual(["A number"]);
    await field.fill("Another-word-7");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectNotice(page, "Password changed", "You’re signed out everywhere else.");
    await expect.poll(() => page.getByRole("list", { name: "What the password needs" }).count()).toBe(0);

    await page.getByRole("button", { name: "Delete my account" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expectNotice(page, "Invalid input", "Please type DELETE");
    // In the dialog and above its backdrop; otherwise it could be neither announced nor dismissed.
    expect(await page.locator("[data-slot=toast-host]:popover-open").count()).toBe(1);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").getByText("Please type DELETE").first().waitFor();
    await page.locator("[data-slot=toast]").getByRole("button", { name: "Dismiss" }).click();
    await expect.poll(() => page.locator("[data-slot=toast]").count()).toBe(0);
    expect(await dialog.isVisible()).toBe(true);
  });
});
