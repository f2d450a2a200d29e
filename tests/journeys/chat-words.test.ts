import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { enterQuietChat, row, runSql, unique, write } from "./chat-page.ts";

const PHONE = { width: 360, height: 740 };

/** A word in no vocabulary, unique to its test. */
const strange = () =>
  `zq${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => "bcdghjkm"[byte % 8]).join("")}`;

const field = (page: Page) => page.getByLabel("Message", { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const underlined = (page: Page) => page.locator(".underlines u");
const askers = (word: string) =>
  runSql(`select count::integer from public.word_requests where word = '${word}'`);

test("words that would be hidden from others are underlined during typing, below the word, and a tap replaces one; the word list is downloaded once", async () => {
  const { page } = await enterQuietChat(PHONE);
  const asked: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/rpc/list_known_words")) asked.push(request.postDataJSON());
  });
  await field(page).pressSequentially("Trading my premanant Kitsunne for ");
  await eventually(() => underlined(page).allInnerTexts()).toEqual(["premanant"]);
  expect(
    await underlined(page).evaluate((mark) => getComputedStyle(mark).textDecorationStyle),
    "not by color alone",
  ).toBe("wavy");
  await page.getByText("Others won’t see “premanant”: this word isn’t known here.").waitFor();
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await button(page, "permanent instead of premanant").click();
  await eventually(() => field(page).inputValue()).toBe("Trading my permanent Kitsunne for ");
  await eventually(() => underlined(page).count()).toBe(0);
  expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);

  // Words allowed only in everyday sentences are not underlined there, and the sentence is shown in full.
  const word = strange();
  await field(page).fill("");
  await field(page).pressSequentially(`brb my mom is calling me, ${word} `);
  await eventually(() => underlined(page).allInnerTexts()).toEqual([word]);
  const text = "brb my mom is calling me";
  await write(page, text);
  await row(page, text).first().waitFor();

  // Also where the text is longer than its field.
  await field(page).fill(`${"trade dough for kitsune please ".repeat(12)}\n${word} and more`);
  await underlined(page).waitFor();
  /** Measures in which the underlines' box differs from the field by more than a pixel. */
  const offBy = () =>
    page.evaluate(() => {
      const [over, under] = [".underlines", ".chat-field"].map((name) => {
        const element = document.querySelector(name) as HTMLElement;
        const { left, top, width, height } = element.getBoundingClientRect();
        const { scrollTop, scrollHeight } = element;
        return Object.entries({ left, top, width, height, scrollTop, scrollHeight });
      });
      return over?.filter(([, measure], at) => Math.abs(measure - (under?.[at]?.[1] ?? 0)) > 1);
    });
  await eventually(offBy).toEqual([]);
  await field(page).evaluate((element) => element.scrollTo(0, 40));
  await eventually(offBy).toEqual([]);
  await field(page).fill(word);
  await eventually(offBy).toEqual([]);

  await page.reload();
  await field(page).focus();
  await eventually(() => underlined(page).allInnerTexts()).toEqual([word]);
  expect(asked).toEqual([{}, { known_version: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
});

test("a missing word is requested while typing or from the sent message, which tells its writer what is hidden; each is counted once, and one never accepted stays hidden", async () => {
  const { page } = await enterQuietChat(PHONE);
  const word = strange();
  await field(page).fill(`my ${word} is good`);
  await button(page, `Ask for this word: ${word}`).click();
  await expectNotice(page, `Asked for “${word}”`, "Admins decide which words are taken in.");
  await page.getByText("Asked for", { exact: true }).waitFor();
  expect(await askers(word)).toEqual([{ count: 1 }]);
  await field(page).fill("my discord trade");
  await button(page, "Ask for this word: discord").click();
  await expectNotice(page, "“discord” stays hidden", "This word is not taken in.");

  const other = strange();
  const text = unique("trade my");
  await write(page, `${text} ${other}, please`);
  const message = row(page, `${text} #### please`);
  await message.getByText(`Nobody sees “${other}”: the site doesn’t know this word.`).waitFor();
  await expectNoAxeFindings(page);
  await message.getByRole("button", { name: `Ask for this word: ${other}` }).click();
  await message.getByText("Asked for", { exact: true }).waitFor();
  expect(await askers(other)).toEqual([{ count: 1 }]);
  // After a reload, only that some are hidden.
  await page.reload();
  await message.getByText("Nobody sees what is shown as ####: the site doesn’t know it.").waitFor();
});

test("if the word list cannot be loaded, typing and sending still work", async () => {
  const { page } = await enterQuietChat({ expectedProblems: [/answer 500: POST/, /status of 500/] });
  await page.route("**/rpc/list_known_words", (route) => route.fulfill({ status: 500, json: {} }));
  const answered = page.waitForResponse("**/rpc/list_known_words");
  await field(page).focus();
  await answered;
  const text = unique("typing goes on");
  await write(page, text);
  await row(page, text).locator("time").waitFor();
  expect(await underlined(page).count()).toBe(0);
});

test("a rating's comment is also underlined, a tap replaces a word in it, and its author is told which are hidden; the rated trader's answer is underlined, too", async () => {
  const [rater, trader] = await Promise.all([signUpPerson(), signUpPerson()]);
  const page = await visitAs(rater, `/community/${trader.username}`, PHONE);
  await page.getByRole("button", { name: /^Rate/ }).first().click();
  const comment = page.getByLabel("Comment");
  await comment.fill("a fair premanant trade");
  await eventually(() => underlined(page).allInnerTexts()).toEqual(["premanant"]);
  await button(page, "permanent instead of premanant").click();
  await eventually(() => comment.inputValue()).toBe("a fair permanent trade");
  await expectNoAxeFindings(page);
  await page.getByLabel("4 stars").check();
  await comment.fill("a fair skibadoo trade");
  await button(page, "Submit Rating").click();
  await page.getByText("Nobody sees “skibadoo”: the site doesn’t know this word.").waitFor();

  const other = await visitAs(trader, `/community/${trader.username}`, PHONE);
  await other.getByRole("button", { name: "Answer" }).click();
  await other.getByRole("textbox", { name: "Answer" }).fill("it was a premanant trade");
  await eventually(() => underlined(other).allInnerTexts()).toEqual(["premanant"]);
});
