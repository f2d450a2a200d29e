import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { type Counterpart, openCounterpart } from "#tests/helpers/auth/provider-counterpart.ts";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { endSessionIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import type { TestSite } from "#tests/helpers/site-setup.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice, PASSWORD, submit } from "./account-page.ts";

type Text = { user: { phone: string }; sms: { otp: string; sms_type: string; phone: string } };

/** The text messages that the site sent. */
const texts: Text[] = [];
const hook = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  texts.push(JSON.parse(body));
  response.end();
});

const site: TestSite = { address: "", databaseUrl: "" };
let server: ServerProcess;
let discord: Counterpart;
const dataDir = readyDataDir();

beforeAll(async () => {
  await once(hook.listen(0, "127.0.0.1"), "listening");
  const port = await freePort();
  const redirectUri = `http://localhost:${port}/auth/v1/callback`;
  discord = await openCounterpart(redirectUri);
  const settings = (name: string, more: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries({
        ENABLED: "true",
        CLIENT_ID: discord.clientId,
        SECRET: discord.secret,
        URL: discord.url,
        ...more,
      }).map(([key, value]) => [`GOTRUE_EXTERNAL_${name}_${key}`, value]),
    );
  server = await startServer({
    env: {
      DATA_DIR: dataDir,
      PORT: String(port),
      ...settings("DISCORD"),
      ...settings("ROBLOX", { EMAIL_OPTIONAL: "true" }),
      SMS_HOOK_URL: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
      SMS_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    },
  });
  site.address = server.address;
  site.databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  await makeNewUsersAdults(site.databaseUrl);
});
afterAll(async () => {
  await server?.stop();
  await discord?.close();
  hook.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const origin = () => server.address.replace("127.0.0.1", "localhost");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function open(path: string, expectedProblems: RegExp[] = []): Promise<Page> {
  return visit(path, { baseUrl: origin(), width: 360, expectedProblems });
}

/** Each code works once, so a second one is taken from the next time step. */
async function typeCode(page: Page, secret: string, button: string, secondsAhead = 0) {
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() + secondsAhead * 1000 });
  await page.getByLabel("Code from your authenticator app").fill(code);
  await press(page, button);
}

test("a young player signs in with Discord, renames the account, unlinks Discord, and can sign in again", async () => {
  discord.person = { sub: "80001", email: "anna@example.org", email_verified: true, name: "Anna Real" };
  const page = await open("/auth");
  const offered = page.getByRole("button", { name: /^Continue with/ });
  expect(await offered.allInnerTexts()).toEqual(["Continue with Roblox", "Continue with Discord"]);
  await expectNoAxeFindings(page);

  // First visit: signed in, under a generated name.
  await press(page, "Continue with Discord");
  await page.waitForURL(`${origin()}/`);
  await expectNotice(page, "Logged in successfully");
  await page.goto("/account");
  const username = page.getByLabel("Username");
  expect(await username.inputValue()).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d+$/);
  expect(await page.content()).not.toContain("Anna Real");

  // Renamed.
  await username.fill("LuckyOtter77");
  await press(page, "Save username");
  await expectNotice(page, "Username saved", "Others see you as LuckyOtter77.");

  // Discord is still the only sign-in method.
  const linked = page.getByRole("region", { name: "Linked accounts" });
  await linked.getByText("It is your only way in.", { exact: false }).waitFor();
  expect(await linked.getByRole("button", { name: /Remove/ }).count()).toBe(0);
  await page.getByLabel("New password").fill(PASSWORD);
  await press(page, "Change password");
  await expectNotice(page, "Password changed", "You’re signed out everywhere else.");

  // A second factor.
  await press(page, "Set up an authenticator app");
  const secret = (await page.locator("code").textContent()) ?? "";
  await typeCode(page, secret, "Turn it on");
  await expectNotice(page, "Second factor is on", "You’ll be asked for a code when you sign in.");

  // Unlinked.
  await linked.getByRole("button", { name: "Remove Discord" }).click();
  await press(page, "Yes, remove it");
  await expectNotice(page, "Discord is no longer linked");
  await linked.getByText("No other account is linked.").waitFor();
  await linked.getByRole("button", { name: "Link Discord" }).waitFor();
  await expectNoAxeFindings(page);

  // Signed out everywhere, and back in without Discord.
  await press(page, "Log out everywhere");
  await page.waitForURL(`${origin()}/`);
  await page.goto("/auth");
  await submit(page, "Sign In", "anna@example.org", PASSWORD);
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await typeCode(page, secret, "Continue", 30);
  await page.waitForURL(`${origin()}/`);
  await page.goto("/account");
  await eventually(() => page.getByLabel("Username").inputValue()).toBe("LuckyOtter77");
});

test("a user who cancels at the provider is told that nothing happened; a player without an address and a password deletes the account after signing in at the provider again", async () => {
  discord.person = null;
  const page = await open("/auth", [/answer 403: /]);
  await press(page, "Continue with Discord");
  const why = page.getByRole("alert");
  await why.getByText("You didn’t finish signing in there. Try again, or choose another way.").waitFor();
  await expectNoAxeFindings(page);

  discord.person = { sub: "80006", name: "Eli Real" };
  await press(page, "Continue with Roblox");
  await page.waitForURL(`${origin()}/`);
  await runOn(site.databaseUrl, "update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'");
  await endSessionIn(page, 0);
  await page.goto("/account");
  await press(page, "Delete my account");
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  expect(await page.getByRole("dialog").getByLabel("Your password").count()).toBe(0);
  await press(page, "Delete for good");
  await page.getByRole("heading", { name: "Is it really you?" }).waitFor();
  await expectNoAxeFindings(page);
  await press(page, "Sign in again with Roblox");
  await expectNotice(page, "Logged in successfully");
  await press(page, "Delete my account");
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await press(page, "Delete for good");
  await expectNotice(page, "Account deleted", "Your account and its data are gone.");
});

test("a player without an email address links a second account, and can then unlink the first", async () => {
  discord.person = { sub: "80003", name: "Cleo Real" };
  const page = await open("/auth");
  await press(page, "Continue with Roblox");
  await page.waitForURL(`${origin()}/`);
  await page.goto("/account");
  const linked = page.getByRole("region", { name: "Linked accounts" });
  discord.person = { sub: "80004", email: "cleo@example.org", email_verified: true, name: "Cleo Real" };
  await linked.getByRole("button", { name: "Link Discord" }).click();
  await expectNotice(page, "Account linked", "You can sign in with it from now on.");
  await linked.getByRole("button", { name: "Remove Roblox" }).click();
  await press(page, "Yes, remove it");
  await expectNotice(page, "Roblox is no longer linked");
  // A provider account linked to another user cannot be taken over.
  await press(page, "Log out here");
  await page.waitForURL(`${origin()}/`);
  discord.person = { sub: "80005", name: "Dan" };
  await page.goto("/auth");
  await press(page, "Continue with Roblox");
  await page.waitForURL(`${origin()}/`);
  await page.goto("/account");
  discord.person = { sub: "80004", email: "cleo@example.org", email_verified: true, name: "Cleo Real" };
  await linked.getByRole("button", { name: "Link Discord" }).click();
  await linked.getByText("That account is already linked, to this account or another one.").waitFor();
});

/** A user whose only second factor is a phone, signed in with both. */
async function joinWithPhone(phone: string) {
  const person = await signUpPerson(site);
  const { mfa } = person.client.auth;
  const enrolled = await mfa.enroll({ factorType: "phone", phone: `+${phone}`, friendlyName: "Phone" });
  const factorId = enrolled.data?.id ?? "";
  const { data: challenge } = await mfa.challenge({ factorId, channel: "sms" });
  const first = texts.at(-1)?.sms.otp ?? "";
  const verified = await mfa.verify({ factorId, challengeId: challenge?.id ?? "", code: first });
  expect(verified.error).toBe(null);
  const { data } = await person.client.auth.getSession();
  return { person: { ...person, session: data.session ?? person.session }, first };
}

test("a code sent to the phone is required after the password, and no code is in the log", async () => {
  const { person, first } = await joinWithPhone("15550177");

  const page = await visit("/auth", {
    baseUrl: site.address,
    width: 390,
    expectedProblems: [/answer 422: /],
  });
  await submit(page, "Sign In", person.email, person.password);
  // Clears the rate limit, as if a minute had passed since the last text.
  await runOn(site.databaseUrl, "delete from backend.rate_limits where key like 'accountFactorSms:%'");
  await press(page, "Send me a code");
  const field = page.getByLabel("Code from the text message");
  await field.fill(first);
  await press(page, "Continue");
  await expectNotice(page, "Error", "Invalid MFA Phone code entered");
  await expectNoAxeFindings(page);
  const { otp, ...how } = texts.at(-1)?.sms ?? { otp: "" };
  expect(how).toEqual({ sms_type: "mfa", phone: "15550177" });
  await field.fill(otp);
  await press(page, "Continue");
  await page.waitForURL("/");
  await expectNotice(page, "Logged in successfully");
  for (const secret of [first, otp, "15550177"]) expect(server.output()).not.toContain(secret);
});

test("on the account page an old session reauthenticates with a code sent to the phone", async () => {
  const { person, first } = await joinWithPhone("15550178");
  await runOn(
    site.databaseUrl,
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '11 min';
     delete from backend.rate_limits where key like 'accountFactorSms:%'`,
  );
  const page = await visitAs(person, "/account", {
    address: site.address,
    width: 390,
    expectedProblems: [/answer 4\d\d: /],
  });
  await page.getByLabel("New email").fill("next@example.org");
  await press(page, "Change email");
  await page.getByRole("heading", { name: "Is it really you?" }).waitFor();
  await expectNoAxeFindings(page);
  const field = page.getByLabel("Code from the text message");
  await field.fill(first);
  await press(page, "Continue");
  await expectNotice(page, "Error", "Please ask for a code first.");
  await press(page, "Send me a code");
  await page.getByRole("button", { name: "Send another code" }).waitFor();
  await field.fill(texts.at(-1)?.sms.otp ?? "");
  await press(page, "Continue");
  await expectNotice(page, "Email changed");
  await page.getByText("Now: next@example.org").waitFor();
});
