import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";
import { clientOf, expectNotice, newAddress, noticeVariant, PASSWORD, submit } from "./account-page.ts";
import { slots } from "./calculator-page.ts";

const TRADE = "/calculator?you=dough,kitsune.p,dough&them=tiger";
const save = (page: Page) => page.getByRole("button", { name: "Save Trade" });

async function tradesOf({ client }: SignedIn) {
  const { data } = await client.from("trade_history").select("*").order("created_at").throwOnError();
  return data;
}

const TRADES = "**/rest/v1/trade_history*";

/** A user with a trade in the calculator, and the save button. */
async function openTrade(path = TRADE, options: Parameters<typeof visitAs>[2] = {}) {
  const person = await signUpPerson();
  const page = await visitAs(person, path, options);
  await save(page).waitFor();
  return { person, page };
}

test("a trade needs both sides; one without a price is saved as one that cannot be judged, by keyboard, on a phone", async () => {
  const { page, person } = await openTrade("/calculator?you=dough", { width: 390, height: 844 });
  for (const path of ["/calculator?you=dough", "/calculator?them=dough", "/calculator"]) {
    if (path !== "/calculator?you=dough") {
      await page.goto(path);
      await alive(page);
    }
    await save(page).click();
    await expectNotice(page, "Invalid Trade", "Both sides must have at least one item");
    expect(await noticeVariant(page)).toBe("destructive");
  }
  expect(await tradesOf(person)).toEqual([]);

  await page.goto("/calculator?you=eclipse&them=dough");
  await alive(page);
  await page.getByLabel("Traded with").focus();
  await page.keyboard.press("Enter");
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toMatchObject([{ has_unpriced: true, trade_partner_email: null }]);
  await page.getByRole("link", { name: "See it in your history" }).waitFor();
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("a session that ended unnoticed refuses a trade: the slots stay, and signing in again leads back to them", async () => {
  const { page, person } = await openTrade();
  const before = await slots(page);
  await page.getByLabel("Traded with").fill("Ben");
  await page.reload();
  await expect.poll(() => page.getByLabel("Traded with").inputValue()).toBe("Ben");
  // In one task, before the page can notice that the session is gone.
  await save(page).evaluate((button: HTMLButtonElement) => {
    localStorage.clear();
    button.click();
  });
  await expectNotice(page, "Authentication Required", "Please sign in to save trade history");
  expect(await noticeVariant(page)).toBe("destructive");
  expect(await tradesOf(person)).toEqual([]);
  expect(await slots(page)).toEqual(before);
  await page.getByRole("link", { name: "Log in to keep this trade" }).click();
  await page.waitForURL("/auth");
  await submit(page, "Sign In", person.email, person.password);
  await page.waitForURL(TRADE);
  await expectNotice(page, "Logged in successfully");
  await page.getByRole("link", { name: "See it in your history" }).waitFor();
  expect(await tradesOf(person)).toMatchObject([{ trade_partner_email: "Ben" }]);
  expect(await page.getByLabel("Traded with").inputValue()).toBe("");
});

test("a page without TLS, which has no random ids of the browser, keeps a visitor's trade and saves it", async () => {
  const page = await openPage({
    baseUrl: testSite().address,
    expectedProblems: [/request failed: GET .*deferred-parts/, /Failed to load resource/],
  });
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  // Parts that may be missing.
  await page.route("**/deferred-parts*.js", (route) => route.abort());
  const person = await signUpPerson();
  await page.goto(TRADE);
  await alive(page);
  await page.getByRole("link", { name: "Log in to keep this trade" }).click();
  await submit(page, "Sign In", person.email, person.password);
  await page.getByRole("link", { name: "See it in your history" }).waitFor();
  await save(page).click();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toHaveLength(2);
});

test("a failed save says so and loses nothing; the second try works; a token that is no longer accepted ends the session", async () => {
  const { page, person } = await openTrade(TRADE, {
    expectedProblems: [
      /request failed: POST .*trade_history/,
      /answer 40[01]: POST .*trade_history/,
      // A session request sent while the session is being dropped is refused.
      /answer 403: GET .*auth\/v1\/user/,
    ],
  });
  await page.getByLabel("Traded with").fill("  Ben from school ");
  await page.route("**/rest/v1/trade_history*", (route) => route.abort("connectionfailed"));
  const before = await slots(page);
  await save(page).click();
  await expectNotice(page, "Error", "Failed to save trade");
  expect(await noticeVariant(page)).toBe("destructive");
  expect(await slots(page)).toEqual(before);
  await eventually(() => page.getByLabel("Traded with").inputValue()).toBe("  Ben from school ");
  await page.unroute("**/rest/v1/trade_history*");
  const room = "You can keep up to 5000 saved trades: delete one to save another";
  await page.route("**/rest/v1/trade_history*", (route) =>
    route.fulfill({ status: 400, json: { code: "23514", message: room } }),
  );
  await save(page).click();
  await expectNotice(page, "Error", `Failed to save trade. ${room}.`);
  await page.unroute("**/rest/v1/trade_history*");
  await save(page).click();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await noticeVariant(page)).toBe("success");
  const [trade] = await tradesOf(person);
  expect(trade).toMatchObject({
    version: 1,
    trade_partner_email: "Ben from school",
    your_total: 6_300_000_000,
    their_total: 130_000_000,
  });
  expect(trade.your_items.map(({ name, viewMode }: never) => `${name} ${viewMode}`)).toEqual([
    "Dough regular",
    "Kitsune permanent",
    "Dough regular",
  ]);

  await expect.poll(() => save(page).getAttribute("aria-disabled")).toBe("false");
  await page.route("**/rest/v1/trade_history*", (route) =>
    route.fulfill({ status: 401, json: { code: "PGRST301", message: "JWT invalid" } }),
  );
  await save(page).click();
  await expectNotice(page, "Authentication Required", "Please sign in to save trade history");
  await page.getByRole("link", { name: "Login", exact: true }).waitFor();
});

test("a trade that was saved although its answer was lost is saved once; one changed since, and the same one again after a look at the history, is another", async () => {
  const { page, person } = await openTrade(TRADE, {
    expectedProblems: [/request failed: POST .*trade_history/],
  });
  await loseAnswer(page, TRADES);
  await save(page).click();
  await expectNotice(page, "Error", "Failed to save trade");
  expect(await tradesOf(person)).toHaveLength(1);
  await save(page).click();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toHaveLength(1);

  await expect.poll(() => save(page).getAttribute("aria-disabled")).toBe("false");
  await loseAnswer(page, TRADES);
  await save(page).click();
  await expectNotice(page, "Error", "Failed to save trade");
  await page.getByLabel("Traded with").fill("Ben");
  await save(page).click();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toHaveLength(3);

  await expect.poll(() => save(page).getAttribute("aria-disabled")).toBe("false");
  await loseAnswer(page, TRADES);
  await save(page).click();
  await expectNotice(page, "Error", "Failed to save trade");
  await page.getByRole("link", { name: "History", exact: true }).first().click();
  await page.getByRole("link", { name: "Open in Calculator" }).first().waitFor();
  await eventually(() =>
    page.evaluate(() => document.documentElement.matches(":active-view-transition")),
  ).toBe(false);
  expect(await tradesOf(person)).toHaveLength(4);
  await page.goBack();
  await save(page).click();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toHaveLength(5);
});

test("a double click, fast or slow, saves once; a later click saves a second trade", async () => {
  const { page, person } = await openTrade();
  await save(page).dblclick();
  await expectNotice(page, "Success", "Trade saved to history");
  expect(await tradesOf(person)).toHaveLength(1);
  await expect.poll(() => save(page).getAttribute("aria-disabled")).toBe("false");
  const { promise: pressedTwice, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/rest/v1/trade_history*", async (route) => {
    await pressedTwice;
    await route.continue();
  });
  await save(page).click();
  await save(page).click({ force: true });
  goOn();
  await eventually(async () => (await tradesOf(person)).length).toBe(2);
  await expect.poll(() => save(page).getAttribute("aria-disabled")).toBe("false");
  expect(await tradesOf(person)).toHaveLength(2);
});

test("trades kept by a visitor move into the account created afterwards, each once, even with two tabs open", async () => {
  const keep = async (page: Page) => {
    await page.getByRole("link", { name: "Log in to keep this trade" }).click();
    await page.waitForURL("/auth");
  };
  const page = await visit(TRADE);
  await keep(page);
  await page.goBack();
  await keep(page);
  await page.goto("/calculator?you=tiger&them=dough");
  await alive(page);
  const other = await page.context().newPage();
  await other.goto("/values");
  await alive(other);
  await keep(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/rest/v1/trade_history"))
      sent.push(request.postData() ?? "");
  });
  const [email, password] = [newAddress(), PASSWORD];
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", email, password);
  await page.getByRole("button", { name: "Logout" }).waitFor();
  const client = await clientOf();
  await client.auth.signInWithPassword({ email, password });
  const saved = async () => {
    const { data } = await client.from("trade_history").select("your_items").throwOnError();
    return data.map(({ your_items }) => your_items.map(({ name }: { name: string }) => name).join()).sort();
  };
  const both = ["Dough,Kitsune,Dough", "Tiger"];
  await eventually(saved).toEqual(both);
  await eventually(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain("visitorTrade");
  expect(sent).toHaveLength(2);
  await page.goto("/history");
  await expect.poll(() => page.getByRole("list", { name: "Saved trades" }).locator("> li").count()).toBe(2);
  expect(await saved()).toEqual(both);
});

test("the button appears on sign-in in another tab and disappears on sign-out there", async () => {
  const person = await signUpPerson();
  const page = await visit("/calculator");
  expect(await save(page).count()).toBe(0);
  const other = await page.context().newPage();
  await other.goto("/auth");
  await alive(other);
  await submit(other, "Sign In", person.email, person.password);
  await save(page).waitFor();
  await other.getByRole("button", { name: "Logout" }).click();
  await save(page).waitFor({ state: "detached" });
});
