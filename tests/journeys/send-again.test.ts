import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
import { expectNotice, newAddress, PASSWORD, submit } from "./account-page.ts";
import { runSql } from "./chat-page.ts";

/** Accounts must confirm their address, and another mail to one can be sent only after a few seconds. */
const site = ownSite({ AUTH_AUTOCONFIRM_EMAIL: "false", GOTRUE_SMTP_MAX_FREQUENCY: "4s" });

async function openAuth(): Promise<Page> {
  const page = await openPage({
    baseUrl: site.address,
    width: 360,
    height: 740,
    expectedProblems: [/answer 429: POST .*\/auth\/v1\/(resend|recover|otp)/],
  });
  await page.goto("/auth");
  await alive(page);
  return page;
}

/** When the last mail of this kind was sent to an address, according to the database. */
async function sentAt(column: "confirmation_sent_at" | "recovery_sent_at", email: string): Promise<unknown> {
  const rows = await runSql(
    `select ${column}::text as at from auth.users where email = '${email}'`,
    site.databaseUrl,
  );
  return (rows[0] as { at: unknown } | undefined)?.at;
}

/** Presses too soon, waits as long as the button says, presses again, and expects another mail to be sent. */
async function sendAgain(page: Page, email: string, column: Parameters<typeof sentAt>[0]) {
  await eventually(() => sentAt(column, email)).not.toBeNull();
  const first = await sentAt(column, email);
  const button = page.getByRole("button", { name: /^Send it again/ });
  await button.click();
  await eventually(() => button.textContent()).toMatch(/^Send it again in [1-4] s$/);
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await page.getByText("An email went out a moment ago, so the next one has to wait.").waitFor();
  expect(await page.locator("[data-slot=toast]").count()).toBe(0);
  await expectNoAxeFindings(page);
  expect(await sentAt(column, email)).toBe(first);
  await eventually(() => button.textContent()).toBe("Send it again");
  await button.click();
  await expectNotice(page, "Sent again", `Another email is on its way to ${email}.`);
  await eventually(() => sentAt(column, email)).not.toBe(first);
  await page.getByRole("button", { name: "Dismiss" }).click();
}

test("sign-up and password reset mails can be sent again as soon as the service allows it", async () => {
  const email = newAddress();
  const page = await openAuth();
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await sendAgain(page, email, "confirmation_sent_at");

  await runSql(`update auth.users set email_confirmed_at = now() where email = '${email}'`, site.databaseUrl);
  await runSql("delete from backend.rate_limits", site.databaseUrl);
  await page.getByRole("button", { name: "Back to Sign In" }).click();
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await sendAgain(page, email, "recovery_sent_at");
});
