import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describedBy, expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
import { expectNotice, submit } from "./account-page.ts";
import { row, write } from "./chat-page.ts";

// Reports and appeals go to all moderators of a site, so this needs its own.
const site = ownSite();
let mia: SignedIn;
let eve: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
beforeAll(async () => {
  [eve, mia, ana, ben] = await Promise.all([
    signUpAdmin(site),
    signUpPerson(site, "moderator"),
    signUpPerson(site),
    signUpPerson(site),
  ]);
});

const open = (person: SignedIn, path: string, options = {}) =>
  visitAs(person, path, { ...options, address: site.address });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a user reports a name, a moderator removes it on a phone, its owner picks another, the reporter sees the outcome", async () => {
  const chat = await open(ben, "/chat", { width: 360, expectedProblems: [/answer 403: POST/] });
  await write(chat, "kitsune for dragon");
  await row(chat, "kitsune for dragon").waitFor();
  const community = await open(ana, `/community/${ben.username}`, { width: 360 });
  await press(community, "Report name");
  await community.getByLabel("Not for children").check();
  await expectNoAxeFindings(community);
  await press(community, "Send report");
  await expectNotice(
    community,
    "Name reported",
    "Thank you. A moderator will look at it; your account page says what became of it.",
  );
  const account = await open(ana, "/account", { width: 360 });
  await account.getByText("Not looked at yet").waitFor();

  const desk = await open(mia, "/admin", { width: 360 });
  await eventually(() => desk.getByRole("tab").allInnerTexts()).toEqual(["Moderation (1)"]);
  const card = desk.locator(`[data-case="${ben.id}"]`);
  await card.getByText(`${ana.username}: Not for children`).waitFor();
  await card.getByRole("button", { name: "New name" }).click();
  await eventually(() => desk.getByLabel("Reason").inputValue()).toBe(
    "Everything here must be fit for children.",
  );
  await press(desk, "Take the name away");
  await expectNotice(desk, "Name taken away", "They’re told why. Undo takes it back.");
  expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await write(chat, "anyone?");
  await chat.getByText("Please choose a new username", { exact: true }).waitFor();
  await chat.getByText(/Everything here must be fit for children\./).waitFor();
  await expectNoAxeFindings(chat);
  const offered = chat.getByRole("group", { name: "Names that are free" }).getByRole("button").first();
  const name = (await offered.textContent()) ?? "";
  await offered.click();
  await press(chat, "Use this name");
  await expectNotice(chat, "Username saved", `Others see you as ${name}.`);
  await chat.getByLabel("Message", { exact: true }).waitFor();
  await account.reload();
  await account.getByText("Looked at: we did something about it").waitFor();

  const own = await open(ben, "/account");
  const notices = own.getByRole("region", { name: "Notices" });
  await notices.getByText("You were asked to choose another username").waitFor();
  await notices.getByText(/^Strike until/).waitFor();
  await press(own, "This was wrong…");
  await own.getByLabel("Why was it wrong?").fill("It is the name of my boat");
  const twice = await open(ben, "/account", { expectedProblems: [/answer 409: POST/] });
  await press(twice, "This was wrong…");
  await twice.getByLabel("Why was it wrong?").fill("It was wrong");
  await press(own, "Send appeal");
  await notices.getByText("You wrote: It is the name of my boat").waitFor();
  await press(twice, "Send appeal");
  await expectNotice(
    twice,
    "You appealed already",
    "The text that was sent first counts. Another moderator will read it and answer here.",
  );
  await twice.getByText("You wrote: It is the name of my boat").waitFor();

  // The moderator who acted cannot answer the appeal.
  const refusing = await open(mia, "/admin", { expectedProblems: [/answer 403: PATCH/] });
  await refusing.getByRole("button", { name: /^Refuse/ }).click();
  await expectNotice(refusing, "Error", "You acted here yourself: another moderator answers this appeal");
  const answering = await open(eve, "/admin?tab=moderation");
  await answering.getByRole("textbox", { name: "Answer" }).fill("We looked again");
  await answering.getByRole("button", { name: /^Grant/ }).click();
  await expectNotice(answering, "Appeal granted");
  await own.reload();
  await notices.getByText("Your appeal was granted. We looked again").waitFor();
  await notices.getByText("Taken back").waitFor();
});

test("a ban ends open sessions, is explained at sign-in, and can be appealed there without a session", async () => {
  const person = await signUpPerson(site);
  const home = await open(person, "/account", { expectedProblems: [/answer 403: GET/] });
  await home.getByRole("region", { name: "Notices" }).waitFor();
  const desk = await open(mia, "/admin");
  await desk.getByLabel("Username").fill(person.username);
  await desk.getByLabel("Username").press("Enter");
  await desk.locator(`[data-case="${person.id}"]`).waitFor();
  await desk.keyboard.press("Tab");
  await desk.keyboard.press("j");
  await desk.keyboard.press("7");
  await desk.getByLabel("How long").selectOption("1 week");
  await desk.getByLabel("Why").selectOption("Scam");
  await desk.getByLabel("Reason").fill("You took fruits and ran");
  await desk.getByLabel("Reason").press("Enter");
  await expectNotice(desk, "Person suspended", "They’re told why. Undo takes it back.");
  await home.waitForURL(/\/auth/);

  const expectedProblems = [/answer 4(00|09): POST/, /request failed: POST .*appeal_ban/];
  const page = await openPage({ baseUrl: site.address, width: 360, expectedProblems });
  await page.goto("/auth");
  await alive(page);
  await submit(page, "Sign In", person.email, person.password);
  await page.waitForURL(/\/appeal\?key=/);
  await page.getByText(/^This account is suspended\. You can log in again on \w{3} \d+, \d{4}/).waitFor();
  await page.getByText("Reason: You took fruits and ran", { exact: true }).waitFor();
  await expectNotice(
    page,
    "Error",
    expect.stringMatching(/^This account is suspended until .+ UTC\. Reason: You took fruits and ran\.$/),
  );
  await expectNoAxeFindings(page);
  await page.getByLabel("Was it wrong? Say why").fill("My brother did it");
  await loseAnswer(page, "**/rpc/appeal_ban");
  await press(page, "Send appeal");
  const away = "The service can't be reached right now. Please try again in a moment.";
  await expectNotice(page, "Error", away);
  await press(page, "Send appeal");
  await expectNotice(
    page,
    "You appealed already",
    "The text that was sent first counts. Another moderator will read it and answer on this page.",
  );
  await page.getByText("You wrote: My brother did it").waitFor();
  const answering = await open(eve, "/admin?tab=moderation");
  await answering.getByRole("button", { name: /^Grant/ }).click();
  await expectNotice(answering, "Appeal granted");
  await page.reload();
  await page.getByText("The suspension is over. You can log in again.").waitFor();
  await page.goto("/auth");
  await alive(page);
  await submit(page, "Sign In", person.email, person.password);
  await expectNotice(page, "Logged in successfully");
});

test("a rating is answered, disputed and deleted", async () => {
  const rating = { rated_user_id: ana.id, rating: 1, comment: "Slow trade" };
  await ben.client.from("user_ratings").insert(rating).throwOnError();
  const page = await open(ana, `/community/${ana.username}`, {
    expectedProblems: [/answer 400: POST .*answer_rating/, /request failed: POST .*answer_rating/],
  });
  await page.getByText("Slow trade").waitFor();
  await page.getByRole("button", { name: /^Answer/ }).click();
  const answer = page.getByRole("textbox", { name: "Answer" });
  await answer.fill("see www.example.org");
  await press(page, "Publish answer");
  await eventually(() => describedBy(answer)).toMatch(/^Links are not allowed here/);
  await answer.fill("I was away");
  await page.route("**/rpc/answer_rating", (route) => route.abort("connectionfailed"), { times: 1 });
  await press(page, "Publish answer");
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  await press(page, "Publish answer");
  await expectNotice(page, "Answer published");
  await page.locator(".rating-answer", { hasText: "I was away" }).waitFor();
  await page.getByRole("button", { name: /^Dispute/ }).click();
  await page.getByLabel("Something else").check();
  await press(page, "Send report");
  await eventually(
    async () => (await ana.client.from("reports").select("evidence").eq("kind", "rating")).data,
  ).toEqual([{ evidence: "1 of 5 stars: Slow trade" }]);
  // An answer taken back cannot be replaced.
  await press(page, "Take back my answer");
  await page.getByText("you can’t answer this rating again").waitFor();
  await press(page, "Take it back");
  await expectNotice(page, "Answer taken back");
  await page.locator(".rating-answer").waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: /^Answer/ }).count()).toBe(0);
  const giver = await open(ben, `/community/${ana.username}`);
  await giver.getByRole("button", { name: /^Rate Trader/ }).click();
  await press(giver, "Delete my rating");
  await expectNotice(giver, "Rating deleted");
  await giver.getByText("No ratings yet.", { exact: true }).first().waitFor();
});

test("a user whose texts are refused repeatedly is reported to the moderators, not one who makes mistakes", async () => {
  const person = await signUpPerson(site);
  for (const message of ["call me 0170 1234567", " "]) {
    for (let times = 0; times < 5; times += 1) {
      const { error } = await person.client.from("chat_messages").insert({ message });
      expect(error?.code).toBe("23514");
    }
  }
  const desk = await open(mia, "/admin");
  const card = desk.locator(`[data-case="${person.id}"]`);
  await card.getByText("Texts that were refused today").waitFor();
  expect(await card.locator("blockquote").textContent()).toBe("5 × Phone numbers are not allowed here");
});

test("moderation actions are published by month, also without scripts", async () => {
  const page = await openPage({
    baseUrl: site.address,
    width: 360,
    javaScript: false,
    expectedProblems: [/^request failed: GET \S+\.js csp$/],
  });
  await page.goto("/safety");
  expect(await page.getByRole("row").count()).toBe(13);
  expect(await page.getByRole("row").nth(1).textContent()).toMatch(/fewer than 5/);
});
