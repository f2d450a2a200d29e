import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { expectNotice, newAddress, PASSWORD, submit } from "./account-page.ts";

/** A site whose accounts wait for their mailbox, and whose mails lie in its outbox. */
const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-mail-"));
let server: ServerProcess;

beforeAll(async () => {
  const port = await freePort();
  const env = {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    SITE_URL: `http://127.0.0.1:${port}`,
    AUTH_AUTOCONFIRM_EMAIL: "false",
    GOTRUE_SMTP_MAX_FREQUENCY: "1s",
  };
  server = await startServer({ env });
});

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("an account opens by the mailed link, a forgotten password is replaced by another, and each link works once", async () => {
  const email = newAddress();
  const page = await openPage({ baseUrl: server.address });
  await page.goto("/auth", { waitUntil: "networkidle" });
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, PASSWORD);
  await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
  await page.getByText(`Your account is almost ready: open the link in the mail to ${email}`).waitFor();
  expect(await page.getByText("You can now log in").count()).toBe(0);

  await page.goto(await mailedLink(1));
  await expectNotice(page, "Email confirmed", "You are logged in.");
  await page.getByRole("button", { name: "Logout" }).waitFor();
  expect(page.url()).not.toContain("access_token");
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");

  await page.getByRole("link", { name: "Login" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText(`If ${email} has an account`).waitFor();

  const recovery = await mailedLink(2);
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
  await submit(page, "Sign In", email, "Another-word-7");
  await expectNotice(page, "Logged in successfully");
}, 90_000);

/** The link in the newest of so many mails. */
async function mailedLink(count: number): Promise<string> {
  const outbox = join(dataDir, "outbox");
  await expect.poll(() => listMails(outbox).length, { timeout: 10_000 }).toBe(count);
  const mail = readFileSync(join(outbox, listMails(outbox).at(-1) ?? ""), "utf8");
  const text = mail.replace(/=\r?\n/g, "").replace(/=3D/g, "=");
  return /https?:\/\/\S+\/auth\/v1\/verify\?[^\s"<]+/.exec(text)?.[0] ?? "no link in the mail";
}

function listMails(outbox: string): string[] {
  try {
    return readdirSync(outbox).sort();
  } catch {
    return [];
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
