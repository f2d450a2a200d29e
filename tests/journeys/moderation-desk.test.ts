import type { APIResponse, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describedBy, expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";
import { expectNotice, submit } from "./account-page.ts";
import { holdWrites } from "./admin-items-page.ts";
import { row, runSql, write } from "./chat-page.ts";

// All open cases are on every moderator's desk.
const site = ownSite();
let mia: SignedIn;
let max: SignedIn;
let eve: SignedIn;
let ana: SignedIn;
let cem: SignedIn;
beforeAll(async () => {
  [mia, max, eve, ana, cem] = await Promise.all([
    signUpPerson(site, "moderator"),
    signUpPerson(site, "moderator"),
    signUpAdmin(site),
    signUpPerson(site),
    signUpPerson(site),
  ]);
});

const openDesk = (person: SignedIn, expectedProblems: RegExp[] = []) =>
  visitAs(person, "/admin", { address: site.address, expectedProblems });
const open = (person: SignedIn, path: string, options = {}) =>
  visitAs(person, path, { ...options, address: site.address });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const caseOf = (page: Page, { id }: SignedIn) => page.locator(`[data-case="${id}"]`);
const isFocused = (desk: Page, person: SignedIn) =>
  eventually(() => caseOf(desk, person).evaluate((card) => card === document.activeElement)).toBe(true);
const handledMeanwhile = "This case was handled in the meantime";

/** Has Ana report the name of somebody new. */
async function reported(code = "insult"): Promise<SignedIn> {
  const person = await signUpPerson(site);
  await ana.client.from("reports").insert({ kind: "name", code, subject_id: person.id }).throwOnError();
  return person;
}

const dismissAll = () =>
  runSql("update reports set resolved_at = now() where resolved_at is null", site.databaseUrl);

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

test("of two moderators who act on one case at once the second one learns why nothing was done, also on a desk that has not learned of it; a note is deleted by whoever wrote it", async () => {
  const [ben, leo, tom] = [await reported(), await reported(), await reported()];
  await mia.client.from("case_notes").insert({ user_id: leo.id, note: "Meant somebody else" }).throwOnError();
  const desks = await Promise.all([openDesk(mia), openDesk(max, [/answer 409: POST/])]);
  for (const desk of desks) {
    await caseOf(desk, ben).getByRole("button", { name: "Silence" }).click();
    await desk.getByRole("dialog").getByLabel("How long").waitFor();
  }
  const [own, other] = desks;
  const send = (desk: Page) => desk.getByRole("dialog").getByRole("button", { name: "Silence" }).click();
  await send(own);
  await expectNotice(own, "Person silenced", "They’re told why. Undo takes it back.");
  await send(other);
  await expectNotice(other, "Error", handledMeanwhile);
  expect(await runSql("select kind from sanctions", site.databaseUrl)).toEqual([{ kind: "silence" }]);
  await other.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

  for (const desk of desks) await caseOf(desk, leo).getByText("Meant somebody else").waitFor();
  const remove = (desk: Page) => caseOf(desk, leo).getByRole("button", { name: "Delete this note" });
  expect(await remove(other).count()).toBe(0);
  await remove(own).click();
  await expectNotice(own, "Note deleted");
  for (const desk of desks)
    await caseOf(desk, leo).getByText("Meant somebody else").waitFor({ state: "detached" });

  // This desk does not learn of it in time: it goes on reading what it read first.
  const firsts = new Map<string, Promise<APIResponse>>();
  await other.route(/\/rest\/v1\/reports\?/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const first = firsts.get(route.request().url()) ?? route.fetch();
    firsts.set(route.request().url(), first);
    return route.fulfill({ response: await first });
  });
  await other.reload();
  await caseOf(other, tom).waitFor();
  await mia.client
    .from("sanctions")
    .insert({ user_id: tom.id, kind: "rename", code: "insult", reason: "x" })
    .throwOnError();
  await caseOf(other, tom).getByRole("button", { name: "Dismiss" }).click();
  await expectNotice(other, "Error", expect.stringMatching(/^Nothing was done/));
  const by = `select resolved_by, outcome from reports where reported_user_id = '${tom.id}'`;
  expect(await runSql(by, site.databaseUrl)).toEqual([{ resolved_by: mia.id, outcome: "acted" }]);
});

test("a late answer closes no other dialog, what was typed and not sent is there again, also after a reload, and of somebody who deletes the account meanwhile the desk says so", async () => {
  await dismissAll();
  const [ben, leo, tom] = [await reported(), await reported(), await reported()];
  const desk = await openDesk(mia, [/answer 409: POST/]);
  const noteAbout = async (person: SignedIn) => {
    await caseOf(desk, person).getByRole("button", { name: "Note", exact: true }).click();
    return desk.getByRole("dialog", { name: `Note about ${person.username}` }).getByLabel("Note");
  };
  const kept = () =>
    desk.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed:")));
  const { arrived, release } = await holdWrites(desk, "**/rest/v1/case_notes*");
  const first = await noteAbout(ben);
  await first.fill("Warned before");
  await desk.getByRole("button", { name: "Keep note" }).click();
  await arrived;
  await desk.keyboard.press("Escape");
  const second = await noteAbout(leo);
  await second.fill("Ask a colleague");
  release();
  await caseOf(desk, ben).getByText("Warned before").waitFor();
  await eventually(() => second.inputValue()).toBe("Ask a colleague");
  await desk.keyboard.press("Escape");
  await second.waitFor({ state: "detached" });
  const third = await noteAbout(leo);
  await eventually(() => third.inputValue()).toBe("Ask a colleague");
  // The next moderator in this tab does not get it.
  const note = `typed:note ${leo.id} by ${mia.id}`;
  expect(await kept()).toContain(note);
  await desk.keyboard.press("Escape");
  await second.waitFor({ state: "detached" });
  expect(await (await noteAbout(ben)).inputValue()).toBe("");
  await desk.keyboard.press("Escape");

  const dialog = desk.getByRole("dialog");
  const reason = dialog.getByLabel("Reason");
  await dialog.waitFor({ state: "detached" });
  const begin = () => caseOf(desk, ben).getByRole("button", { name: "Silence" }).click();
  await begin();
  expect(await reason.inputValue()).toBe("Please be kind to others.");
  await reason.fill("You called Ana a thief");
  await desk.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await begin();
  expect(await reason.inputValue()).toBe("You called Ana a thief");
  await desk.reload();
  await begin();
  expect(await reason.inputValue()).toBe("You called Ana a thief");
  const silence = `typed:silence ${ben.id} by ${mia.id}`;
  expect(await kept()).toContain(silence);
  await dialog.getByRole("button", { name: "Silence" }).click();
  await expectNotice(desk, "Person silenced", "They’re told why. Undo takes it back.");
  expect(await kept()).not.toContain(silence);

  await caseOf(desk, tom).getByRole("button", { name: "Suspend" }).click();
  await reason.waitFor();
  await runSql(`delete from auth.users where id = '${tom.id}'`, site.databaseUrl);
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expectNotice(desk, "Error", "Nothing was saved: this account was deleted in the meantime.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await caseOf(desk, tom).waitFor({ state: "detached" });
});

test("the answer to an appeal has a limit, survives a reload, and takes no typing while it is sent; a silence that ends while the desk is open is no longer shown", async () => {
  const [ben, leo] = [await signUpPerson(site), await signUpPerson(site)];
  const sanction = { user_id: ben.id, kind: "rename", code: "insult", reason: "x" };
  const { data } = await mia.client.from("sanctions").insert(sanction).select("id").single().throwOnError();
  await ben.client.from("appeals").insert({ sanction_id: data.id, message: "Let me keep it" }).throwOnError();
  await runSql(
    `insert into sanctions (user_id, kind, code, reason, until)
     values ('${leo.id}', 'silence', 'spam', 'x', now() + interval '1 hour')`,
    site.databaseUrl,
  );
  const desk = await openDesk(max);
  const appeal = desk.getByRole("listitem").filter({ hasText: "Let me keep it" });
  const answer = appeal.getByLabel("Answer");
  const refuse = appeal.getByRole("button", { name: "Refuse" });
  await answer.fill("x".repeat(501));
  await appeal.getByText("501/500").waitFor();
  expect(await refuse.isDisabled()).toBe(true);
  await answer.fill("No");
  await desk.reload();
  await eventually(() => answer.inputValue()).toBe("No");
  const { arrived, release } = await holdWrites(desk, "**/rest/v1/appeals?*");
  await refuse.click();
  await arrived;
  expect(await answer.isEditable()).toBe(false);
  release();
  await expectNotice(desk, "Appeal refused");

  await desk.getByLabel("Username").fill(leo.username);
  await desk.getByLabel("Username").press("Enter");
  const badge = caseOf(desk, leo).locator(".badge", { hasText: "Silenced" });
  await badge.waitFor();
  const silence = desk.getByRole("region", { name: "Silenced People" }).getByText(leo.username);
  await silence.waitFor();
  const soon = "set until = now() + interval '3 seconds' where user_id";
  await runSql(
    `update chat_silences ${soon} = '${leo.id}'; update sanctions ${soon} = '${leo.id}'`,
    site.databaseUrl,
  );
  await badge.waitFor({ state: "detached" });
  await silence.waitFor({ state: "detached" });
});

test("what was done can be taken back after a reload, which also settles the appeal against it", async () => {
  const ben = await reported();
  const desk = await openDesk(mia);
  await caseOf(desk, ben).getByRole("button", { name: "New name" }).click();
  await desk.getByRole("dialog").getByRole("button", { name: "Take the name away" }).click();
  await desk.getByRole("dialog").waitFor({ state: "hidden" });
  const { data } = await ben.client.from("sanctions").select("id").single().throwOnError();
  await ben.client.from("appeals").insert({ sanction_id: data.id, message: "It is my boat" }).throwOnError();
  await desk.reload();
  const appeal = desk.getByText("It is my boat");
  await appeal.waitFor();
  await desk.getByText(/appeals against: Asked for a new name: Insult\. “Please be kind/).waitFor();
  await desk.getByText("Handled", { exact: true }).click();
  await caseOf(desk, ben).getByText("1 earlier act").click();
  await caseOf(desk, ben).getByRole("button", { name: "Take back" }).click();
  await expectNotice(desk, "Taken back", "It no longer counts as a strike.");
  await appeal.waitFor({ state: "detached" });
  await caseOf(desk, ben).waitFor({ state: "detached" });
  const answered = await ben.client.from("appeals").select("granted").single().throwOnError();
  expect(answered.data).toEqual({ granted: true });
});

test("cases in which a child may be in danger come first, then the oldest, and the keys go on where one was handled", async () => {
  await dismissAll();
  const spam = await reported("spam");
  const insult = await reported("insult");
  // More than are read at once, all of them older.
  await runSql(
    `insert into reports (kind, code, subject_id, reporter_id, created_at)
     select 'name', 'spam', '${spam.id}', null, now() - interval '1 day' from generate_series(1, 250)`,
    site.databaseUrl,
  );
  const meeting = await reported("meeting");
  const desk = await openDesk(mia, [/PATCH \S+\/reports/, /ERR_FAILED/]);
  const reads: string[] = [];
  desk.on("request", (request) => {
    if (request.url().includes("case_notes")) reads.push(request.url());
  });
  const order = () =>
    desk
      .locator("[data-case]")
      .evaluateAll((cases) => cases.map((each) => (each as HTMLElement).dataset.case));
  await eventually(order).toEqual([meeting.id, spam.id]);
  await runSql(`update reports set resolved_at = now() where reporter_id is null`, site.databaseUrl);
  await desk.reload();
  await eventually(order).toEqual([meeting.id, spam.id, insult.id]);
  const late = await reported("personal");
  await eventually(order).toEqual([meeting.id, late.id, spam.id, insult.id]);

  // One read for all of them: on a busy day, each decision would read a hundred records.
  expect(reads.filter((url) => !url.includes(meeting.id) || !url.includes(spam.id))).toEqual([]);

  await desk.getByLabel("Username").focus();
  for (const key of ["Tab", "j", "j", "j"]) await desk.keyboard.press(key);
  await isFocused(desk, spam);
  await desk.keyboard.press("1");
  await caseOf(desk, spam).waitFor({ state: "detached" });
  await desk.keyboard.press("j");
  await isFocused(desk, insult);
  await desk.keyboard.press("k");
  await isFocused(desk, late);

  // An undo whose answer was lost is done when it is repeated.
  await loseAnswer(desk, "**/rest/v1/reports?*");
  await desk.keyboard.press("u");
  await expectNotice(desk, "Error", "The service can't be reached right now. Please try again in a moment.");
  // Also while the lists are read again.
  await desk.keyboard.press("u");
  await expectNotice(desk, "Taken back");
  await caseOf(desk, spam).waitFor();

  // A double click dismisses one case, not also the one that takes its place.
  const dismiss = (person: SignedIn) => caseOf(desk, person).getByRole("button", { name: "Dismiss" });
  await dismiss(meeting).click();
  await caseOf(desk, meeting).waitFor({ state: "detached" });
  await dismiss(late).hover();
  await desk.mouse.down({ clickCount: 2 });
  await desk.mouse.up({ clickCount: 2 });
  await desk.keyboard.press("u");
  await caseOf(desk, meeting).waitFor();
});

test("a key pressed while an earlier action is still running acts on the case that was focused then, and u undoes the last one; meanwhile the case's other actions can be chosen, and an undo keeps the undo of what comes after it; many cases are no wider than a phone", async () => {
  await dismissAll();
  const [first, second, third] = [await reported(), await reported(), await reported()];
  const [fourth, fifth] = [await reported(), await reported()];
  const desk = await openDesk(mia);
  await caseOf(desk, fifth).waitFor();
  const { arrived, release } = await holdWrites(desk, "**/rest/v1/reports?*");
  await desk.getByLabel("Username").focus();
  for (const key of ["Tab", "j", "1", "1", "j", "1", "j", "1", "j", "1", "u"]) await desk.keyboard.press(key);
  await arrived;
  release();
  await expectNotice(desk, "Taken back");
  await caseOf(desk, fourth).waitFor();
  for (const person of [first, second, third]) expect(await caseOf(desk, person).count()).toBe(0);
  // Four were removed above it meanwhile, and one came back.
  await desk.keyboard.press("j");
  await isFocused(desk, fourth);
  await desk.keyboard.press("j");
  await isFocused(desk, fifth);

  const [ben, leo] = [fourth, fifth];
  await desk.unrouteAll();
  const choose = (person: SignedIn, name: string) =>
    caseOf(desk, person).getByRole("button", { name, exact: true }).click();
  const opinion = await holdWrites(desk, "**/rest/v1/second_opinions*");
  await choose(ben, "Second opinion");
  await opinion.arrived;
  await choose(ben, "Note");
  const note = desk.getByRole("dialog", { name: `Note about ${ben.username}` });
  await note.getByRole("button", { name: "Cancel" }).click();
  opinion.release();
  await expectNotice(
    desk,
    "Second opinion requested",
    "Another moderator will close this case. You can still act on it.",
  );

  await choose(leo, "Dismiss");
  await caseOf(desk, leo).waitFor({ state: "detached" });
  const undo = await holdWrites(desk, "**/rest/v1/reports?*");
  await desk.getByRole("button", { name: "Undo: dismissed" }).click();
  await undo.arrived;
  await choose(ben, "Silence");
  await desk.getByRole("dialog").getByRole("button", { name: "Silence" }).click();
  await expectNotice(desk, "Person silenced", "They’re told why. Undo takes it back.");
  undo.release();
  await caseOf(desk, leo).waitFor();
  await expectNotice(desk, "Taken back");
  await desk.getByRole("button", { name: "Undo: person silenced" }).click();
  const lifted = `select lifted_at is not null as lifted from sanctions where user_id = '${ben.id}'`;
  await eventually(() => runSql(lifted, site.databaseUrl)).toEqual([{ lifted: true }]);

  // Also those out of view.
  await Promise.all(Array.from({ length: 7 }, () => reported()));
  await desk.setViewportSize({ width: 320, height: 600 });
  await eventually(() => desk.locator("[data-case]").count()).toBeGreaterThanOrEqual(8);
  expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("a user whose name was taken away is told in the open chat and picks another there, appeals on the account page once, and another moderator than the one who acted answers", async () => {
  const chat = await open(cem, "/chat", { width: 360, expectedProblems: [/answer 403: POST/] });
  await write(chat, "kitsune for dragon");
  await row(chat, "kitsune for dragon").waitFor();
  const reason = "Everything here must be fit for children.";
  await mia.client
    .from("sanctions")
    .insert({ user_id: cem.id, kind: "rename", code: "other", reason })
    .throwOnError();
  await write(chat, "anyone?");
  await chat.getByText("Please choose a new username", { exact: true }).waitFor();
  await chat.getByText(reason).waitFor();
  await expectNoAxeFindings(chat);
  const offered = chat.getByRole("group", { name: "Names that are free" }).getByRole("button").first();
  const name = (await offered.textContent()) ?? "";
  await offered.click();
  await press(chat, "Use this name");
  await expectNotice(chat, "Username saved", `Others see you as ${name}.`);
  await chat.getByLabel("Message", { exact: true }).waitFor();

  const own = await open(cem, "/account");
  const notices = own.getByRole("region", { name: "Notices" });
  await notices.getByText("You were asked to choose another username").waitFor();
  await notices.getByText(/^Strike until/).waitFor();
  await press(own, "This was wrong…");
  await own.getByLabel("Why was it wrong?").fill("It is the name of my boat");
  const twice = await open(cem, "/account", { expectedProblems: [/answer 409: POST/] });
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

test("texts refused repeatedly are reported, mistakes are not; a ban ends open sessions, is explained at sign-in, and can be appealed there without a session", async () => {
  const person = await signUpPerson(site);
  for (const message of ["call me 0170 1234567", " "]) {
    for (let times = 0; times < 5; times += 1) {
      const { error } = await person.client.from("chat_messages").insert({ message });
      expect(error?.code).toBe("23514");
    }
  }
  const home = await open(person, "/account", { expectedProblems: [/answer 403: GET/] });
  await home.getByRole("region", { name: "Notices" }).waitFor();
  const desk = await open(mia, "/admin");
  const card = desk.locator(`[data-case="${person.id}"]`);
  await card.getByText("Texts that were refused today").waitFor();
  expect(await card.locator("blockquote").textContent()).toBe("5 × Phone numbers are not allowed here");
  await desk.getByLabel("Username").fill(person.username);
  await desk.getByLabel("Username").press("Enter");
  await desk.getByRole("button", { name: "Show all cases" }).waitFor();
  await card.waitFor();
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
  const ban = await runSql(`select id from sanctions where user_id = '${person.id}'`, site.databaseUrl);
  await eve.client
    .from("appeals")
    .update({ granted: true, answer: "We looked again" })
    .eq("sanction_id", (ban[0] as { id: string }).id)
    .throwOnError();
  await page.reload();
  await page.getByText("The suspension is over. You can log in again.").waitFor();
  expect((await person.client.auth.signInWithPassword(person)).error).toBeNull();
});

test("a rating is answered, disputed and deleted, and a name reported on its owner's page", async () => {
  const rating = { rated_user_id: ana.id, rating: 1, comment: "Slow trade" };
  await cem.client.from("user_ratings").insert(rating).throwOnError();
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
  const giver = await open(cem, `/community/${ana.username}`);
  await press(giver, "Report name");
  await giver.getByLabel("Not for children").check();
  await press(giver, "Send report");
  await expectNotice(
    giver,
    "Name reported",
    "Thank you. A moderator will look at it; your account page says what became of it.",
  );
  expect((await cem.client.from("reports").select("kind, evidence")).data).toEqual([
    { kind: "name", evidence: ana.username },
  ]);
  await giver.getByRole("button", { name: /^Rate Trader/ }).click();
  await press(giver, "Delete my rating");
  await expectNotice(giver, "Rating deleted");
  await giver.getByText("No ratings yet.", { exact: true }).first().waitFor();
});
