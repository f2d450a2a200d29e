import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { describedBy, expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice, makeAccount, PASSWORD, signIn, submit } from "./account-page.ts";

const PHONE = { width: 360, height: 740 };

/** What the list under a new password says is still missing. */
const missingIn = async (page: Page) =>
  (await page.getByRole("list", { name: "What the password needs" }).getByRole("listitem").allTextContents())
    .filter((text) => text.endsWith(": still missing."))
    .map((text) => text.replace(": still missing.", ""));

/** The names of the fields that are marked wrong, and which has the focus. */
async function faultsOf(page: Page) {
  const wrong = await page
    .locator("[aria-invalid=true]")
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).name));
  return { wrong, focused: await page.evaluate(() => (document.activeElement as HTMLInputElement).name) };
}

describe("a new password", () => {
  test("at sign-up is checked part by part while it is typed, quietly", async () => {
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
    expect(
      await list.evaluate((part) => part.closest("[aria-live], [role=status], [role=alert]")),
    ).toBeNull();
    await expectNoAxeFindings(page);
    await field.pressSequentially("cdefghij");
    expect(await missingIn(page)).toEqual([]);
    await field.fill(`Aa1!${"x".repeat(125)}`);
    await eventually(() => missingIn(page)).toEqual(["At most 128 characters"]);
  });

  test("on the account page is checked in the same way, and the list goes with what was saved", async () => {
    const { email } = await makeAccount();
    const page = await visit("/auth");
    await signIn(page, email);
    await page.goto("/account");
    const field = page.getByLabel("New password", { exact: true });
    await field.fill("Another-word-");
    await eventually(() => missingIn(page)).toEqual(["A number"]);
    await field.fill("Another-word-7");
    await page.getByRole("button", { name: "Change password" }).click();
    await expectNotice(page, "Password changed", "You’re signed out everywhere else.");
    await expect.poll(() => page.getByRole("list", { name: "What the password needs" }).count()).toBe(0);
  });
});

describe("all that is wrong with a form is said at once, each at its field, and the first has the focus", () => {
  test("at sign-up", async () => {
    const page = await visit("/auth", PHONE);
    await page.getByRole("tab", { name: "Sign Up" }).click();
    await submit(page, "Sign Up", "abc", "a");
    await expectNotice(page, "Invalid input", "Please enter a valid email");
    expect(await faultsOf(page)).toEqual({ wrong: ["email", "password"], focused: "email" });
    expect(await describedBy(page.getByLabel("Password", { exact: true }))).toContain(
      "Password must be at least 12 characters",
    );
    await expectNoAxeFindings(page);
  });

  test("at contact", async () => {
    const page = await visit("/contact", PHONE);
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect
      .poll(() => faultsOf(page))
      .toEqual({
        wrong: ["name", "email", "subject", "message"],
        focused: "name",
      });
  });

  test("at deleting an account", async () => {
    const page = await visitAs(await signUpPerson(), "/account", PHONE);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expectNotice(page, "Invalid input", "Please type DELETE");
    // Above the dialog's backdrop, not behind it, and in the dialog, or it could be neither read out nor pressed.
    expect(await page.locator("[data-slot=toast-host]:popover-open").count()).toBe(1);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").getByText("Please type DELETE").first().waitFor();
    await page.locator("[data-slot=toast]").getByRole("button", { name: "Dismiss" }).click();
    await expect.poll(() => page.locator("[data-slot=toast]").count()).toBe(0);
    expect(await dialog.isVisible()).toBe(true);
  });
});

/** Whether a tap on the middle of it would reach it, in the part of the window where it is. */
function isOnTop(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element === hit || element.contains(hit);
  });
}

describe("on a phone a notice leaves what was pressed and the bottom bar free", () => {
  /** Presses it, waits for a notice, and looks whether what was pressed and all of the bar can be pressed again. */
  async function pressFreely(page: Page, button: Locator, title: string) {
    await button.click();
    const toast = page.locator("[data-slot=toast]");
    await toast.getByText(title, { exact: true }).waitFor();
    await expect.poll(() => isOnTop(toast)).toBe(true);
    if (await button.count()) await expect.poll(() => isOnTop(button)).toBe(true);
    for (const entry of await page.locator(".bottom-bar-entry").all())
      expect(await isOnTop(entry)).toBe(true);
  }

  test("a failure, wherever the button stands", async () => {
    const page = await visit("/auth", { ...PHONE, expectedProblems: [/answer 4\d\d: /] });
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a");
    const button = page.getByRole("button", { name: "Sign In", exact: true });
    for (const place of ["start", "center", "end"] as const) {
      await button.evaluate((element, block) => element.scrollIntoView({ block }), place);
      await pressFreely(page, button, "Error");
      await page.getByRole("button", { name: "Dismiss" }).click();
    }
  });

  test("a success, and one that another page shows", async () => {
    const { email } = await makeAccount();
    const page = await visit("/auth", PHONE);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await pressFreely(
      page,
      page.getByRole("button", { name: "Sign In", exact: true }),
      "Logged in successfully",
    );
    // On a page that begins there the header's controls are ways on as well.
    for (const tool of await page.locator(".site-header a:visible, .header-tool:visible").all())
      expect(await isOnTop(tool)).toBe(true);
    await page.goto("/account");
    await pressFreely(page, page.getByRole("button", { name: "Save username" }), "Username saved");
  });
});
