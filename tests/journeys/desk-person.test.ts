import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { setClock } from "#tests/helpers/set-clock.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { runSql } from "./chat-page.ts";

const PHONE = { width: 360, height: 740 };

let mia: SignedIn;
beforeAll(async () => {
  mia = await signUpPerson(undefined, "moderator");
});

const AWAY = "The service can't be reached right now. Please try again in a moment.";
const TOLD = "They’re told why. Undo takes it back.";

/** Looks up a user on the moderators' desk. */
async function lookUp(page: Page, { username }: SignedIn): Promise<void> {
  const form = page.getByRole("form", { name: "Look somebody up" });
  await form.getByLabel("Username").fill(username);
  await form.getByLabel("Username").press("Enter");
  await page.getByRole("heading", { name: username }).waitFor();
}

/** Loses the answers to the requests for this table; they arrive. */
const loseAnswers = (page: Page, table: string) =>
  page.route(`**/rest/v1/${table}?*`, async (route) => {
    await route.fetch();
    await route.abort();
  });

test("the desk shows what a reported message said before its words were hidden; a moderator corrects a wrong age group without seeing the old one", async () => {
  const [ana, ben] = [await signUpPerson(), await signUpPerson()];
  const { data: message } = await ana.client
    .from("chat_messages")
    .insert({ message: "trading a qzxvorb" })
    .select("id, message")
    .single()
    .throwOnError();
  expect(message.message).toBe("trading a ####");
  await ben.client
    .from("reports")
    .insert({ kind: "message", code: "scam", subject_id: message.id })
    .throwOnError();
  const page = await visitAs(mia, "/admin", PHONE);
  await lookUp(page, ana);
  await page.getByText("As it was written: trading a qzxvorb").waitFor();

  // Other tests' cases are listed on the same page.
  const actions = page.getByRole("toolbar", { name: `What to do about ${ana.username}` });
  await actions.getByRole("button", { name: "Age group", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Age group of ${ana.username}` });
  await dialog.getByRole("button", { name: "Change age group" }).click();
  await dialog.getByRole("alert").getByText("Choose an age group").waitFor();
  expect(await dialog.getByRole("radio", { checked: true }).count()).toBe(0);
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Under 13", { exact: true }).check();
  await dialog.getByRole("button", { name: "Change age group" }).click();
  await expectNotice(page, "Age group changed", "Who changed it is on the list, not to which group.");
  const { data } = await ana.client.rpc("show_own_standing").single().throwOnError();
  expect(data).toMatchObject({ standing: "child", band: "under-13" });
});

test("a note's length limit counts an emoji as one character; a silence and a note whose answers were lost are repeated without a second strike or note, and a changed silence is not told as the first one", async () => {
  const [ana, ben] = [await signUpPerson(), await signUpPerson()];
  const page = await visitAs(mia, "/admin", {
    ...PHONE,
    expectedProblems: [/sanctions|case_notes/, /ERR_FAILED/],
  });
  await lookUp(page, ana);
  const actions = page.getByRole("toolbar", { name: `What to do about ${ana.username}` });
  const note = page.getByRole("dialog", { name: /^Note about/ });
  await actions.getByRole("button", { name: /Note$/ }).click();
  await note.getByLabel("Note").fill("🔥".repeat(1001));
  await note.getByRole("button", { name: "Keep note" }).click();
  await note.getByText("At most 1000 characters").first().waitFor();
  await note.getByLabel("Note").fill("🔥".repeat(1000));
  await loseAnswers(page, "case_notes");
  await note.getByRole("button", { name: "Keep note" }).click();
  await expectNotice(page, "Error", AWAY);
  await page.unrouteAll();
  await note.getByRole("button", { name: "Cancel" }).click();
  await actions.getByRole("button", { name: /Note$/ }).click();
  await note.getByRole("button", { name: "Keep note" }).click();
  await note.waitFor({ state: "hidden" });
  await page.getByRole("list", { name: "Notes" }).getByText("🔥".repeat(1000)).waitFor();

  const dialog = page.getByRole("dialog");
  const send = () => dialog.getByRole("button", { name: "Silence" }).click();
  await actions.getByRole("button", { name: "Silence" }).click();
  await loseAnswers(page, "sanctions");
  await send();
  await expectNotice(page, "Error", AWAY);
  await page.unrouteAll();
  await send();
  await expectNotice(page, "Person silenced", TOLD);
  await page.getByText("1 strike", { exact: true }).first().waitFor();
  const kept = await runSql(
    `select (select count(*)::int from sanctions where user_id = '${ana.id}') as strikes,
       (select count(*)::int from case_notes where user_id = '${ana.id}') as notes`,
  );
  expect(kept).toEqual([{ strikes: 1, notes: 1 }]);

  await lookUp(page, ben);
  const begin = () =>
    page
      .getByRole("toolbar", { name: `What to do about ${ben.username}` })
      .getByRole("button", { name: "Silence" })
      .click();
  await begin();
  await dialog.getByLabel("How long").selectOption("1 hour");
  await loseAnswers(page, "sanctions");
  await send();
  await expectNotice(page, "Error", AWAY);
  await page.unrouteAll();
  await dialog.getByLabel("How long").selectOption("Forever");
  await send();
  await expectNotice(page, "Error", "The first attempt was stored, as it was then. Undo it to change it.");
  await loseAnswer(page, "**/rest/v1/sanctions?*");
  await page.getByRole("button", { name: "Undo: person silenced" }).click();
  await expectNotice(page, "Taken back");
  await begin();
  await dialog.getByLabel("How long").selectOption("Forever");
  await send();
  await expectNotice(page, "Person silenced", TOLD);

  // An Enter that is held opens a form, but does not send it.
  const rename = page
    .getByRole("toolbar", { name: `What to do about ${ben.username}` })
    .getByRole("button", { name: "New name" });
  await rename.focus();
  await page.keyboard.down("Enter");
  const reason = dialog.getByLabel("Reason");
  await eventually(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await reason.fill("Not a kind name");
  await reason.press("Enter");
  await expectNotice(page, "Name taken away", TOLD);
  const stored = await runSql(
    `select kind, until = 'infinity' as "isForever", lifted_at is not null as "isLifted"
     from sanctions where user_id = '${ben.id}' order by created_at`,
  );
  expect(stored).toEqual([
    { kind: "silence", isForever: false, isLifted: true },
    { kind: "silence", isForever: true, isLifted: false },
    { kind: "rename", isForever: null, isLifted: false },
  ]);
});

const YEAR = 365 * 24 * 60 * 60_000;

test.each([
  ["fast", YEAR],
  ["slow", -YEAR],
])("on a device whose clock is a year %s, a silence of a day lasts a day, and holds", async (_, ahead) => {
  const ana = await signUpPerson();
  const page = await visitAs(mia, "/admin", { ...PHONE, prepare: (page) => setClock(page, ahead) });
  await lookUp(page, ana);
  const actions = page.getByRole("toolbar", { name: `What to do about ${ana.username}` });
  await actions.getByRole("button", { name: "Silence" }).click();
  await page.getByLabel("How long").selectOption("1 day");
  await page.getByRole("dialog").getByRole("button", { name: "Silence" }).click();
  await expectNotice(page, "Person silenced", TOLD);
  const silences = () =>
    runSql(
      `select until - now() between interval '23 hours' and interval '25 hours' as is_a_day
       from chat_silences where user_id = '${ana.id}'`,
    );
  await eventually(() => silences()).toEqual([{ is_a_day: true }]);
  await page.getByText("Silenced", { exact: true }).first().waitFor();
  await page.getByText("1 strike", { exact: true }).first().waitFor();
});
