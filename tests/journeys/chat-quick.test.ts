import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { SECOND_TAP_MS } from "#app/routes/chat/second-tap.ts";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { tapTwice } from "#tests/helpers/taps.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { enterQuietChat, expectLive, row, runSql, say, unique, write } from "./chat-page.ts";

const PHONE = { width: 360, height: 740 };
const REFUSED = [/answer 4\d\d: POST/];

/** Waits until this element has the focus. */
const expectFocus = (page: Page, element: Locator) =>
  eventually(async () =>
    page.evaluate((wanted) => wanted === document.activeElement, await element.elementHandle()),
  ).toBe(true);

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** A user's message, found by its text. */
const by = (page: Page, { username }: SignedIn, text: string): Locator =>
  page.locator("[data-row]").filter({ hasText: username }).filter({ hasText: text });

const reactTo = async (page: Page, message: Locator, sign: string) => {
  await message.getByRole("button", { name: /react or report$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: sign }).click();
};

/** Presses Enter on the phrase until it opens: shortly after another press it counts as the second tap of that one. */
const openPhrase = (page: Page) =>
  eventually(async () => {
    const phrase = page.getByRole("button", { name: "Trading … for …" });
    if ((await phrase.count()) > 0) await phrase.press("Enter");
    return await page.getByRole("region", { name: "Choose an item" }).count();
  }).toBe(1);

test("the gaps of a phrase are filled from the catalog, by players' nicknames, by keyboard alone, also before the catalog is there; focus stays in the tray when the chosen item's button is gone", async () => {
  const { promise: isAsked, resolve: readItems } = Promise.withResolvers<void>();
  const prepare = (entering: Page) =>
    entering.route(/\/rest\/v1\/items\?/, (route) => isAsked.then(() => route.continue()));
  const { page, person } = await enterQuietChat({ prepare });
  await page.getByLabel("Message", { exact: true }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // The tray is above the field. Its phrases are many stops away; each later step begins where the last one ended.
  await page.getByRole("button", { name: "Trading … for …" }).focus();
  await page.keyboard.press("Enter");
  await expectFocus(page, page.getByText("Trading … for …"));
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expectFocus(page, page.getByRole("region", { name: "Quick talk" }));
  await openPhrase(page);
  await page.getByText("Loading…").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("perm kitsun");
  await page.keyboard.press("Enter");
  readItems();
  await page.getByText("Trading Permanent Kitsune for …").waitFor();
  await expectNoAxeFindings(page);
  await page.keyboard.type("dough");
  await page.keyboard.press("Enter");
  await expectFocus(page, page.getByRole("button", { name: "Quick talk" }));
  await by(page, person, "Trading Permanent Kitsune for Dough").locator("time").waitFor();

  await press(page, "Quick talk");
  await openPhrase(page);
  // The second of two taps on "Back" is for no phrase that has taken its place; long after the tap that opened it.
  await page.waitForTimeout(SECOND_TAP_MS);
  await page.getByRole("button", { name: "Back", exact: true }).evaluate(async (back: HTMLElement) => {
    back.click();
    await Promise.resolve();
    for (const phrase of document.querySelectorAll<HTMLElement>(".chat-tray li button")) phrase.click();
  });
  await expectFocus(page, page.getByRole("region", { name: "Quick talk" }));
  await openPhrase(page);
  const spin = page.getByRole("button", { name: "Spin", exact: true });
  await page.getByRole("button", { name: "Kitsune", exact: true }).waitFor();
  expect(await spin.count()).toBe(0);
  await page.getByLabel("Search items").fill("spin");
  await spin.press("Enter");
  await expectFocus(page, page.getByText("Trading Spin for …"));
  await press(page, "Kitsune");
  await expectFocus(page, page.getByRole("button", { name: "Quick talk" }));
});

test("@ suggests the users present, works by keyboard, and notifies the mentioned user; a reaction is counted live, joined, taken back, and hidden if it is from muted users", async () => {
  const writer = await signUpPerson();
  const text = unique("look at this");
  const [ana, ben] = [await enterQuietChat(), await enterQuietChat()];
  await expectLive(ana.page);
  await expectLive(ben.page);
  await say(ben.person, unique("hello"));
  const field = ana.page.getByLabel("Message", { exact: true });
  await field.pressSequentially(`hey @${ben.person.username.slice(0, -1)}`);
  await ana.page.getByText(`${4 + ben.person.username.length}/1000`, { exact: true }).waitFor();
  const option = ana.page.getByRole("option", { name: `@${ben.person.username}` });
  await option.waitFor();
  await expectNoAxeFindings(ana.page);
  // The caret inside the name, and something behind it.
  await ana.page.keyboard.type("!");
  await ana.page.keyboard.press("ArrowLeft");
  await ana.page.keyboard.press("ArrowLeft");
  await option.waitFor();
  await ana.page.keyboard.press("Enter");
  await ana.page.getByRole("button", { name: `Don’t mention ${ben.person.username}` }).waitFor();
  await eventually(() => field.inputValue()).toBe("hey !");
  // Their name counts, too.
  await ana.page.getByText(`${`@${ben.person.username} hey !`.length}/1000`, { exact: true }).waitFor();
  const deal = unique("deal");
  await field.pressSequentially(deal);
  await field.press("Enter");
  const seen = row(ben.page, `@${ben.person.username} hey !${deal}`);
  await seen.getByText("You were mentioned.").waitFor();
  expect(await seen.locator(".chat-meant").count()).toBe(1);

  const id = await say(writer, text);
  await row(ana.page, text).hover();
  await reactTo(ana.page, row(ana.page, text), "Fire");
  await row(ben.page, text).getByRole("button", { name: "🔥 1" }).click();
  const both = row(ana.page, text).getByRole("button", { name: "🔥 2" });
  await both.waitFor();
  expect(await both.getAttribute("aria-pressed")).toBe("true");
  await both.click();
  await row(ben.page, text).getByRole("button", { name: "🔥 1" }).waitFor();
  expect(await runSql(`select user_id from chat_reactions where message_id = '${id}'`)).toEqual([
    { user_id: ben.person.id },
  ]);
  await ana.person.client.from("chat_mutes").insert({ muted_user_id: ben.person.id }).throwOnError();
  // With the newest hundred, not only a few: others write in this room, too.
  await ana.page.unrouteAll();
  await ana.page.reload();
  await row(ana.page, text).waitFor();
  await eventually(() => row(ana.page, text).getByRole("button", { name: /🔥/ }).count()).toBe(0);
});

test("a reply quotes one line of the original; refused it returns to the field with that and its mentions, and it says so if the original is deleted", async () => {
  const [writer, meant] = [await signUpPerson(), await signUpPerson()];
  const text = unique("any offers");
  // Entered first: among the newest 100 messages of a busy room an older one may be missing.
  const { page } = await enterQuietChat({
    expectedProblems: [...REFUSED, /request failed: GET/, /answer 500: GET/, /status of 500/],
  });
  await expectLive(page);
  await say(meant, unique("here"));
  const id = await say(writer, text);
  await row(page, text)
    .getByRole("button", { name: /react or report$/ })
    .click();
  await press(page, "Reply");
  const field = page.getByLabel("Message", { exact: true });
  await page.getByText(`Replying to ${writer.username} ${text}`).waitFor();
  await expectFocus(page, field);
  await field.pressSequentially(`@${meant.username.slice(0, -1)}`);
  await page.getByRole("option", { name: `@${meant.username}` }).waitFor();
  await page.keyboard.press("Enter");
  await write(page, "see fruitshop.com");
  await page.getByText("Links are not allowed here.").waitFor();
  await expectReply(0);
  await press(page, "Edit");
  await eventually(() => field.inputValue()).toBe("see fruitshop.com");
  await expectReply(1);
  // While the network is away, too.
  const reads = /\/rest\/v1\/(shown_chat_messages|chat_messages|profiles)\?/;
  await page.route(reads, (route) => route.abort("connectionfailed"));
  await page.reload();
  await eventually(() => field.inputValue()).toBe("see fruitshop.com");
  await page.getByText("Messages can't be loaded right now").waitFor();
  await page.unroute(reads);
  await expectReply(1);
  const answer = unique("yes");
  await write(page, answer);
  await row(page, `@${meant.username} ${answer}`).getByText(`${writer.username} ${text}`).waitFor();
  expect(
    await runSql(
      `select reply_to is not null as answers, mentions from chat_messages where message like '%${answer}'`,
    ),
  ).toEqual([{ answers: true, mentions: [meant.id] }]);

  const answered = row(page, `@${meant.username} ${answer}`);
  await writer.client.from("chat_messages").delete().eq("id", id).throwOnError();
  await answered.getByText("The message was deleted").waitFor();
  // An original deleted before the reply is sent is no longer quoted.
  const other = unique("which fruit");
  const deleted = await say(writer, other);
  await row(page, other).hover();
  await row(page, other)
    .getByRole("button", { name: /react or report$/ })
    .click();
  await press(page, "Reply");
  await page.getByText(`Replying to ${writer.username} ${other}`).waitFor();
  await writer.client.from("chat_messages").delete().eq("id", deleted).throwOnError();
  await page.getByText(/^Replying to/).waitFor({ state: "detached" });
  // A failed read is retried.
  await page.route(/\/chat_messages\?.*id=in/, (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  });
  await page.reload();
  await answered.getByText("The message was deleted").waitFor();

  async function expectReply(count: number) {
    await eventually(() => page.getByText(`Replying to ${writer.username} ${text}`).count()).toBe(count);
    await eventually(() =>
      page.getByRole("button", { name: `Don’t mention ${meant.username}` }).count(),
    ).toBe(count);
  }
});

test("the sixth message waits for the rate limit, can be withdrawn, and after a reload is sent automatically", async () => {
  const { page, person } = await enterQuietChat({ expectedProblems: REFUSED });
  const name = unique("quick");
  for (let sent = 1; sent <= 7; sent += 1) await write(page, `${name} ${sent}`);
  await row(page, `${name} 6`)
    .getByText(/^Sends in \d+ s$/)
    .waitFor();
  expect(await row(page, `${name} 6`).getByRole("button", { name: "Retry" }).count()).toBe(0);
  await row(page, `${name} 7`).getByRole("button", { name: "Take back" }).click();
  await expectFocus(page, row(page, `${name} 6`));
  await row(page, `${name} 5`).locator("time").waitFor();
  await page.reload();
  await row(page, `${name} 6`).locator("time").waitFor();
  const stored = await runSql(
    `select message from chat_messages where user_id = '${person.id}' order by created_at`,
  );
  expect(stored).toEqual([1, 2, 3, 4, 5, 6].map((n) => ({ message: `${name} ${n}` })));
});

test("a user with strikes gets quick talk and an explanation, but no text field", async () => {
  const person = await signUpPerson();
  await runSql(
    `insert into sanctions (user_id, kind, code, reason, counts_until)
     select '${person.id}', 'picture', 'other', 'Not for everybody', now() + interval '1 day' from generate_series(1, 3)`,
  );
  const page = await visitAs(person, "/chat", PHONE);
  await page.getByText("You can use quick talk for now, because of what moderators had to remove.").waitFor();
  expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  // The tray stays open: a second tap of an impatient finger sends nothing more.
  await tapTwice(page.getByRole("button", { name: "Good luck!", exact: true }));
  await by(page, person, "Good luck!").locator("time").waitFor();
  await expectNoAxeFindings(page);
  // It may still count as the second tap.
  const thanks = by(page, person, "Thank you!");
  await eventually(async () => {
    if ((await thanks.count()) === 0) await press(page, "Thank you!");
    return await thanks.count();
  }).toBe(1);
  await thanks.locator("time").waitFor();
  expect(await by(page, person, "Good luck!").count()).toBe(1);
});
