import { decodeJwt } from "jose";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings, type PageOptions } from "#tests/helpers/browser.ts";
import { paint } from "#tests/helpers/screen-checks.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { visit } from "#tests/helpers/visit.ts";
import { expectNotice, submit } from "./account-page.ts";
import { addAuthenticator } from "./virtual-authenticator.ts";

const REFUSED = [/answer 4\d\d: /];
/** Passkeys are bound to a host name; the other journeys use a bare IP address. */
const namedSite = () => testSite().address.replace("127.0.0.1", "localhost");

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** A new user on /account, with a virtual authenticator. */
async function openAccount(transport: "internal" | "usb", options: PageOptions = {}) {
  const person = await signUpPerson();
  const page = await visitAs(person, "/account", { address: namedSite(), ...options });
  const authenticator = await addAuthenticator(page, { transport });
  await page.getByText("You don’t have a passkey yet.").waitFor();
  return { page, authenticator, person };
}

/** Logs out and waits for its notice, so that it is not mistaken for the next one. */
async function logOut(page: Page) {
  await press(page, "Logout");
  await expectNotice(page, "Logged out successfully");
  await page.getByRole("link", { name: "Login" }).click();
  await page.getByRole("heading", { name: "Welcome Back" }).waitFor();
}

const claimsOf = async (page: Page) => {
  const stored = await page.evaluate(() => localStorage.getItem("sb-localhost-auth-token") ?? "{}");
  return decodeJwt(JSON.parse(stored).access_token);
};

describe("a passkey", () => {
  test("is created, named, used to sign in without a password, and removed for good", async () => {
    const { page, authenticator } = await openAccount("internal", { expectedProblems: REFUSED });
    await authenticator.agree(false);
    await press(page, "Add a passkey");
    await expectNotice(page, "Error", "The request was canceled or took too long. Nothing has changed.");
    await authenticator.agree(true);
    await press(page, "Add a passkey");
    await expectNotice(page, "Passkey added", "You can sign in with it from now on.");

    const name = page.getByLabel("Name of the passkey");
    await name.fill("  ");
    await press(page, "Save name");
    await expectNotice(page, "Invalid input", "Please enter a name");
    await name.fill("Laptop");
    // axe misjudges the size of an element half covered by the navigation.
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoAxeFindings(page);
    await press(page, "Save name");
    await expectNotice(page, "Passkey renamed");
    // What had the focus is gone: its card has it.
    const focused = () => page.evaluate(() => document.activeElement?.closest("section")?.textContent);
    await expect.poll(focused).toMatch(/^Passkeys/);
    const row = page.getByRole("list", { name: "Passkeys" }).getByRole("listitem");
    expect(await row.textContent()).toMatch(/^Laptop\s*Added \w+ \d+, \d+, never used/);
    await press(page, "Add a passkey");
    await expectNotice(page, "Error", "This device already has one for your account.");

    await logOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
    await expectNoAxeFindings(page);
    await press(page, "Sign in with a passkey");
    await page.waitForURL("/");
    await expectNotice(page, "Logged in successfully");
    expect((await claimsOf(page)).amr).toMatchObject([{ method: "passkey" }]);

    await page.getByRole("link", { name: "Account" }).click();
    await expect.poll(() => row.textContent()).toMatch(/last used \w+ \d+, \d+/);
    await press(page, "Remove Laptop");
    await page.getByRole("dialog", { name: "Remove “Laptop”?" }).waitFor();
    await press(page, "Keep it");
    await press(page, "Remove Laptop");
    await press(page, "Yes, remove it");
    await expectNotice(page, "Passkey removed");
    await page.getByText("You don’t have a passkey yet.").waitFor();
    await expect.poll(focused).toMatch(/^Passkeys/);

    expect(await authenticator.count()).toBe(1);
    await logOut(page);
    await press(page, "Sign in with a passkey");
    await expectNotice(
      page,
      "Error",
      "This passkey was not accepted. It may have been removed from its account.",
    );
  });

  test("is not offered if the browser does not support them", async () => {
    const page = await visit("/auth");
    await page.getByRole("button", { name: "Forgot your password?" }).waitFor();
    await expect.poll(() => page.locator("form").count()).toBe(1);
    expect(await page.getByText("passkey").count()).toBe(0);
  });

  test("list that cannot be loaded says so and can be retried; if passkeys are disabled, there is no button", async () => {
    const headers = { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" };
    const answer = (page: Page, status: number, code: string) =>
      page.route("**/auth/v1/passkeys", (route) =>
        route.fulfill({ status, headers, body: JSON.stringify({ code, message: "no" }) }),
      );
    const page = await visitAs(await signUpPerson(), "/account", {
      address: namedSite(),
      expectedProblems: [/answer (404|500): /],
      prepare: (page) => answer(page, 500, "unexpected_failure"),
    });
    await page.getByText("Your passkeys can’t be loaded right now.").waitFor();
    await page.unroute("**/auth/v1/passkeys");
    await press(page, "Try again");
    await page.getByText("You don’t have a passkey yet.").waitFor();

    await answer(page, 404, "passkey_disabled");
    await page.reload();
    await page.getByText("Passkeys are turned off right now.").waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  });
});

describe("a security key", () => {
  test("is required after the password, alone or instead of an app, and any one key works; axe finds nothing beside a passkey, and nothing is cut off, narrow and wide, dark and light", async () => {
    const { page, person } = await openAccount("usb", { width: 320, colorScheme: "dark" });
    await press(page, "Add a passkey");
    await page
      .getByLabel("Name of the passkey")
      .fill("A phone with a name that is as long as names of phones are");
    await press(page, "Save name");
    await expectNotice(page, "Passkey renamed");
    await press(page, "Add a security key");
    await expectNotice(page, "Security key added", "You’ll be asked for it when you sign in.");
    expect((await claimsOf(page)).aal).toBe("aal2");
    await page.getByText("Add a second one and keep it somewhere else.").waitFor();
    await page.getByRole("list", { name: "Second factors" }).waitFor();
    for (const [width, scheme] of [
      [320, "dark"],
      [1280, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await paint(page, scheme);
      await page.evaluate(() => scrollTo(0, 0));
      await expectNoAxeFindings(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }

    await logOut(page);
    await submit(page, "Sign In", person.email, person.password);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    expect((await claimsOf(page)).aal).toBe("aal1");
    await expectNoAxeFindings(page);
    await press(page, "Use my security key");
    await page.waitForURL("/");
    await expectNotice(page, "Logged in successfully");
    expect(await claimsOf(page)).toMatchObject({ aal: "aal2", amr: [{ method: "mfa/webauthn" }, {}] });

    await page.getByRole("link", { name: "Account" }).click();
    await press(page, "Set up an authenticator app");
    const key = (await page.locator("code").textContent()) ?? "";
    const code = (ahead = 0) => new TOTP({ secret: key }).generate({ timestamp: Date.now() + ahead });
    await page.getByLabel("Code from your authenticator app").fill(code());
    await press(page, "Turn it on");
    await expectNotice(page, "Second factor is on", "You’ll be asked for a code when you sign in.");
    await page.getByText("If you lose one of them, sign in with another one").waitFor();

    await logOut(page);
    await submit(page, "Sign In", person.email, person.password);
    await press(page, "Use “Authenticator app” instead");
    await page.getByLabel("Code from your authenticator app").fill(code(30_000));
    await press(page, "Continue");
    await page.waitForURL("/");
    await page.getByRole("link", { name: "Account" }).click();
    await press(page, "Remove Security key");
    await press(page, "Yes, remove it");
    await expectNotice(page, "Second factor removed");
    expect(await page.getByRole("list", { name: "Second factors" }).getByRole("listitem").count()).toBe(1);
  });
});
