import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
import { enterChat } from "./chat-page.ts";

// A part of a page that cannot be read says so, and its button reads it again.

const FAILED = { expectedProblems: [/answer 503: /] };

/** Lets requests to these addresses fail until the returned function is called. */
async function failing(page: Page, address: string | RegExp): Promise<() => Promise<void>> {
  await page.route(address, (route) => route.fulfill({ status: 503, json: { message: "Overloaded" } }));
  return () => page.unroute(address);
}

const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" });

test("the notice of a suspension", async () => {
  const page = await openPage({ baseUrl: testSite().address, ...FAILED });
  const recover = await failing(page, "**/rest/v1/rpc/show_ban");
  await page.goto(`/appeal?key=${crypto.randomUUID()}`);
  await alive(page);
  await page.getByRole("alert").getByText("This can’t be loaded right now.").waitFor();
  const asked = page.waitForResponse("**/rest/v1/rpc/show_ban");
  await tryAgain(page).press("Enter");
  await asked;
  await tryAgain(page).waitFor();
  expect(await tryAgain(page).evaluate((button) => button === document.activeElement)).toBe(true);
  await recover();
  await page.keyboard.press("Enter");
  await page.getByText("This link doesn’t belong to a suspension.").waitFor();
});

test("a parent's page, which keeps its link", async () => {
  const key = "ab".repeat(32);
  // Nobody's, in the end.
  const expectedProblems = [/answer 503: /, /answer 404: POST \S+show_to_parent/];
  const page = await openPage({ baseUrl: testSite().address, expectedProblems });
  const recover = await failing(page, "**/rest/v1/rpc/show_to_parent");
  await page.goto(`/parents/consent#key=${key}`);
  await alive(page);
  await page.getByRole("alert").getByText("This page can’t be loaded right now.").waitFor();
  await recover();
  const asked = page.waitForRequest("**/rest/v1/rpc/show_to_parent");
  await tryAgain(page).click();
  expect((await asked).postDataJSON()).toEqual({ key });
});

test("the phrases of quick talk, and the items for their gaps", async () => {
  const items = /\/rest\/v1\/items\?/;
  // From the start: with a trade among the messages, the page reads the items at once.
  const prepare = (page: Page) => failing(page, items);
  const { page } = await enterChat({ ...FAILED, prepare });
  const recoverPhrases = await failing(page, "**/rest/v1/quick_phrases?*");
  await page.getByRole("button", { name: "Quick talk" }).click();
  await page.getByRole("alert").getByText("The phrases can’t be loaded right now.").waitFor();
  await recoverPhrases();
  await tryAgain(page).click();
  await page.getByRole("button", { name: "Trading … for …" }).click();
  await page.getByRole("alert").getByText("The items can’t be loaded right now.").waitFor();
  await page.unroute(items);
  await tryAgain(page).click();
  await page.getByRole("button", { name: "Kitsune", exact: true }).click();
  await page.getByText("Trading Kitsune for …").waitFor();
});

test("what a user has to answer before talking to others", async () => {
  const person = await signUpPerson();
  await runOn(testSite().databaseUrl, `delete from age_bands where user_id = '${person.id}'`);
  const page = await visitAs(person, "/chat", { expectedProblems: [/answer 503: /, /answer 40[13]: /] });
  const recover = await failing(page, "**/rest/v1/rpc/show_own_standing");
  await page.getByLabel("Message", { exact: true }).fill("hello");
  await page.getByLabel("Message", { exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  await dialog.getByText("This can’t be loaded right now.").waitFor();
  await recover();
  await tryAgain(page).click();
  await dialog.getByLabel("18 or older").waitFor();
});

test("a refused live connection of an open page, by itself", async () => {
  const page = await openPage({ baseUrl: testSite().address, expectedProblems: [/answer 502: /, /live/] });
  await page.clock.install();
  let answers = 0;
  await page.route("**/live?*", (route) => {
    answers += 1;
    return answers === 1 ? route.fulfill({ status: 502 }) : route.abort();
  });
  await page.goto("/values");
  await alive(page);
  await page.clock.runFor(6_000);
  await eventually(() => answers).toBe(1);
  await eventually(async () => {
    await page.clock.runFor(5_000);
    return answers;
  }).toBeGreaterThan(1);
});
