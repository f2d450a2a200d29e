import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectNoAxeFindings, type PageOptions } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { setApprovedAvatar } from "#tests/helpers/storage/approved-avatar.ts";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { expectCount, row, runSql, write } from "./chat-page.ts";

// All moderators share the count of open reports, so this needs its own site.
const site = ownSite({ AVATAR_UPLOADS: "on" });
let eve: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
beforeAll(async () => {
  [eve, ana, ben] = await Promise.all([signUpAdmin(site), signUpPerson(site), signUpPerson(site)]);
});

const openModeration = (options: PageOptions = {}) =>
  visitAs(eve, "/admin?tab=moderation", { ...options, address: site.address });

async function say(person: SignedIn, message: string): Promise<string> {
  const { data, error } = await person.client.from("chat_messages").insert({ message }).select("id").single();
  if (error) throw error;
  return data.id;
}

async function report(person: SignedIn, id: string, reason: string): Promise<void> {
  await person.client.from("chat_reports").insert({ message_id: id, reason }).throwOnError();
}

/** The notice for a silenced user, here and in the chat. */
const SILENCED = /^You can't write in the chat for \d+ minutes, until .+ UTC\. Reason: Be kind\.?$/;
const TOLD = "They’re told why. Undo takes it back.";

const section = (page: Page, title: string) => page.getByRole("region", { name: title });
const caseOf = (page: Page, person: SignedIn) => page.locator(`[data-case="${person.id}"]`);
const tabName = (page: Page) => page.getByRole("tab", { name: /^Moderation/ }).textContent();

describe("a report", () => {
  test("arrives live, is judged with the surrounding messages, and is handled: message removed, writer silenced; opened again, it is dismissed, restored and dismissed by keyboard alone", async () => {
    const page = await openModeration();
    const chat = await visitAs(ben, "/chat", {
      address: site.address,
      expectedProblems: [/answer 403: POST/],
    });
    await page.getByText("All quiet in the harbor").waitFor();
    await say(ana, "kitsune for control?");
    const rude = await say(ben, "your fruit is bad");
    const takenBack = await say(ben, "no deal for you");
    await ben.client.from("chat_messages").delete().eq("id", takenBack).throwOnError();
    await say(ana, "that is mean");
    await row(chat, "your fruit is bad").waitFor();
    await report(ana, rude, "Mean, hateful or bullying");
    await report(eve, rude, "Something else");

    const card = caseOf(page, ben);
    await card.waitFor();
    await eventually(() => tabName(page)).toBe("Moderation (2)");
    await card.getByText(`${ana.username}: Mean, hateful or bullying`).waitFor();
    await card.getByText("What was said around it").click();
    const around = card.locator("details li");
    await eventually(() => around.allInnerTexts()).toEqual([
      expect.stringMatching(/kitsune for control\?$/),
      expect.stringMatching(/your fruit is bad$/),
      expect.stringMatching(/no deal for you Deleted$/),
      expect.stringMatching(/that is mean$/),
    ]);
    await expectNoAxeFindings(page);

    await card.getByRole("button", { name: "Silence" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("");
    await dialog.getByRole("button", { name: "Silence", exact: true }).click();
    await expectNotice(page, "Validation Error", "Reason is required");
    await dialog.getByLabel("How long").selectOption("1 hour");
    await dialog.getByLabel("Reason").fill("Be kind");
    await dialog.getByLabel("Reason").press("Enter");
    await expectNotice(page, "Person silenced", TOLD);
    await page.getByText("All quiet in the harbor").waitFor();
    await eventually(() => tabName(page)).toBe("Moderation");
    await write(chat, "hello again");
    await expectNotice(chat, "Failed to send message", expect.stringMatching(SILENCED));
    await chat.getByRole("button", { name: "Discard" }).waitFor();
    expect(await chat.getByRole("button", { name: /^Retry/ }).count()).toBe(0);
    const refused = await ben.client.from("chat_messages").insert({ message: "hi" });
    expect(refused.status).toBe(403);
    expect(refused.error?.message).toMatch(SILENCED);

    await page.getByText("Handled", { exact: true }).click();
    await card.getByText("1 strike").waitFor();
    await card.getByRole("button", { name: "Remove message" }).click();
    await dialog.getByLabel("Which").waitFor();
    await dialog.getByRole("button", { name: "Remove message" }).click();
    await expectNotice(page, "Message removed", TOLD);
    await expectCount(chat, "your fruit is bad", 0);
    await card.getByText("2 strikes").waitFor();
    expect(await card.locator("blockquote").textContent()).toBe("your fruit is bad");
    const { data: left } = await ana.client.from("chat_messages").select("message").order("created_at");
    expect(left?.map(({ message }) => message)).toEqual(["kitsune for control?", "that is mean"]);
    await card.getByRole("button", { name: "Open again" }).click();
    await expectNotice(page, "Opened again");
    await eventually(() => tabName(page)).toBe("Moderation (2)");

    // By keyboard alone.
    await page.getByText("Open", { exact: true }).click();
    await caseOf(page, ben).waitFor();
    await page.getByLabel("Username").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await eventually(() => caseOf(page, ben).evaluate((card) => card === document.activeElement)).toBe(true);
    await page.keyboard.press("8");
    await dialog.getByLabel("Note").fill("Was calm until today");
    await dialog.getByRole("button", { name: "Keep note" }).press("Enter");
    await caseOf(page, ben).getByText(`${eve.username}: Was calm until today`).waitFor();
    await caseOf(page, ben).focus();
    await page.keyboard.press("1");
    await page.getByText("All quiet in the harbor").waitFor();
    await eventually(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await expectNotice(page, "Dismissed");
    await page.keyboard.press("u");
    await expectNotice(page, "Taken back");
    await caseOf(page, ben).getByRole("button", { name: "Dismiss", disabled: false }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.getByText("All quiet in the harbor").waitFor();
    await eventually(async () => {
      const { data } = await ana.client.from("reports").select("outcome");
      return data;
    }).toEqual([{ outcome: "acted" }]);
  });

  test("is hidden from users who are not moderators", async () => {
    const { data: seen } = await ben.client.from("chat_reports").select("id");
    expect(seen).toEqual([]);
    const { data: resolved } = await ana.client
      .from("chat_reports")
      .update({ resolved_at: "2026-01-01" })
      .neq("message", "")
      .select("id");
    expect(resolved).toEqual([]);
    const { data: lifted } = await ben.client
      .from("chat_silences")
      .delete()
      .eq("user_id", ben.id)
      .select("user_id");
    expect(lifted).toEqual([]);
  });
});

test("silences are listed and lifted, a user without reports is found by name, and an unkind picture is removed from its profile, which is listed; everything fits a phone in dark mode, and axe finds nothing", async () => {
  const address = await setApprovedAvatar(site, ana, await picture("png", 60, 60));
  const page = await openModeration({ width: 390 });
  const silences = section(page, "Silenced People");
  await silences.getByText(ben.username).waitFor();
  await silences.getByRole("button", { name: `Lift the silence of ${ben.username}` }).click();
  await expectNotice(page, "Silence lifted", `${ben.username} can write in the chat again.`);
  await silences.getByText("Nobody is silenced.").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
  expect(await say(ben, "sorry")).toBeTruthy();
  // Lifted so soon, it was a mistake: the report waits again.
  await caseOf(page, ben).getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("All quiet in the harbor").waitFor();

  await page.getByLabel("Username").fill("Nobody_By_This");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText("Nobody has this username").waitFor();
  await page.getByLabel("Username").fill(ana.username.toUpperCase());
  await page.getByLabel("Username").press("Enter");
  await caseOf(page, ana).getByRole("button", { name: "Silence" }).click();
  const dialog = page.getByRole("dialog", { name: `Silence ${ana.username}` });
  await dialog.getByLabel("How long").selectOption("Forever");
  await dialog.getByLabel("Reason").fill("Asked for it");
  await dialog.getByLabel("Reason").press("Enter");
  await expectNotice(page, "Person silenced", TOLD);
  await silences.getByText("for good").waitFor();
  await page.getByRole("button", { name: "Undo: person silenced" }).click();
  await expectNotice(page, "Taken back");
  await silences.getByText("Nobody is silenced.").waitFor();
  await page.getByRole("button", { name: "Show all cases" }).click();
  await page.getByText("All quiet in the harbor").waitFor();

  const pictures = section(page, "Profile Pictures");
  const width = () => pictures.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await eventually(width).toBeGreaterThan(0);
  await pictures.getByRole("button", { name: `Remove the picture of ${ana.username}` }).click();
  await expectNotice(page, "Picture removed");
  await pictures.getByText("Nobody has a picture.").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
  const own = await ana.client.from("profiles").select("avatar_url").eq("id", ana.id).single();
  expect(own.data).toEqual({ avatar_url: null });
  expect((await fetch(address)).status).toBe(400);

  await page.setViewportSize({ width: 320, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  const said = await say(ben, "so slow");
  await report(ana, said, "Spam");
  await page.reload();
  await caseOf(page, ben).waitFor();
  await section(page, "What Admins Did").getByText(`removed the picture of ${ana.username}`).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await caseOf(page, ben).getByRole("button", { name: "Silence" }).click();
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await expectNoAxeFindings(page);
});

test("the list of acts shows who did what and what changed, can be filtered, and pages back to its start", async () => {
  const { client } = eve;
  await runSql(
    `insert into admin_acts (at, admin_id, act, table_name, row_id, title)
     select now() + n * interval '1 microsecond', '${eve.id}', 'update', 'items', '${eve.id}', 'Kept ' || n
     from generate_series(1, 100) as n`,
    site.databaseUrl,
  );
  await client.from("categories").update({ display_order: 20 }).eq("slug", "tokens").throwOnError();
  await client.from("items").update({ is_permanent: true }).in("slug", ["kitsune", "spin"]).throwOnError();
  const page = await openModeration();
  const acts = section(page, "What Admins Did");
  const lines = acts.locator("ol > li");
  await lines.first().waitFor();
  expect(await lines.first().textContent()).toMatch(new RegExp(`^${eve.username} changed 2 items at once`));
  await lines.nth(1).locator("summary").press("Enter");
  expect(await lines.nth(1).textContent()).toMatch(
    /changed the category Tokens[\s\S]*Display Order\s*8 → 20/,
  );

  await acts.getByLabel("What").selectOption("Sanction");
  await eventually(() => lines.allInnerTexts()).toEqual([
    expect.stringContaining(`took back what was done about ${ana.username}`),
    expect.stringContaining(`silenced ${ana.username}`),
    expect.stringContaining(`removed a message of ${ben.username}`),
    expect.stringContaining(`silenced ${ben.username}`),
  ]);
  await page.reload();
  await eventually(() => lines.count()).toBe(4);
  await acts.getByLabel("What").selectOption("Everything");
  await acts.getByLabel("Admin").selectOption(eve.username);
  await acts.getByRole("button", { name: "Show older" }).click();
  await eventually(() => lines.last().textContent()).toContain(`silenced ${ben.username}`);
  expect(await acts.getByRole("button", { name: "Show older" }).count()).toBe(0);
  await acts.getByLabel("Admin").selectOption("The operator");
  await eventually(() => lines.allInnerTexts()).toContainEqual(
    expect.stringContaining(`The operator gave the admin role to ${eve.username}`),
  );
});

test("an editor is notified of news without a reload, only about values, and can go to it", async () => {
  const ned = await signUpPerson(site, "editor");
  await runSql("delete from editor_notices", site.databaseUrl);
  const page = await visitAs(ned, "/admin", { address: site.address, width: 360, height: 740 });
  await page.getByText("News", { exact: true }).click();
  await page.getByText("No news in 30 days.").waitFor();
  await runSql(
    `insert into editor_notices (kind, count, items) values
       ('reports', 7, '{}'), ('proposals', 2, '{Buddha,Kitsune}'), ('failed_mails', 3, '{}')`,
    site.databaseUrl,
  );
  await page.getByText("News (1 in 24 hours)", { exact: true }).waitFor();
  const news = page.locator("details").getByRole("list", { name: "News" });
  await news.getByRole("link").waitFor();
  expect(await news.getByRole("listitem").count()).toBe(1);
  await expectNoSidewaysScroll(page);
  await expectNoAxeFindings(page, { include: "details[open]" });
  await news.getByRole("link", { name: "2 values wait for a second person: Buddha, Kitsune" }).click();
  await page.getByRole("tab", { name: /^Proposals/, selected: true }).waitFor();
});
