import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings, type PageOptions } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";

// The word list is shared by all users, so this needs its own site.
const site = ownSite();
let eve: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
beforeAll(async () => {
  [eve, ana, ben] = await Promise.all([signUpAdmin(site), signUpPerson(site), signUpPerson(site)]);
});

const open = (options: PageOptions = {}) =>
  visitAs(eve, "/admin?tab=moderation", { ...options, address: site.address });
const words = (page: Page) => page.getByRole("region", { name: "Words People Ask For" });
const rowOf = (page: Page, word: string) => words(page).getByRole("listitem").filter({ hasText: word });

async function ask(word: string, ...people: SignedIn[]) {
  for (const { client } of people) await client.rpc("ask_for_word", { word }).throwOnError();
}

async function say(person: SignedIn, message: string): Promise<string> {
  const { data } = await person.client
    .from("chat_messages")
    .insert({ message })
    .select("message")
    .single()
    .throwOnError();
  return data.message;
}

test("words appear in the list live, with their request count; a key accepts one, and Undo puts it back", async () => {
  const page = await open({ width: 360, height: 740 });
  await words(page).getByText("Nobody asks for a word").waitFor();
  await ask("zquorb", ana, ben);
  await ask("zquinx", ben);
  await eventually(() => words(page).getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^zquorb\s+2 people, first .+, last .+\s+Take in\s+Refuse$/),
    expect.stringMatching(/^zquinx\s+1 person, .+\s+Take in\s+Refuse$/),
  ]);
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await say(ana, "my zquorb is good")).toBe("my #### is good");

  await page.getByRole("button", { name: "Take in zquorb" }).focus();
  await page.keyboard.press("a");
  await expectNotice(page, "“zquorb” taken in", "Others see it from now on.");
  expect(await rowOf(page, "zquorb").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Take in zquinx",
  );
  expect(await say(ana, "my zquorb is good")).toBe("my zquorb is good");

  await page.getByRole("button", { name: "Undo: “zquorb” taken in" }).click();
  await expectNotice(page, "Taken back", "“zquorb” is as it was.");
  await rowOf(page, "zquorb").getByText("2 people").waitFor();
  expect(await say(ana, "my zquorb is good")).toBe("my #### is good");
});

test("a held key decides about one word; a refused one can no longer be requested, can be put back, also by Undo unless another admin refused it, and is in the log of acts", async () => {
  await ask("zqueld", ana, ben);
  for (const word of ["zquelm", "zqueln"]) await ask(word, ben);
  const page = await open({
    expectedProblems: [/answer 409/, /status of 409/, /status of 503/, /answer 503/],
  });
  await page.getByRole("button", { name: "Take in zqueld" }).focus();
  const rows = words(page).getByRole("listitem");
  const all = await rows.count();
  for (const [at, key] of ["a", "Enter"].entries()) {
    // The second press is a repetition, as of a key that is held.
    for (let press = 0; press < 2; press += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
    expect(await rows.count()).toBe(all - at - 1);
  }

  await ask("zquark", ana);
  await page.getByRole("button", { name: "Refuse zquark" }).click();
  await expectNotice(page, "“zquark” refused", "It stays hidden, and nobody can ask for it again.");
  expect((await ben.client.rpc("ask_for_word", { word: "zquark" })).data).toBe("refused");
  await words(page).getByLabel("Refused").check();
  await page.getByRole("button", { name: "Put back zquark" }).click();
  await words(page).getByText("No word has been refused yet").waitFor();
  const acts = page.getByRole("region", { name: "What Admins Did" });
  await acts.getByRole("button", { name: "Refresh" }).click();
  await acts.getByText("refused the word zquark").waitFor();

  // Undo does not take a word in that another admin has refused meanwhile.
  await ask("zqulet", ana);
  await eve.client.rpc("allow_word", { word: "zqulet" }).throwOnError();
  await words(page).getByLabel("Taken in").check();
  await page.getByRole("button", { name: "Put back zqulet" }).click();
  await expectNotice(page, "“zqulet” put back", "It is on the list again.");
  await eve.client.rpc("refuse_word", { word: "zqulet" }).throwOnError();
  await page.getByRole("button", { name: "Undo: “zqulet” put back" }).click();
  await expectNotice(page, "Error", "Somebody else decided about this word in the meantime");
  expect(await say(ana, "my zqulet is good")).toBe("my #### is good");

  // If saving fails, the row comes back with the reason.
  await words(page).getByLabel("Asked for").check();
  await ask("zquell", ana);
  await rowOf(page, "zquell").waitFor();
  await page.route("**/rpc/allow_word", (route) =>
    route.fulfill({ status: 503, json: { message: "The database is busy" } }),
  );
  await page.getByRole("button", { name: "Take in zquell" }).click();
  await expectNotice(page, "Error", "The database is busy");
  await rowOf(page, "zquell").waitFor();
});

test("a moderator has no list of words, and no list of admins", async () => {
  const mia = await signUpPerson(site, "moderator");
  const page = await visitAs(mia, "/admin", { address: site.address });
  const acts = page.getByRole("region", { name: "What Was Done" });
  await acts.getByLabel("What").waitFor();
  expect(await acts.getByLabel("Admin").count()).toBe(0);
  expect(await acts.getByLabel("What").locator("option").allInnerTexts()).not.toContain("Item");
  expect(await words(page).count()).toBe(0);
});
