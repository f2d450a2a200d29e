import { createClient } from "@supabase/supabase-js";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { anonymousClient, endSessionIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import {
  enterChat,
  enterQuietChat,
  expectCount,
  expectLive,
  fillChat,
  row,
  say,
  textsOf,
  unique,
} from "./chat-page.ts";

/** Two users in two browsers, both receiving live updates. */
async function openTwoChats() {
  const rooms = await Promise.all([enterQuietChat(), enterQuietChat()]);
  for (const { page } of rooms) await expectLive(page);
  return rooms;
}

/** Scrolls the log so that it begins this many pixels below the row's top. */
const scrollTo = (place: Locator, pixels: number) =>
  place.evaluate((element: HTMLElement, below) => {
    const log = element.closest(".chat-log") as HTMLElement;
    log.scrollTop = element.offsetTop + below;
  }, pixels);

const newMessages = (page: Page) => page.getByRole("button", { name: /new message/ });

test("users present are counted and listed; a message appears for the other one in under 300 ms, once, and disappears for both when deleted", async () => {
  const [ana, ben] = await openTwoChats();
  const texts = [1, 2, 3, 4].map((n) => unique(`told ${n}`));
  await ben.page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      for (const text of document.querySelectorAll(".chat-text")) seen[text.textContent ?? ""] ??= Date.now();
    }).observe(document.body, { childList: true, subtree: true });
  });
  const delays: number[] = [];
  for (const text of texts) {
    await ana.page.getByLabel("Message", { exact: true }).fill(text);
    const sentAt = await ana.page.evaluate(() => {
      const at = Date.now();
      document.querySelector<HTMLFormElement>(".chat-composer")?.requestSubmit();
      return at;
    });
    await expectCount(ben.page, text, 1);
    delays.push((await ben.page.evaluate((name) => Reflect.get(globalThis, "seen")[name], text)) - sentAt);
  }
  process.stdout.write(`From Send to the other's screen: ${delays.join(", ")} ms\n`);
  const own = async (page: Page) => (await textsOf(page)).filter((text) => texts.includes(text));
  for (const { page } of [ana, ben]) expect(await own(page)).toEqual(texts);

  const [first = ""] = texts;
  await row(ana.page, first).hover();
  await row(ana.page, first).getByRole("button", { name: "Delete your message" }).click();
  await ana.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectCount(ben.page, first, 0);
  await expectNotice(ana.page, "Message Deleted", "Your message has been removed");
  expect(await own(ben.page)).toEqual(texts.slice(1));

  // Under their names from the database.
  const here = ana.page.getByRole("button", { name: /^\d+ online$/ });
  await eventually(async () => Number.parseInt((await here.textContent()) ?? "0", 10)).toBeGreaterThanOrEqual(
    2,
  );
  await here.click();
  const people = ana.page.getByRole("dialog", { name: "Who is online" });
  for (const { person } of [ana, ben]) await people.getByRole("link", { name: person.username }).waitFor();
  await ben.page.getByRole("link", { name: "Home", exact: true }).click();
  await eventually(() => people.getByRole("link", { name: ben.person.username }).count()).toBe(0);
  await ben.page.getByRole("link", { name: "Chat", exact: true }).click();
  await expectLive(ben.page);
  await people.getByRole("link", { name: ben.person.username }).waitFor();
});

test("a reader who scrolls away just before something changes is not taken back, and reading older messages is not interrupted; the number of new ones is shown and announced to screen readers", async () => {
  const writer = await signUpPerson();
  const old = unique("old");
  await fillChat(writer, 60, old);
  const { data: newest } = await writer.client
    .from("chat_messages")
    .select("id")
    .eq("message", `${old} 60`)
    .single()
    .throwOnError();
  await writer.client.from("chat_reactions").insert({ message_id: newest.id, emoji: "👍" }).throwOnError();
  const { page } = await enterChat();
  await expectLive(page);
  const chip = row(page, `${old} 60`).getByRole("button", { name: /👍/ });
  await chip.waitFor();
  // Within one task: the scroll is announced only afterwards. Again if the log's size changed in just that moment.
  const leave = () =>
    chip.evaluate(async (button: HTMLElement) => {
      const log = button.closest(".chat-log") as HTMLElement;
      log.scrollTop = 0;
      button.click();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return log.scrollTop;
    });
  await eventually(leave).toBeLessThan(100);
  await page.getByRole("button", { name: "Jump to newest" }).waitFor();

  const log = page.getByRole("log", { name: "Messages" });
  // Other tests post in this room too; the first row in view has to be one that this test may delete.
  // Again if the log's size changed in just that moment.
  const [first, second] = [`${old} 20`, `${old} 21`];
  const isFirst = () =>
    row(page, first).evaluate(async (element) => {
      // The scroll is announced only then.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const top = element.closest(".chat-log")?.getBoundingClientRect().top ?? 0;
      const box = element.getBoundingClientRect();
      return box.top <= top && box.bottom > top;
    });
  await eventually(async () => {
    await scrollTo(row(page, first), 4);
    return (await isFirst()) && (await page.getByRole("button", { name: "Jump to newest" }).count()) === 1;
  }).toBe(true);
  // Not the log's own position: what others delete or add above the text changes that.
  const topOf = async (text: string) => (await row(page, text).boundingBox())?.y ?? NaN;
  const before = await topOf(second);
  // The log is scrolled back in the frame after a row is gone.
  const expectUnmoved = () =>
    eventually(async () => Math.abs((await topOf(second)) - before)).toBeLessThan(1.5);
  await page.locator("[data-slot=announcer]").evaluate((announcer) => {
    const announced: (string | null)[] = [];
    Object.assign(globalThis, { announced });
    new MutationObserver(() => announced.push(announcer.textContent)).observe(announcer, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const [one, two] = [unique("one"), unique("two")];
  await say(writer, one);
  await say(writer, two);
  await eventually(() => newMessages(page).textContent()).toMatch(/^([2-9]|\d\d) new messages ↓$/);
  await expectUnmoved();
  await writer.client.from("chat_messages").delete().eq("message", first).throwOnError();
  await expectCount(page, first, 0);
  await expectUnmoved();
  // Other tests post in this room too; then a number is announced.
  const announced = () => page.evaluate(() => Reflect.get(globalThis, "announced").join("\n"));
  await eventually(announced).toMatch(/two|new messages/);
  await page.evaluate(() => Reflect.get(globalThis, "announced").splice(0));
  expect(await log.getAttribute("aria-live")).toBe("off");
  await newMessages(page).click();
  await eventually(() => newMessages(page).count()).toBe(0);
  const last = unique("last");
  await say(writer, last);
  await expectCount(page, last, 1);
  await eventually(() =>
    log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 2),
  ).toBe(true);
  await eventually(announced).toMatch(new RegExp(`^${writer.username}: ${last}|new messages`, "m"));
  await writer.client.from("chat_messages").delete().eq("message", last).throwOnError();
  await expectCount(page, last, 0);
  expect(await page.locator("[data-slot=announcer]").textContent()).not.toContain(last);
});

/** Pixels by which a row in view may move: the row that begins above it is the one that stays, and wraps too. */
const ROW = 150;

test("a reader who scrolled up keeps the place when rows change their height, as on a phone that is turned", async () => {
  const writer = await signUpPerson();
  const old = unique(
    "a row that takes two lines on a desktop, and several on a phone that is held upright".repeat(2),
  );
  await fillChat(writer, 60, old);
  const { page } = await enterChat({ width: 800, height: 600 });
  // The layout then changes in more than one frame.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { transition: all 0.01ms !important; }");
    document.adoptedStyleSheets.push(sheet);
  });
  const place = row(page, `${old} 30`);
  await scrollTo(place, -10);
  await page.getByRole("button", { name: "Jump to newest" }).waitFor();
  const below = () =>
    place.evaluate((element) => {
      const log = element.closest(".chat-log") as HTMLElement;
      return element.getBoundingClientRect().top - log.getBoundingClientRect().top;
    });
  const heightOf = () => place.evaluate((element) => element.getBoundingClientRect().height);
  const wide = { at: await below(), height: await heightOf() };
  await page.setViewportSize({ width: 360, height: 600 });
  await eventually(heightOf).toBeGreaterThan(wide.height);
  await eventually(async () => Math.abs((await below()) - wide.at)).toBeLessThan(ROW);
  await page.setViewportSize({ width: 800, height: 600 });
  await eventually(heightOf).toBe(wide.height);
  await eventually(async () => Math.abs((await below()) - wide.at)).toBeLessThan(ROW);
});

test("a muted user is hidden in every tab, in live and stored messages, others still see them; a picture that a moderator takes away is gone from an open chat", async () => {
  const [ana, ben] = await openTwoChats();
  const [cem, mia] = await Promise.all([signUpPerson(), signUpPerson(testSite(), "moderator")]);
  const before = unique("before");
  await say(cem, before);
  await expectCount(ana.page, before, 1);
  const otherTab = await ana.page.context().newPage();
  await otherTab.goto(ana.page.url());
  await expectCount(otherTab, before, 1);
  await row(ana.page, before).hover();
  await ana.page.getByRole("button", { name: `Reply to ${cem.username}, react or report` }).click();
  await ana.page.getByRole("button", { name: `Mute ${cem.username}`, exact: true }).click();
  await expectNotice(
    ana.page,
    `${cem.username} is muted`,
    "You no longer see their messages. They are not told.",
  );
  for (const tab of [ana.page, otherTab]) await expectCount(tab, before, 0);
  await eventually(() => ana.page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  const after = unique("after");
  await say(cem, after);
  await expectCount(ben.page, after, 1);
  const address = "/items/kitsune.svg#teal";
  await ben.person.client
    .from("profiles")
    .update({ avatar_url: address })
    .eq("id", ben.person.id)
    .throwOnError();
  const later = unique("later");
  await say(ben.person, later);
  for (const tab of [ana.page, otherTab]) {
    await expectCount(tab, later, 1);
    expect(await row(tab, after).count()).toBe(0);
  }

  const picture = row(ana.page, later).locator("img");
  await picture.waitFor();
  await mia.client
    .from("sanctions")
    .insert({ user_id: ben.person.id, kind: "picture", code: "other", reason: "Not for children" })
    .throwOnError();
  await eventually(() => picture.count()).toBe(0);
  await expectCount(ana.page, later, 1);
});

test("the connection gets the session's token at the start and every refreshed one; after logout, as a visitor or with a forged token nothing is received or read", async () => {
  const [person, witness] = [await signUpPerson(), await enterQuietChat()];
  await expectLive(witness.page);
  const { access_token: first } = person.session;
  const page = await visitAs(person, "/about");
  const sent: string[] = [];
  const received: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => sent.push(String(payload)));
    socket.on("framereceived", ({ payload }) => received.push(String(payload)));
  });
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await expectLive(page);
  expect(sent.filter((frame) => frame.includes("phx_join")).join()).toContain(first);
  await endSessionIn(page, 5);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const renewed = () => sent.filter((frame) => /"access_token"/.test(frame) && !frame.includes("phx_join"));
  await eventually(
    () =>
      sent.filter((frame) => /"realtime:chat","access_token",\{/.test(frame) && !frame.includes(first))
        .length,
  ).toBe(1);
  expect(renewed().length).toBeGreaterThan(0);
  expect(renewed().join()).not.toContain(first);
  const told = unique("still told");
  await say(witness.person, told);
  await expectCount(page, told, 1);

  const visitor = await anonymousClient(testSite());
  const heard: unknown[] = [];
  const statuses: string[] = [];
  visitor
    .channel("eavesdropper")
    .on("postgres_changes", { event: "*", schema: "public", table: "chat_messages" }, (change) =>
      heard.push(change),
    )
    .subscribe((status, error) => statuses.push(error ? `${status} ${error.message}` : status));
  await eventually(() => statuses[0]).toBe(
    "CHANNEL_ERROR PrivateOnly: This project only allows private channels",
  );
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("/");
  const text = unique("not heard");
  await say(witness.person, text);
  await expectCount(witness.page, text, 1);
  expect(heard).toEqual([]);
  expect(received.join("\n")).toContain(told);
  expect(received.join("\n")).not.toContain(text);
  expect((await visitor.from("chat_messages").select()).data ?? []).toEqual([]);
  const [head, , signature] = person.session.access_token.split(".");
  const claims = Buffer.from(JSON.stringify({ role: "service_role", exp: 9e9 })).toString("base64url");
  const forged = createClient(testSite().address, Reflect.get(visitor, "supabaseKey"), {
    accessToken: async () => `${head}.${claims}.${signature}`,
  });
  const answer = await forged.from("chat_messages").select();
  expect([answer.status, answer.data]).toEqual([401, null]);
  await visitor.removeAllChannels();
});
