import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings, openPage } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { paint } from "#tests/helpers/screen-checks.ts";
import { giveRole, signUpPerson } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { tapTwice } from "#tests/helpers/taps.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice, makeAccount, noticeVariant, PASSWORD, submit } from "./account-page.ts";
import {
  enterChat,
  enterQuietChat,
  expectCount,
  expectLive,
  fillChat,
  row,
  runSql,
  say,
  textsOf,
  unique,
  write,
} from "./chat-page.ts";

const REFUSED = [/answer 4\d\d: POST/];
const UNREACHABLE = "The chat can't be reached right now. Nothing is lost; try again in a moment.";
const AWAY = "The chat can't be reached right now. This message is sent as soon as it answers.";

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();
const field = (page: Page) => page.getByLabel("Message", { exact: true });

test("the gate sends a visitor to /auth with the notice, loads no messages, and keeps the trade: after sign-in it is in the chat, ready to be sent", async () => {
  const { email, id } = await makeAccount();
  const page = await visit("/calculator?you=dough,dough&them=tiger", { width: 360, height: 740 });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("link", { name: "Send to chat" }).click();
  await page.waitForURL("/auth");
  await expectNotice(page, "Authentication Required", "Please log in to use the chat");
  expect(await noticeVariant(page)).toBe("destructive");
  expect(asked.filter((url) => url.includes("chat_messages"))).toEqual([]);
  await submit(page, "Sign In", email, PASSWORD);
  await page.waitForURL("/chat?you=dough,dough&them=tiger");
  await page.getByRole("region", { name: "Your trade" }).getByText("You're Winning").waitFor();
  await press(page, "Send this trade");
  await page.waitForURL("/chat");
  await eventually(() => runSql(`select trade from chat_messages where user_id = '${id}'`)).toEqual([
    { trade: "you=dough,dough&them=tiger" },
  ]);
});

test("a notice whose code cannot be loaded is shown as plain text and disappears; the next one is complete", async () => {
  const page = await openPage({ baseUrl: testSite().address, expectedProblems: [/toast-viewport/] });
  await page.clock.install();
  await page.goto("/values");
  await alive(page);
  await page.route("**/toast-viewport*", (route) => route.abort());
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.waitForURL("/auth");
  const plain = page.getByRole("alert").locator("p.toast-destructive");
  await plain.waitFor();
  expect(await plain.textContent()).toBe("Authentication Required: Please log in to use the chat");
  await page.getByLabel("Email").waitFor();
  await page.clock.runFor(10_000);
  await eventually(() => page.locator(".toast").count()).toBe(0);
  await page.unroute("**/toast-viewport*");
  await page.getByRole("link", { name: "History", exact: true }).first().click();
  await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).waitFor();
});

describe("a written message", () => {
  test("is counted and trimmed, refused if empty or too long without losing the text, and shown as text on the right with the writer's name and its time", async () => {
    const other = await signUpPerson();
    const [theirs, own] = [unique("theirs"), unique("own")];
    await say(other, theirs);
    const timeZone = "Pacific/Auckland";
    const { page, person } = await enterQuietChat({ locale: "de-DE", timezoneId: timeZone });
    await page.getByText("0/1000").waitFor();
    await write(page, "   ");
    await page.getByRole("alert").getByText("Message cannot be empty").waitFor();
    await field(page).fill("😀 twelve 34");
    await page.getByText("11/1000").waitFor();
    await field(page).fill(`  ${own} `);
    await tapTwice(page.getByRole("button", { name: "Send", exact: true }));
    await expectCount(page, own, 1);
    expect(await field(page).inputValue()).toBe("");
    // The second of two quick taps is no attempt to send nothing.
    expect(await field(page).getAttribute("aria-invalid")).toBe(null);
    const ownRow = row(page, own);
    await ownRow.getByRole("link", { name: person.username }).waitFor();
    const time = ownRow.locator("time");
    const sentAt = new Date((await time.getAttribute("datetime")) ?? "");
    expect(await time.textContent()).toBe(
      sentAt.toLocaleTimeString("en-US", { timeStyle: "short", timeZone }).replace(/\s/g, " "),
    );
    const stored = () =>
      runSql(`select message from chat_messages where user_id = '${person.id}' order by created_at`);
    expect(await stored()).toEqual([{ message: own }]);
    const left = async (text: string) =>
      (await row(page, text).locator(".chat-bubble").boundingBox())?.x ?? 0;
    expect(await left(own)).toBeGreaterThan((await left(theirs)) + 300);

    // No markup, no links, with its line breaks.
    const name = unique("<b>bold</b> trade");
    await field(page).fill(name);
    await field(page).press("Shift+Enter");
    await page.keyboard.type("second line");
    await field(page).press("Enter");
    const text = row(page, `${name}\nsecond line`).locator(".chat-text");
    expect(await text.textContent()).toBe(`${name}\nsecond line`);
    expect(await text.locator("*").count()).toBe(0);
    // It is shown before it is stored.
    await eventually(async () => (await stored()).length).toBe(2);

    // Many lines are folded. Days follow the site's clock, even if the device's is a day ahead.
    const long = unique("row\n".repeat(39));
    await say(person, long);
    const before = await stored();
    await write(page, "😀".repeat(1001));
    await page.getByRole("alert").getByText("Message too long (max 1000 characters)").waitFor();
    await page.getByText("1001/1000").waitFor();
    await page.clock.setFixedTime(Date.now() + 24 * 60 * 60_000);
    await page.reload();
    await eventually(() => field(page).inputValue()).toBe("😀".repeat(1001));
    await press(page, "Show all 40 lines");
    await expectCount(page, long, 1);
    await eventually(() => page.locator(".chat-day").last().textContent()).toBe("Today");
    expect(await stored()).toEqual(before);
  });

  test("by a user who is silenced for good goes back into the field, and by one silenced for an hour is not retried, even on a device a day ahead", async () => {
    const { page, person } = await enterQuietChat({ expectedProblems: REFUSED });
    const silence = (until: string) =>
      runSql(
        `insert into chat_silences (user_id, until, reason) values ('${person.id}', ${until}, 'Please be kind')`,
      );
    await silence("'infinity'");
    const text = unique("hello");
    await write(page, text);
    await row(page, text).getByRole("button", { name: "Edit" }).click();
    await eventually(() => field(page).inputValue()).toBe(text);
    await runSql(`delete from chat_silences where user_id = '${person.id}'`);
    await field(page).press("Enter");
    await expectCount(page, text, 1);
    await row(page, text).getByText("Please be kind").waitFor({ state: "detached" });

    await silence("now() + interval '1 h'");
    await page.clock.setFixedTime(Date.now() + 24 * 60 * 60_000);
    await page.reload();
    await expectLive(page);
    const later = unique("again");
    await write(page, later);
    const barred = row(page, later);
    await barred.getByText("Please be kind").waitFor();
    expect(await barred.getByRole("button", { name: "Discard" }).count()).toBe(1);
    expect(await barred.getByRole("button", { name: "Retry" }).count()).toBe(0);
  });

  test("is refused with the database's reason, keeps its place above later ones and over a reload, can be edited, and is then sent", async () => {
    const other = await signUpPerson();
    const { page } = await enterQuietChat({ expectedProblems: REFUSED, width: 360, height: 740 });
    await expectLive(page);
    const [text, own, theirs] = [unique("my shop: www.example.org"), unique("dough"), unique("portal")];
    await write(page, text);
    await expectNotice(page, "Failed to send message", "Links are not allowed here.");
    const refused = row(page, text);
    await refused.getByText("Links are not allowed here.").waitFor();
    await refused.getByRole("button", { name: "Edit" }).focus();
    await say(other, theirs);
    await expectCount(page, theirs, 1);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Edit");
    await write(page, own);
    const order = () => textsOf(page).then((all) => all.filter((each) => [text, own, theirs].includes(each)));
    await eventually(order).toEqual([text, theirs, own]);
    await page.reload();
    await eventually(order).toEqual([text, theirs, own]);
    await field(page).fill("and this was being typed");
    await refused.getByRole("button", { name: "Edit" }).click();
    await eventually(() => field(page).inputValue()).toBe(`${text}\nand this was being typed`);
    const better = unique("my shop is closed");
    await write(page, better);
    await expectCount(page, better, 1);
    await expectCount(page, text, 0);
  });

  test("shows that it is waiting or failed, is sent automatically after a reload, and is stored once however often sent", async () => {
    const { page, person } = await enterQuietChat({ expectedProblems: [/POST/, /Failed to fetch/] });
    const [first, second] = [unique("first"), unique("second")];
    let answer = (_: "lost" | "cut") => {};
    await page.route("**/rest/v1/chat_messages**", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const fate = await new Promise((resolve) => {
        answer = resolve;
      });
      // The message is stored, but the response is lost.
      if (fate === "lost") await route.fetch();
      await route.abort("connectionreset");
    });
    await write(page, first);
    await write(page, second);
    await eventually(() => row(page, first).getByText("Sending…").count()).toBe(1);
    // Its response is lost, but the room learns of it through the live update.
    answer("lost");
    await row(page, first).locator("time").waitFor();
    await eventually(async () => {
      answer("cut");
      return row(page, second).getByText(AWAY).count();
    }).toBe(1);
    await page.unroute("**/rest/v1/chat_messages**");
    await page.reload();
    await expectCount(page, first, 1);
    await row(page, second).locator("time").waitFor();
    const stored = await runSql(
      `select message from chat_messages where user_id = '${person.id}' order by created_at`,
    );
    expect(stored).toEqual([{ message: first }, { message: second }]);
  });
});

describe("the list", () => {
  test("starts with the newest 100, oldest first and the last one in view; scrolling up loads older ones, none twice", async () => {
    const writer = await signUpPerson();
    const name = unique("row");
    await fillChat(writer, 130, name);
    const { page } = await enterChat();
    await expectCount(page, `${name} 130`, 1);
    const own = async () => (await textsOf(page)).filter((text) => text.startsWith(name));
    // What other tests post meanwhile comes in addition.
    expect(await page.locator("[data-row]").count()).toBeGreaterThanOrEqual(100);
    const texts = await own();
    expect(texts.length).toBeLessThanOrEqual(100);
    expect(texts).toEqual(Array.from(texts, (_, index) => `${name} ${131 - texts.length + index}`));
    await eventually(() => isInView(page, `${name} 130`)).toBe(true);
    const log = page.getByRole("log", { name: "Messages" });
    await log.evaluate((element) => {
      element.scrollTop = 0;
    });
    await eventually(async () => (await own())[0]).toBe(`${name} 1`);
    const all = await own();
    expect(new Set(all).size).toBe(130);
    // The message being read has not moved out of view.
    expect(await isInView(page, texts[0] ?? "")).toBe(true);
    expect(await page.getByRole("button", { name: /newest|new message/ }).count()).toBe(1);
    await press(page, /newest|new message/);
    expect(await isInView(page, `${name} 130`)).toBe(true);
  });

  test("that cannot be loaded says so and never claims to be empty; grown long, it loses its oldest messages while its end is in view, and scrolling up loads them again", async () => {
    const person = await signUpPerson();
    const text = unique("there");
    await say(person, text);
    const reads = "**/rest/v1/shown_chat_messages?*";
    const { page } = await enterChat({
      person,
      expectedProblems: [/chat_messages/, /Failed to fetch/],
      prepare: (page) => page.route(reads, (route) => route.abort()),
    });
    await page.getByText("Messages can't be loaded right now").waitFor();
    expect(await page.getByText("The harbor is quiet").count()).toBe(0);
    expect(await page.locator(".toast").count()).toBe(0);
    // Unblocked only on the click: the room also retries by itself, which would remove the link.
    await page.exposeFunction("unblock", () => page.unroute(reads));
    await page.evaluate(() => addEventListener("pointerdown", () => Reflect.get(window, "unblock")(), true));
    await page.getByRole("link", { name: "Try again" }).click();
    await expectCount(page, text, 1);

    const [name, since] = [unique("kept"), Date.now() - 1000];
    const all = Array.from({ length: 450 }, (_, at) => ({
      ...{ id: crypto.randomUUID(), user_id: person.id, username: person.username, message: `${name} ${at}` },
      created_at: new Date(since + at).toISOString(),
    }));
    await page.route(reads, (route, request) => {
      const before = new URL(request.url()).searchParams.get("created_at")?.match(/^lte\.(.*)$/)?.[1];
      const older = all.filter((each) => before && Date.parse(each.created_at) < Date.parse(before));
      return route.fulfill({ json: (before ? older.slice(-100) : all).toReversed() });
    });
    await page.reload();
    await expectCount(page, `${name} 250`, 1);
    await expectCount(page, `${name} 249`, 0);
    await eventually(() => isInView(page, `${name} 449`)).toBe(true);
    const log = page.getByRole("log", { name: "Messages" });
    await log.evaluate((element) => {
      element.scrollTop = 0;
    });
    await expectCount(page, `${name} 150`, 1);
    await expectCount(page, `${name} 449`, 1);
    expect(await isInView(page, `${name} 250`)).toBe(true);
  });
});

function isInView(page: Page, text: string): Promise<boolean> {
  return row(page, text)
    .first()
    .evaluate((element) => {
      const box = element.getBoundingClientRect();
      const log = element.closest("[role=log]")?.getBoundingClientRect();
      return log !== undefined && box.top >= log.top - 1 && box.bottom <= log.bottom + 1;
    });
}

test("one's own message is deleted after a confirmation, and stays if that fails; an admin may delete any message", async () => {
  const { page, person } = await enterQuietChat({ expectedProblems: [/DELETE/] });
  const other = await signUpPerson();
  const [own, theirs] = [unique("mine"), unique("not mine")];
  await expectLive(page);
  await say(other, theirs);
  await write(page, own);
  await row(page, own).locator("time").waitFor();
  await expectCount(page, theirs, 1);
  const removeOf = (text: string) => row(page, text).getByRole("button", { name: /^Delete/ });
  expect(await removeOf(theirs).count()).toBe(0);
  const remove = async (text: string, name: string) => {
    await row(page, text).hover();
    await row(page, text).getByRole("button", { name }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  };
  await page.route(
    "**/rest/v1/chat_messages**",
    (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()),
    { times: 1 },
  );
  await remove(own, "Delete your message");
  await expectNotice(page, "Failed to delete message", UNREACHABLE);
  await expectCount(page, own, 1);
  await remove(own, "Delete your message");
  await expectNotice(page, "Message Deleted", "Your message has been removed");
  await expectCount(page, own, 0);
  expect(await runSql(`select from chat_messages where user_id = '${person.id}'`)).toHaveLength(0);

  await giveRole(testSite(), person.id, "admin");
  await page.reload();
  await remove(theirs, `Delete ${other.username}’s message`);
  await expectNotice(page, "Message Deleted", "The message has been removed");
  await expectCount(page, theirs, 0);
});

/** The notice for a reporter. */
const SENT = "Thank you. A moderator will look at it; your account page says what became of it.";

describe("protection of users", () => {
  test("a message is reported with a reason, once, and its writer muted with it and unmuted again", async () => {
    const other = await signUpPerson();
    const theirs = unique("are you new");
    const takenBack = unique("which fruit");
    const gone = await say(other, takenBack);
    const { page, person } = await enterQuietChat({ expectedProblems: REFUSED });
    await page.getByText(/^Stay safe:/).waitFor();
    const open = async (text: string) => {
      await row(page, text).hover();
      await press(page, `Reply to ${other.username}, react or report`);
      await press(page, "Report to the moderators");
    };
    // A message deleted by its writer while it is being reported is reported all the same.
    await open(takenBack);
    await other.client.from("chat_messages").delete().eq("id", gone).throwOnError();
    await expectCount(page, takenBack, 0);
    await page.getByLabel("Something else").check();
    await press(page, "Send report");
    await expectNotice(page, "Message reported", SENT);
    // Focus cannot return to the deleted message that opened the dialog.
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches(".chat-room *"))).toBe(true);

    await say(other, theirs);
    await open(theirs);
    await press(page, "Send report");
    await page.getByText("Please choose what’s wrong").waitFor();
    await page.getByLabel(/^Asks for personal things/).check();
    await expectNoAxeFindings(page);
    await press(page, "Send report");
    // The first report's notice is still shown until the second report is stored.
    const reports = () =>
      runSql(
        `select evidence as message, code from reports where reporter_id = '${person.id}' order by created_at`,
      );
    await expect.poll(reports).toMatchObject([
      { message: takenBack, code: "other" },
      { message: theirs, code: "personal" },
    ]);

    await open(theirs);
    await page.getByLabel("Spam").check();
    await page.getByLabel(`Mute ${other.username} too`).check();
    await press(page, "Send report");
    await expectNotice(
      page,
      "You already reported this message",
      `The moderators know about it. You no longer see messages from ${other.username}.`,
    );
    await expectCount(page, theirs, 0);
    await page.reload();
    await press(page, "1 muted");
    await expectCount(page, theirs, 0);
    await press(page, `Unmute ${other.username}`);
    await expectCount(page, theirs, 1);
    await page.getByText("You haven’t muted anyone.").waitFor();
    // The pressed button is gone.
    expect(await page.evaluate(() => document.activeElement?.closest("dialog")?.open)).toBe(true);
  });

  test("a report whose writer cannot be muted says both, who is muted is shown as stored after a lost answer, and only listed writers' names are links", async () => {
    const [listed, hidden] = await Promise.all([signUpPerson(), signUpPerson()]);
    await hidden.client.from("profiles").update({ listed: false }).eq("id", hidden.id).throwOnError();
    const [shown, kept] = [unique("who is here"), unique("who is there")];
    const { page } = await enterQuietChat({
      expectedProblems: [/answer 503: /, /request failed: POST .*chat_mutes/],
    });
    await expectLive(page);
    await say(listed, shown);
    await say(hidden, kept);
    await row(page, shown).getByRole("link", { name: listed.username }).waitFor();
    await row(page, kept).getByText(hidden.username, { exact: true }).waitFor();
    expect(await row(page, kept).getByRole("link").count()).toBe(0);

    await page.route("**/rest/v1/chat_mutes*", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 503, json: { message: "Overloaded" } })
        : route.continue(),
    );
    await row(page, shown).hover();
    await press(page, `Reply to ${listed.username}, react or report`);
    await press(page, "Report to the moderators");
    await page.getByLabel("Spam").check();
    await page.getByLabel(`Mute ${listed.username} too`).check();
    await press(page, "Send report");
    await expectNotice(
      page,
      "Message reported",
      `${SENT} But ${listed.username} could not be muted: please try that again.`,
    );
    await expectCount(page, shown, 1);
    await page.unroute("**/rest/v1/chat_mutes*");

    await loseAnswer(page, /\/chat_mutes(\?|$)/);
    await row(page, kept).hover();
    await press(page, `Reply to ${hidden.username}, react or report`);
    await page.getByRole("button", { name: `Mute ${hidden.username}` }).waitFor();
    expect(await page.getByRole("dialog").getByRole("link").count()).toBe(0);
    await press(page, `Mute ${hidden.username}`);
    await expectCount(page, kept, 0);
    await page.getByRole("button", { name: "1 muted" }).waitFor();
  });
});

test("by keyboard alone the log is one tab stop, arrows move in it, Tab reaches a message's controls; axe finds nothing wide or narrow, and nothing is beside the screen", async () => {
  const other = await signUpPerson();
  const [one, two] = [unique("one"), unique("two")];
  await say(other, one);
  await say(other, two);
  const { page, person } = await enterQuietChat({ expectedProblems: REFUSED });
  await expectCount(page, two, 1);
  const log = page.getByRole("log", { name: "Messages" });
  await log.focus();
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
    );
  // Other tests post in this room too: theirs may be between.
  const walkTo = async (text: string, key: "ArrowUp" | "ArrowDown") => {
    await page.keyboard.press(key);
    for (let left = 100; left > 0 && !(await focused())?.includes(text); left--)
      await page.keyboard.press(key);
    expect(await focused()).toContain(text);
  };
  await walkTo(two, "ArrowUp");
  await walkTo(one, "ArrowUp");
  await walkTo(two, "ArrowDown");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe(`Reply to ${other.username}, react or report`);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  expect(await focused()).toBe(`Reply to ${other.username}, react or report`);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("message");

  await say(person, `${unique("W".repeat(200))}`);
  await write(page, "see www.example.org");
  await row(page, "see www.example.org").getByText("Links are not allowed here.").waitFor();
  for (const [width, height, scheme, rules] of [
    [1280, 800, "light", ["color-contrast"]],
    [320, 640, "dark", undefined],
  ] as const) {
    await page.setViewportSize({ width, height });
    await paint(page, scheme);
    await expectNoAxeFindings(page, rules ? { rules: [...rules] } : {});
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect((await field(page).boundingBox())?.y).toBeLessThan(height);
  }
});
