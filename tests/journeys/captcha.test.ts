import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { anonymousClient } from "#tests/helpers/sign-up.ts";
import { visitAs } from "#tests/helpers/signed-in.ts";
import { expectNotice, newAddress, PASSWORD, submit } from "./account-page.ts";

const SCRIPT = "https://challenges.cloudflare.com/**";

/** The captcha provider's server: accepts each token that its script issued once. */
const spent: string[] = [];
const maker = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const token = new URLSearchParams(body).get("response") ?? "";
  const success = token.startsWith("solved") && !spent.includes(token);
  spent.push(token);
  response.end(JSON.stringify({ success, "error-codes": success ? [] : ["timeout-or-duplicate"] }));
});
await once(maker.listen(0, "127.0.0.1"), "listening");
afterAll(() => void maker.close());

const site = ownSite({
  GOTRUE_SECURITY_CAPTCHA_ENABLED: "true",
  GOTRUE_SECURITY_CAPTCHA_PROVIDER: "turnstile",
  GOTRUE_SECURITY_CAPTCHA_SECRET: "between us",
  GOTRUE_SECURITY_CAPTCHA_VERIFY_URL: `http://127.0.0.1:${(maker.address() as AddressInfo).port}/`,
  CAPTCHA_SITE_KEY: "site-key",
});

/** A fake widget: a button solves it, and `reset` starts over. */
const FAKE_SCRIPT = `
  let solved = 0;
  const boxes = {};
  window.turnstile = {
    render(box, options) {
      const id = "w" + Object.keys(boxes).length;
      const button = document.createElement("button");
      button.type = "button";
      const begin = () => { button.textContent = "I am human"; };
      button.onclick = () => {
        button.textContent = "Solved";
        options.callback("solved " + options.sitekey + " " + Math.random() + ++solved);
      };
      begin();
      box.append(button);
      boxes[id] = { begin, button };
      return id;
    },
    reset: (id) => boxes[id].begin(),
    remove: (id) => boxes[id].button.remove(),
  };
  window.captchaIsThere();
`;

const solve = (page: Page) => page.getByRole("button", { name: "I am human" }).click();

test("deleting an account by password asks for the captcha, too", async () => {
  const { address } = site;
  const account = { email: newAddress(), password: PASSWORD };
  const client = await anonymousClient(site);
  const captchaToken = `solved ${crypto.randomUUID()}`;
  const made = await client.auth.signUp({ ...account, options: { captchaToken } });
  await runOn(
    site.databaseUrl,
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '1 hour'
     where session_id in (select id from auth.sessions where user_id = '${made.data.user?.id}')`,
  );
  const { session } = (await client.auth.refreshSession()).data;
  if (!session) throw new Error("there is no session");
  const page = await visitAs({ session }, "/account", {
    address,
    expectedProblems: [/answer 40[13]: /],
    prepare: (page) =>
      page.route(SCRIPT, (route) => route.fulfill({ contentType: "text/javascript", body: FAKE_SCRIPT })),
  });
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await solve(page);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.waitForURL("/");
});

test("a captcha that fails to load says so, and what to do; forms wait for it, send its token, and reset it after each answer", async () => {
  const page = await openPage({
    baseUrl: site.address,
    expectedProblems: [/challenges\.cloudflare\.com/, /answer 4\d\d: /],
  });
  await page.clock.install();
  let isBlocked = true;
  await page.route(SCRIPT, (route) =>
    isBlocked ? route.abort() : route.fulfill({ contentType: "text/javascript", body: FAKE_SCRIPT }),
  );
  await page.goto("/auth");
  await page.getByText("The captcha can’t be loaded, and signing in needs it.").waitFor();
  await expectNoAxeFindings(page);
  isBlocked = false;
  await page.getByRole("button", { name: "Try again" }).click();
  const email = newAddress();
  await page.getByRole("button", { name: "I am human" }).waitFor();
  // As long as a script may take: the first attempt, given up already, does not end the second one.
  await page.clock.fastForward(16_000);
  await submit(page, "Sign In", email, PASSWORD);
  await page.getByText("Please solve the captcha below first.").first().waitFor();
  await expectNoAxeFindings(page);
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await solve(page);
  await submit(page, "Sign Up", email, PASSWORD);
  await page.waitForURL("/");
  expect(spent.at(-1)).toMatch(/^solved site-key /);
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");

  await page.getByRole("link", { name: "Login" }).click();
  await solve(page);
  await submit(page, "Sign In", email, "not the password 1!");
  await page.getByText("Invalid login credentials").first().waitFor();
  await page.getByRole("button", { name: "I am human" }).waitFor();
  await solve(page);
  await submit(page, "Sign In", email, PASSWORD);
  await page.waitForURL("/");
});
