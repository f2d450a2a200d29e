import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import type { TestSite } from "#tests/helpers/site-setup.ts";
import { alive } from "#tests/helpers/visit.ts";
import { expectCount, row, unique, write } from "./chat-page.ts";

// A site on which nobody has chosen an age group yet (P46), and that sends mail.

const PHONE = { width: 360, height: 740 };
/** The database refuses writes before the question is answered, a second answer, and requests of an account deleted meanwhile. */
const ASKED_FIRST = [/answer 40[139]: /];
const dataDir = readyDataDir();
const site: TestSite = { address: "", databaseUrl: "" };
let catcher: MailCatcher;
let server: ServerProcess;

beforeAll(async () => {
  catcher = await catchMails();
  const env = { DATA_DIR: dataDir, SMTP_URL: catcher.url, AUTH_AUTOCONFIRM_EMAIL: "true" };
  server = await startServer({ env });
  site.address = server.address;
  site.databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
});

afterAll(async () => {
  await server?.stop();
  await catcher?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function enter(person: SignedIn) {
  const options = { ...PHONE, address: site.address, expectedProblems: ASKED_FIRST };
  const page = await visitAs(person, "/chat", options);
  await page.getByLabel("Message", { exact: true }).waitFor();
  return page;
}

test("the first message asks for the age group, also by keyboard, and is sent once it is chosen", async () => {
  const page = await enter(await signUpPerson(site));
  const text = unique("hello");
  await write(page, text);
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  const group = dialog.getByRole("radiogroup", { name: "How old are you?" });
  await group.waitFor();
  const labels = ["Under 13", "13 to 15", "16 or 17", "18 or older"];
  for (const label of labels) {
    const choice = dialog.getByLabel(label, { exact: true });
    expect(await choice.isChecked(), label).toBe(false);
    // Where the rows begin between two pixels, a row of 44 is a rounding error less.
    expect((await choice.locator("..").boundingBox())?.height).toBeGreaterThan(43.9);
  }
  expect((await new AxeBuilder({ page }).include("dialog[open]").analyze()).violations).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).press("Enter");
  await dialog.getByRole("alert").getByText("Please choose your age group").waitFor();
  expect(await group.getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Under 13", { exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await expectCount(page, text, 1);
  // Asked only once.
  const second = unique("again");
  await write(page, second);
  await expectCount(page, second, 1);
});

test("the answer given in one tab is the answer in another that asks too, and loses nothing written there", async () => {
  const person = await signUpPerson(site);
  const [first, second] = [await enter(person), await enter(person)];
  const [early, late] = [unique("first"), unique("second")];
  await write(first, early);
  await write(second, late);
  const dialogIn = (page: Page) => page.getByRole("dialog", { name: "Before you talk to others" });
  for (const [page, band] of [
    [second, "16 or 17"],
    [first, "18 or older"],
  ] as const) {
    await dialogIn(page).getByLabel(band, { exact: true }).check();
    await dialogIn(page).getByRole("button", { name: "Continue" }).click();
    await dialogIn(page).waitFor({ state: "hidden" });
  }
  await expectCount(first, early, 1);
  await expectCount(first, late, 1);

  // The tab that is looked at again finds out by itself.
  const other = await signUpPerson(site);
  const [open, again] = [await enter(other), unique("hello")];
  await write(open, again);
  await dialogIn(open).getByRole("button", { name: "Continue" }).waitFor();
  await other.client.rpc("choose_age_band", { band: "13-15" }).throwOnError();
  await open.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await dialogIn(open).waitFor({ state: "hidden" });
  await expectCount(open, again, 1);
});

test("a first reaction to a message also asks for the age group, and is added once it is chosen; on the smallest phone a child sees more of the chat than of the quick talk buttons", async () => {
  const [writer, reader] = [await signUpPerson(site), await signUpPerson(site)];
  await writer.client.rpc("choose_age_band", { band: "13-15" }).throwOnError();
  const text = unique("hello");
  await writer.client.from("chat_messages").insert({ message: text }).throwOnError();
  const page = await enter(reader);
  const message = row(page, text);
  await message.getByRole("button", { name: /react or report$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Fire" }).click();
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  await dialog.getByLabel("Under 13", { exact: true }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  // A parent may be asked to allow more; reactions are open to children.
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await message.getByRole("button", { name: "🔥 1" }).waitFor();

  const small = { width: 320, height: 640 };
  await page.setViewportSize(small);
  await page.getByRole("button", { name: "Ask a parent" }).waitFor();
  await page.getByRole("region", { name: "Quick talk" }).getByRole("button").first().waitFor();
  const heightOf = (part: string) => page.locator(part).evaluate((element) => element.clientHeight);
  await expect.poll(() => heightOf(".chat-log")).toBeGreaterThanOrEqual(200);
  expect(await heightOf(".chat-tray")).toBeGreaterThanOrEqual(100);
  // All of it is visible without scrolling the page.
  const room = await page.locator(".chat-room").boundingBox();
  expect((room?.y ?? 0) + (room?.height ?? 0)).toBeLessThanOrEqual(small.height);
});

test("a child has only quick talk, asks a parent, and can write once the parent consents", async () => {
  const child = await signUpPerson(site);
  const page = await enter(child);
  await page.clock.install();
  await write(page, "hello");
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  await dialog.getByLabel("Under 13", { exact: true }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  const told = dialog.getByText("A parent can allow you to write short messages.");
  await told.waitFor();
  // The form that had the focus is gone.
  expect(await told.evaluate((element) => element === document.activeElement)).toBe(true);
  await dialog.getByLabel("A parent’s email").fill("parent@example.net");
  await dialog.getByRole("button", { name: "Ask a parent" }).click();
  await dialog.getByText("We wrote to your parent on").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByText("We asked your parent if you may write messages.").waitFor();
  expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  // The field that had the focus is gone, and so is the reason why the message was not sent.
  const unsent = row(page, "You can use quick talk. A parent can allow more.");
  await unsent.waitFor();
  expect(await unsent.getByRole("button").allInnerTexts()).toEqual(["Discard"]);
  const focused = page.locator(":focus", { has: page.getByRole("region", { name: "Quick talk" }) });
  expect(await focused.count()).toBe(1);

  await expect.poll(() => catcher.mails.length).toBe(1);
  const [mail] = catcher.mails;
  expect(mail?.to).toEqual(["parent@example.net"]);
  const key = /#key=(\w{64})/.exec(mail?.text ?? "")?.[1];
  const expectedProblems = [/request failed: POST .*delete_as_parent/, /answer 404: POST .*delete_as_parent/];
  const parent = await openPage({ baseUrl: site.address, ...PHONE, expectedProblems });
  await parent.goto(`/parents/consent#key=${key}`);
  await alive(parent);
  await parent.getByText(`A child who goes by ${child.username} here asked`).waitFor();
  expect((await new AxeBuilder({ page: parent }).analyze()).violations).toEqual([]);
  await parent.getByRole("button", { name: "I am a parent, and I allow it" }).click();
  // Focused, as the pressed button is gone.
  await parent.locator(":focus", { hasText: `You allowed ${child.username} to write to others` }).waitFor();
  await parent.getByText("If you take it back, the child can only use ready-made phrases again").waitFor();

  // The child has the chat open meanwhile.
  await page.clock.fastForward(20_000);
  const text = unique("hello");
  await write(page, text);
  await expectCount(page, text, 1);
  const stored = () => child.client.from("chat_messages").select("id").eq("user_id", child.id);
  await expect.poll(async () => (await stored()).data?.length).toBe(1);

  // The parent sees the stored data, and deletes it.
  const [file] = await Promise.all([
    parent.waitForEvent("download"),
    parent.getByRole("button", { name: "Download everything" }).click(),
  ]);
  const kept = JSON.parse(readFileSync(await file.path(), "utf8"));
  expect(kept.chat_messages).toEqual([expect.objectContaining({ message: text })]);
  await loseAnswer(parent, "**/rpc/delete_as_parent");
  await parent.getByRole("button", { name: "Delete the account" }).click();
  await parent.getByRole("button", { name: "Delete everything" }).click();
  await parent.getByText("The service can't be reached right now.").first().waitFor();
  await parent.getByRole("button", { name: "Delete everything" }).click();
  await parent.getByText("are deleted.").waitFor();
  const signedIn = await child.client.auth.signInWithPassword(child);
  expect(signedIn.error?.code).toBe("invalid_credentials");
});

test("a parent takes the permission back while the child writes: the chat says so, and so does the parent's other tab", async () => {
  const child = await signUpPerson(site);
  await child.client.rpc("choose_age_band", { band: "under-13" });
  await child.client.rpc("ask_parent", { email: "other-parent@example.net" });
  const findMail = () => catcher.mails.find(({ to }) => to.includes("other-parent@example.net"));
  await expect.poll(findMail).toBeDefined();
  const key = /#key=(\w{64})/.exec(findMail()?.text ?? "")?.[1] ?? "";
  await child.client.rpc("decide_as_parent", { key, decision: "allow" });
  const page = await enter(child);
  const parent = await openPage({ baseUrl: site.address, ...PHONE, expectedProblems: ASKED_FIRST });
  await parent.goto(`/parents/consent#key=${key}`);
  const takeBack = parent.getByRole("button", { name: "Take the permission back" });
  await takeBack.waitFor();
  await child.client.rpc("decide_as_parent", { key, decision: "withdraw" });

  await write(page, unique("hello"));
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  await dialog.getByText("Your parent took the permission back.").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByText("Your parent took back the permission to write messages.").waitFor();

  await takeBack.click();
  await parent.getByText("You took the permission back on").waitFor();
  expect(await takeBack.count()).toBe(0);
});

test("a child's token allows nothing more when used without our pages", async () => {
  const child = await signUpPerson(site);
  const { client, id } = child;
  const other = await signUpPerson(site);
  await other.client.rpc("choose_age_band", { band: "18-or-older", list_me: true }).throwOnError();
  const tries = () => ({
    write: client.from("chat_messages").insert({ user_id: id, username: "x", message: "Hello" }),
    comment: client
      .from("user_ratings")
      .insert({ rater_id: id, rated_user_id: other.id, rating: 5, comment: "Nice" }),
    list: client.from("profiles").update({ listed: true }).eq("id", id),
    rename: client.from("profiles").update({ username: "LuckyCrab77" }).eq("id", id),
  });
  for (const [name, attempt] of Object.entries(tries()))
    expect((await attempt).error, name).toMatchObject({ code: "PT403", details: "unasked" });
  await client.rpc("choose_age_band", { band: "under-13" }).throwOnError();
  for (const [name, attempt] of Object.entries(tries()))
    expect((await attempt).error, name).toMatchObject({ code: "PT403", details: "child" });
  expect((await client.rpc("choose_age_band", { band: "18-or-older" })).error?.code).toBe("PT409");
  expect((await client.rpc("set_age_band", { person: id, band: "18-or-older" })).error?.code).toBe("42501");
  expect((await client.from("age_bands").update({ band: "18-or-older" }).eq("user_id", id)).error?.code).toBe(
    "42501",
  );
  expect((await client.from("age_bands").select().eq("user_id", other.id)).data).toEqual([]);
  await client.rpc("ask_parent", { email: "other-parent@example.net" }).throwOnError();
  const guess = crypto.randomUUID().replaceAll("-", "").repeat(2);
  expect((await client.rpc("decide_as_parent", { key: guess, decision: "allow" })).error?.code).toBe("PT404");
});
