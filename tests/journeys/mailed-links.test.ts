import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAppFactor } from "#tests/helpers/app-factor.ts";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient } from "#tests/helpers/signed-in.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
import { expectNotice, newAddress, PASSWORD, submit } from "./account-page.ts";

/**
 * A site whose accounts must confirm their address, and whose mails are in its outbox. Another mail of one kind can be
 * sent to an account only after a few seconds.
 */
const dataDir = readyDataDir();
let server: ServerProcess;

beforeAll(async () => {
  const port = await freePort();
  const env = {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    SITE_URL: `http://127.0.0.1:${port}`,
    AUTH_AUTOCONFIRM_EMAIL: "false",
    GOTRUE_SMTP_MAX_FREQUENCY: "4s",
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: "true",
  };
  server = await startServer({ env });
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("an account is confirmed by the mailed link, a forgotten password is reset, and each link works once", async () => {
  const email = newAddress();
  const page = await openPage({ baseUrl: server.address });
  await page.goto("/auth");
  await alive(page);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  // Focused, as the form that had the focus is gone.
  await page.locator(":focus", { hasText: "Check your inbox" }).waitFor();
  await page
    .getByText(`Your account is almost ready. Open the link in the email we sent to ${email}`)
    .waitFor();
  expect(await page.getByText("You can now log in").count()).toBe(0);

  await page.goto(linkFrom(await mailTo(email, 1)));
  await expectNotice(page, "Email confirmed", "You are logged in.");
  await page.getByRole("button", { name: "Logout" }).waitFor();
  expect(page.url()).not.toContain("access_token");
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");

  await page.getByRole("link", { name: "Login" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  // On a fast machine, the four seconds after the first mail are not over.
  await inDatabase("delete from backend.rate_limits");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText(`If ${email} has an account`).waitFor();

  const recovery = linkFrom(await mailTo(email, 2));
  await page.goto(recovery);
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/auth");
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expectNotice(page, "Invalid input", "Password must be at least 12 characters");
  await page.getByLabel("New password", { exact: true }).fill("Another-word-7");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expectNotice(page, "Password changed", "You are logged in.");
  await page.waitForURL("/");
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");

  await page.goto(recovery);
  await page.getByText("This link has expired or was used already. Ask for a new one.").waitFor();
  const { auth } = await anonymousClient(server);
  expect((await auth.signInWithPassword({ email, password: "Another-word-7" })).error).toBeNull();
});

test("a mailed code signs in without a password, and an address changes when both mailboxes agree", async () => {
  const email = newAddress();
  const page = await openPage({ baseUrl: server.address, expectedProblems: [/answer 4\d\d: /] });
  await page.goto("/auth");
  await alive(page);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  await page.getByLabel("Code from the email").fill("12");
  await page.getByRole("button", { name: "Continue with the code" }).click();
  await expectNotice(page, "Invalid input", "Please enter the digits of the code");
  await page.getByLabel("Code from the email").fill("000000");
  await page.getByRole("button", { name: "Continue with the code" }).click();
  await expectNotice(page, "Error", "Token has expired or is invalid");
  await page.getByLabel("Code from the email").fill(codeFrom(await mailTo(email, 1)));
  await page.getByRole("button", { name: "Continue with the code" }).click();
  await expectNotice(page, "Email confirmed", "You are logged in.");
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");

  await page.getByRole("link", { name: "Login" }).click();
  await page.getByRole("button", { name: "Email me a link or code" }).click();
  await page.getByLabel("Email").fill("mara");
  await page.getByRole("button", { name: "Send a link and code" }).click();
  await expectNotice(page, "Invalid input", "Please enter a valid email");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send a link and code" }).click();
  await page.getByText(`If ${email} has an account, an email with a link and a code to sign in`).waitFor();
  // The previous attempt's error is no longer shown.
  await expect.poll(() => page.locator("[data-slot=toast]").count()).toBe(0);
  await expectNoAxeFindings(page);
  await page.getByLabel("Code from the email").fill(codeFrom(await mailTo(email, 2)));
  await page.getByRole("button", { name: "Continue with the code" }).click();
  await page.waitForURL("/");
  await expectNotice(page, "Logged in successfully");

  await page.goto("/account");
  const next = newAddress("next");
  await page.getByLabel("New email").fill(next);
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByText("Open the link we emailed you to confirm the change").waitFor();
  await page.goto(linkFrom(await mailTo(next, 1)));
  await page.getByText("Please proceed to confirm the link sent to the other email.").waitFor();
  await page.goto(linkFrom(await mailTo(email, 3)));
  await expectNotice(page, "Email changed");
  await page.goto("/account");
  await page.getByText(`Now: ${next}`).waitFor();

  await inDatabase("update auth.mfa_amr_claims set updated_at = now() - interval '11 min'");
  await page.getByLabel("New password", { exact: true }).fill("Another-word-7");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("heading", { name: "Is it really you?" }).waitFor();
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "No password? Email me a code" }).click();
  await page.getByLabel("Code from the email").fill(codeFrom(await mailTo(next, 2)));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expectNotice(page, "Password changed", "You’re signed out everywhere else.");
});

test("a mailed link of an account with a second factor asks for it before it says that the user is logged in", async () => {
  const email = newAddress();
  const auth = await signUp(email);
  const nextCode = await addAppFactor({ auth });
  await mailTo(email, 2);
  await inDatabase("delete from backend.rate_limits");
  await auth.signInWithOtp({ email });

  const page = await openPage({ baseUrl: server.address });
  await page.goto(linkFrom(await mailTo(email, 3)));
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/auth");
  expect(await page.evaluate(() => window.seenNotice)).toBe(undefined);
  await page.getByLabel("Code from your authenticator app").fill(nextCode());
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expectNotice(page, "Logged in successfully");
  await page.waitForURL("/");
});

test("a forgotten password can also be reset with the mailed code", async () => {
  const email = newAddress();
  await signUp(email);
  const page = await openPage({ baseUrl: server.address });
  await page.goto("/auth");
  await alive(page);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByLabel("Code from the email").fill(codeFrom(await mailTo(email, 2)));
  await page.getByRole("button", { name: "Continue with the code" }).click();
  await page.getByLabel("New password", { exact: true }).fill("Another-word-7");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expectNotice(page, "Password changed", "You are logged in.");
  await page.waitForURL("/");

  // As if somebody else had changed it: the link in the notification mail recovers the account.
  const [, undoLink = ""] = /(\/auth#way_back=[\w-]+)/.exec(await mailTo(email, 4)) ?? [];
  await page.goto(undoLink);
  await page.getByRole("heading", { name: "Take your account back" }).waitFor();
  expect(page.url()).not.toContain("way_back");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Take my account back" }).click();
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  await page.getByText(`Your email: ${email}`).waitFor();
  await page.getByLabel("New password", { exact: true }).fill("A-third-word-9");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expectNotice(page, "Password changed", "You are logged in.");
  await page.waitForURL("/");
});

test("a new browser is reported by mail, a known one is not after logout, and one without storage can sign in", async () => {
  const email = newAddress();
  await inDatabase("delete from backend.rate_limits");
  const page = await openPage({ baseUrl: server.address });
  await page.goto("/auth");
  await alive(page);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  await page.goto(linkFrom(await mailTo(email, 1)));
  await page.getByRole("button", { name: "Logout" }).waitFor();
  for (const _ of ["the link's browser", "the same once more"]) {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Login" }).click();
    await submit(page, "Sign In", email, PASSWORD);
    await page.getByRole("button", { name: "Logout" }).waitFor();
  }
  const second = await openPage({ baseUrl: server.address });
  await signInAt(second, email);
  expect(await mailTo(email, 2)).toContain("new device");
  const forgetful = await openPage({ baseUrl: server.address });
  await forgetful.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key === "browserMark") throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, key, value);
    };
  });
  await signInAt(forgetful, email);
  expect(await mailTo(email, 3)).toContain("new device");
});

test("sign-up and password reset mails can be sent again as soon as the service allows it", async () => {
  const email = newAddress();
  await inDatabase("delete from backend.rate_limits");
  const page = await openPage({
    baseUrl: server.address,
    width: 360,
    height: 740,
    expectedProblems: [/answer 429: POST .*\/auth\/v1\/(resend|recover|otp)/],
  });
  await page.goto("/auth");
  await alive(page);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await sendAgain(page, email, "confirmation_sent_at");
  await expectNoAxeFindings(page);

  await inDatabase(`update auth.users set email_confirmed_at = now() where email = '${email}'`);
  await inDatabase("delete from backend.rate_limits");
  await page.getByRole("button", { name: "Back to Sign In" }).click();
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await sendAgain(page, email, "recovery_sent_at");
});

/** When the last mail of this kind was sent to an address, according to the database. */
async function sentAt(column: "confirmation_sent_at" | "recovery_sent_at", email: string): Promise<unknown> {
  const rows = await inDatabase(`select ${column}::text as at from auth.users where email = '${email}'`);
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
  expect(await sentAt(column, email)).toBe(first);
  await eventually(() => button.textContent()).toBe("Send it again");
  await button.click();
  await expectNotice(page, "Sent again", `Another email is on its way to ${email}.`);
  await eventually(() => sentAt(column, email)).not.toBe(first);
  await page.getByRole("button", { name: "Dismiss" }).click();
}

/** Makes a confirmed account. */
async function signUp(email: string) {
  await inDatabase("delete from backend.rate_limits");
  const { auth } = await anonymousClient(server);
  await auth.signUp({ email, password: PASSWORD });
  await auth.verifyOtp({ email, token: codeFrom(await mailTo(email, 1)), type: "email" });
  return auth;
}

async function signInAt(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await alive(page);
  await submit(page, "Sign In", email, PASSWORD);
  await page.getByRole("button", { name: "Logout" }).waitFor();
}

/** The newest mail to an address, once at least this many have arrived. */
async function mailTo(address: string, count: number): Promise<string> {
  const outbox = join(dataDir, "outbox");
  const read = () =>
    listMails(outbox)
      .map((name) => readFileSync(join(outbox, name), "utf8"))
      .filter((mail) => mail.includes(`To: ${address}`));
  await expect.poll(() => read().length).toBe(count);
  return (read().at(-1) ?? "").replace(/=\r?\n/g, "").replace(/=3D/g, "=");
}

function linkFrom(mail: string): string {
  return /https?:\/\/\S+\/auth\/v1\/verify\?[^\s"<]+/.exec(mail)?.[0] ?? "no link in the mail";
}

function codeFrom(mail: string): string {
  return /^(?:Or enter this code: )?(\d{6})\s*$/m.exec(mail)?.[1] ?? "no code in the mail";
}

const inDatabase = (text: string) => runOn(readFileSync(join(dataDir, "database-url"), "utf8").trim(), text);

function listMails(outbox: string): string[] {
  try {
    return readdirSync(outbox).sort();
  } catch {
    return [];
  }
}
