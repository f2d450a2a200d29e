import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as openid from "openid-client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectNoAxeFindings, openPage, type PageOptions } from "#tests/helpers/browser.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { alive } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";

const site = ownSite({
  // The service's issuer URL includes the port.
  PORT: String(await freePort()),
  GOTRUE_OAUTH_SERVER_ENABLED: "true",
  GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: "true",
});
/** The service's own URL on a machine without a public address. */
const origin = () => site.address.replace("127.0.0.1", "localhost");

/** The application: a program on the user's machine that waits for the browser's callback. */
let listener: Server;
let callback: string;
let config: openid.Configuration;

beforeAll(async () => {
  listener = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<link rel=icon href=data:,><p>Thank you");
  }).listen(0);
  callback = `http://localhost:${(listener.address() as AddressInfo).port}/cb`;
  config = await openid.dynamicClientRegistration(
    new URL(`${origin()}/auth/v1`),
    { client_name: "Trade Helper", redirect_uris: [callback], token_endpoint_auth_method: "none" },
    openid.None(),
    { execute: [openid.allowInsecureRequests] },
  );
});
afterAll(() => void listener.close());

async function request(wishes: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "openid email",
    state: "theirs",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...wishes,
  });
  const exchange = (page: Page) =>
    openid.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier: verifier,
      expectedState: "theirs",
      idTokenExpected: true,
    });
  return { address: url.href, exchange };
}

/** A new user whose browser an application sent here. */
async function beAsked(options: PageOptions = {}) {
  const person = await signUpPerson(site);
  const { address, exchange } = await request();
  const page = await visitAs(person, address, { address: origin(), ...options });
  await page.getByText("asks to act for you").waitFor();
  return { person, page, exchange };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("an application that requests access", () => {
  test("is shown with its permissions, acts for the user who approves it, and is revoked on /account", async () => {
    const { person, page, exchange } = await beAsked({ expectedProblems: [/answer 40\d: /] });
    const asked = page.getByRole("region", { name: "Give an Application Access" });
    await expect(asked.textContent()).resolves.toMatch(
      new RegExp(
        `Trade Helper asks to act for you.*a program on this device.*your email address, ${person.email}`,
        "s",
      ),
    );
    await expectNoAxeFindings(page);
    await press(page, "Allow");
    await page.getByText("Thank you").waitFor();
    const tokens = await exchange(page);
    expect(tokens.claims()).toMatchObject({ sub: person.id, email: person.email });
    expect(await openid.fetchUserInfo(config, tokens.access_token, person.id)).toMatchObject({
      sub: person.id,
    });

    await page.goto(`${origin()}/account`);
    await alive(page);
    const row = page.getByRole("list", { name: "Applications" }).getByRole("listitem");
    expect(await row.textContent()).toMatch(/^Trade Helper\s*Since \w+ \d+, \d+; knows your email address/);
    await row.getByRole("button", { name: "Remove Trade Helper" }).click();
    await press(page, "Yes, remove it");
    await expectNotice(page, "Application removed");
    await page.getByText("You haven’t given any application access.").waitFor();
    await expect(openid.fetchUserInfo(config, tokens.access_token, person.id)).rejects.toThrow();
  });

  test("is told that it was refused, also from a small dark screen, and cannot be answered again", async () => {
    const { page, exchange } = await beAsked({
      width: 360,
      colorScheme: "dark",
      expectedProblems: [/answer 400: /],
    });
    const asked = page.url();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expectNoAxeFindings(page);
    const tab = await page.context().newPage();
    await tab.goto(asked);
    await tab.getByText("asks to act for you").waitFor();
    await press(page, "Don’t allow");
    await page.getByText("Thank you").waitFor();
    await press(tab, "Allow");
    const answered = "This request was already answered. Go back to the application.";
    await expectNotice(tab, "Error", `${answered} If it doesn’t know you yet, start again there.`);
    await expect(exchange(page)).rejects.toMatchObject({ error: "access_denied" });
    await page.goto(asked);
    await page.getByRole("alert").getByText("This request was already answered").waitFor();
  });

  test("waits until the user has signed in", async () => {
    const { email, password } = await signUpPerson(site);
    const { address, exchange } = await request();
    const page = await openPage({ baseUrl: origin() });
    await page.goto(address);
    await expectNotice(page, "Authentication Required", "Please log in to answer the application");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press(page, "Sign In");
    await press(page, "Allow");
    await page.getByText("Thank you").waitFor();
    expect((await exchange(page)).access_token).toBeTruthy();
  });
});

test("an invalid request says so, does not redirect to an unregistered address, and the page cannot be framed", async () => {
  const { headers } = await fetch(`${site.address}/oauth/consent`);
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const person = await signUpPerson(site);
  const unclear = "a request that we don’t understand";
  const page = await visitAs(person, "/oauth/consent", {
    address: origin(),
    expectedProblems: [/answer 404: /],
  });
  await page.getByRole("alert").getByText(unclear).waitFor();
  await expectNoAxeFindings(page);
  await page.goto("/oauth/consent?authorization_id=made-up");
  await page.getByRole("alert").getByText("This request has expired").waitFor();
  await page.goto((await request({ redirect_uri: "https://evil.example/" })).address);
  await page.getByRole("alert").getByText(unclear).waitFor();
  expect(new URL(page.url()).origin).toBe(origin());
});
