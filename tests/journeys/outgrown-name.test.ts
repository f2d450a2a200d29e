import { expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { row, runSql, say, unique, write } from "./chat-page.ts";

const PHONE = { width: 360, height: 740 };

test("a user whose name predates the rule is asked kindly to pick another with a tap, and can then write", async () => {
  const ana = await signUpPerson();
  const text = unique("hello");
  await say(ana, text);
  // The state after a start of the site: a harmless name, with the reason.
  await runSql(
    `insert into private.outgrown_names values ('${ana.id}', 'A username can have at most four digits');
     select private.rename_person('${ana.id}', private.generate_username(''))`,
  );
  const page = await visitAs(ana, "/chat", PHONE);
  const form = page.getByRole("form", { name: "Choose a new username" });
  await form.getByText("The rules for names have changed").waitFor();
  await form.getByText(/A username can have at most four digits\. Until you choose another one/).waitFor();
  expect(await row(page, text).getByText(ana.username).count(), "the name from before").toBe(0);
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const offered = form.getByRole("group", { name: "Names that are free" }).getByRole("button").first();
  const name = (await offered.textContent()) ?? "";
  await offered.click();
  await form.getByRole("button", { name: "Use this name" }).click();
  await expectNotice(page, "Username saved", `Others see you as ${name}.`);
  const second = unique("now");
  await write(page, second);
  await row(page, second).locator("time").waitFor();
  expect(await runSql(`select from private.outgrown_names where user_id = '${ana.id}'`)).toEqual([]);
});

test("after a refused username, available ones are suggested to tap", async () => {
  const ana = await signUpPerson();
  const page = await visitAs(ana, "/account", { ...PHONE, expectedProblems: [/answer 4\d\d: PATCH/] });
  const field = page.getByLabel("Username");
  await field.fill("zquorkle_zz");
  await page.getByRole("button", { name: "Save username" }).click();
  await page
    .getByText("A username is made of words that the site knows: try one of the suggestions")
    .first()
    .waitFor();
  const offered = page.getByRole("group", { name: "Names that are free" }).getByRole("button").first();
  const name = (await offered.textContent()) ?? "";
  await offered.click();
  await eventually(() => field.inputValue()).toBe(name);
  await page.getByRole("button", { name: "Save username" }).click();
  await expectNotice(page, "Username saved", `Others see you as ${name}.`);
});
