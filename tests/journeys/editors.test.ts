import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import {
  giveRole,
  type SignedIn,
  signUpAdmin,
  signUpPerson,
  takeRoles,
  visitAs,
} from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { AWAY, edit, holdWrites, keepItems, rowOf } from "./admin-items-page.ts";

// No editor counts as new here, and no item as most valuable.
const site = ownSite({ VALUES_NEW_EDITOR_CHANGES: "0", VALUES_DEAR_ITEMS: "0" });
const PHONE = { width: 360, height: 740 };
let ned: SignedIn;
let eve: SignedIn;

beforeAll(async () => {
  [eve, ned] = await Promise.all([signUpAdmin(site), signUpPerson(site, "editor")]);
  await keepItems(site, "buddha spike rocket light bomb spring smoke spin".split(" "));
});

const open = (person: SignedIn, path = "/admin", size = {}) =>
  visitAs(person, path, { address: site.address, ...size });
const readValue = async (slug: string) =>
  (await ned.client.from("items").select("current_value").eq("slug", slug).single().throwOnError()).data
    .current_value;

/** Fills in an item's form as an editor does, without submitting it. */
async function change(page: Page, name: string, value: string, note = "Seen in ten trades") {
  const form = await edit(page, name);
  await form.getByLabel("Current Value", { exact: true }).fill(value);
  await form.getByLabel("Reason", { exact: true }).selectOption("Trades were seen at this value");
  await form.getByLabel("Note").fill(note);
  return form;
}
const publish = { name: "Publish", exact: true } as const;

test("an editor's area has values and proposals alone; a small change is published with its reason, note, evidence and role, visible to everybody", async () => {
  const page = await open(ned);
  await rowOf(page, "buddha").waitFor();
  const tabs = await page.getByRole("tab").allTextContents();
  expect(tabs).toEqual(["Manage Items", "Value Grid", "Work List", "Proposals"]);
  for (const gone of ["Add New Item", "Archive", "Page Field Visibility"])
    expect(await page.getByRole("heading", { name: gone }).count()).toBe(0);
  expect(await page.getByRole("button", { name: /^Delete / }).count()).toBe(0);
  const main = page.getByRole("navigation", { name: "Main" });
  expect(await main.getByRole("link", { name: "Editing" }).count()).toBe(1);

  const form = await change(page, "Spike", "190K");
  await form.getByLabel("Note").fill("");
  await form.getByRole("button", publish).click();
  await form.getByText("Say why in a few words").waitFor();
  await form.getByLabel("Note").fill("Wanted again");
  await form.getByLabel("Evidence").fill("https://example.org/spike");
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");
  const visitor = await visitAs(ned, "/changes", { address: site.address, ...PHONE });
  const line = visitor.locator("main li").filter({ hasText: "Wanted again" });
  await line.getByText("Trades were seen at this value: Wanted again").waitFor();
  await line.getByText("By an editor", { exact: true }).waitFor();
  const link = line.getByRole("link", { name: /^Evidence/ });
  expect(await link.getAttribute("href")).toBe("https://example.org/spike");
  expect(await link.getAttribute("rel")).toBe("nofollow ugc noopener");
  expect(await line.textContent()).not.toContain(ned.username);
  await expectNoSidewaysScroll(visitor);
  await expectNoAxeFindings(visitor);

  await visitor.goto("/fruits/spike");
  const step = visitor.getByRole("listitem").filter({ hasText: "Wanted again" }).first();
  await step.getByText("Trades were seen at this value: Wanted again").waitFor();
  expect(await step.getByRole("link", { name: /^Evidence/ }).getAttribute("href")).toBe(
    "https://example.org/spike",
  );
  await page.getByRole("button", { name: "Ledger of Spike" }).click();
  const row = page.getByRole("dialog").getByRole("row").filter({ hasText: "Wanted again" });
  await row.getByText("Trades were seen at this value: Wanted again").waitFor();
  await row.getByText("By an editor").waitFor();
  await row.getByRole("link", { name: /^Evidence/ }).waitFor();
});

test("a large change is approved by a second person on a phone; another is rejected by keyboard, with a note that its proposer reads", async () => {
  const page = await open(ned);
  const form = await change(page, "Buddha", "20M");
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Waits for a second person", "Buddha: the change is large.");
  expect(await readValue("buddha")).toBe("10M");
  await page.getByRole("tab", { name: "Proposals (1)" }).click();
  const own = page.getByRole("listitem").filter({ hasText: "Buddha" });
  await own.getByRole("button", { name: "Withdraw" }).waitFor();
  expect(await own.getByRole("button", { name: "Approve" }).count()).toBe(0);

  const phone = await open(eve, "/admin?tab=proposals", PHONE);
  const card = phone.getByRole("listitem").filter({ hasText: "Buddha" });
  await card.getByText("10M → 20M (+100.00%)").waitFor();
  await card.getByText(ned.username).waitFor();
  await card.getByText("Trades were seen at this value: Seen in ten trades").waitFor();
  await expectNoSidewaysScroll(phone);
  await expectNoAxeFindings(phone);
  await card.getByRole("button", { name: "Approve" }).click();
  await phone.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expectNotice(phone, "Approved and published");
  expect(await readValue("buddha")).toBe("20M");
  await phone.getByText("Nothing waits").waitFor();
  // The proposer's open page is updated.
  await page.getByText("Nothing waits").waitFor();

  await page.getByRole("tab", { name: "Manage Items" }).click();
  await (await change(page, "Rocket", "50K")).getByRole("button", publish).click();
  await expectNotice(page, "Waits for a second person", "Rocket: the change is large.");
  const desk = phone;
  await desk.setViewportSize({ width: 1280, height: 800 });
  const section = desk.getByRole("region", { name: "Proposals", exact: true });
  await section.locator("[data-case]").waitFor();
  await section.locator("[data-case]").focus();
  await desk.keyboard.press("2");
  const dialog = desk.getByRole("dialog", { name: "Reject this change of Rocket?" });
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await dialog.getByText("Say why in a few words").first().waitFor();
  await dialog.getByLabel("Note").fill("Only one trade");
  // Closed by accident.
  await desk.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await section.locator("[data-case]").press("2");
  await eventually(() => dialog.getByLabel("Note").inputValue()).toBe("Only one trade");
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await expectNotice(desk, "Rejected");
  await page.getByRole("tab", { name: /^Proposals/ }).click();
  await page
    .getByRole("list", { name: "Decided proposals" })
    .getByText(`Rejected by ${eve.username}: Only one trade`)
    .waitFor();
  expect(await readValue("rocket")).toBe("5K");
});

test("proposals decided in another window meanwhile are reported as not decided here, also after the dialog was closed", async () => {
  await proposeThrice("light");
  const desk = await open(eve, "/admin?tab=proposals");
  const section = desk.getByRole("region", { name: "Proposals", exact: true });
  const cards = section.locator("[data-case]");
  await cards.filter({ hasText: "Light" }).getByRole("button", { name: "Reject" }).click();
  const dialog = desk.getByRole("dialog", { name: "Reject this change of Light?" });
  await dialog.getByLabel("Note").fill("Only one trade");
  await approveNewest();
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await expectNotice(desk, "Not rejected", "This was decided in the meantime.");
  await desk.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await section.getByText("Nothing waits").waitFor();

  const items = await proposeThrice("bomb", "smoke");
  await section.getByText("0 of 2 chosen").waitFor();
  await section.getByLabel("Choose all").check();
  await section.getByRole("button", { name: "Reject chosen" }).click();
  const both = desk.getByRole("dialog", { name: "Reject these 2 changes?" });
  await both.getByLabel("Note").fill("Too much");
  const { arrived, release } = await holdWrites(desk, "**/rpc/reject_proposals");
  await both.getByRole("button", { name: "Reject", exact: true }).click();
  await arrived;
  await approveNewest();
  await desk.keyboard.press("Escape");
  await both.waitFor({ state: "hidden" });
  release();
  await expectNotice(desk, "Not all rejected", "1 rejected, 1 not. This was decided in the meantime.");
  for (const { id: item, current_value } of items.values())
    await eve.client.from("items").update({ current_value }).eq("id", item).throwOnError();
});

/** Another window approves the newest proposal. */
async function approveNewest(): Promise<void> {
  const [{ id }] = await runOn(site.databaseUrl, "select max(id)::int as id from value_proposals");
  await eve.client.rpc("approve_proposals", { ids: [id] }).throwOnError();
}

/** Ned proposes to triple the values of these items; returns the items by slug. */
async function proposeThrice(...slugs: string[]) {
  const { data: items } = await ned.client
    .from("items")
    .select("id, slug, current_value, current_value_number")
    .in("slug", slugs)
    .throwOnError();
  const cells = items.map(({ id, current_value, current_value_number }) => ({
    item_id: id,
    field: "current_value",
    value: String(3 * (current_value_number ?? 1)),
    was: current_value,
  }));
  await ned.client
    .rpc("publish_values", { cells, reason_code: "game_update", note: "Thrice" })
    .throwOnError();
  return new Map(items.map((item) => [item.slug, item]));
}

test("several proposals are decided at once, by keyboard or on a phone, and each failure is reported", async () => {
  const items = await proposeThrice("bomb", "spring", "smoke");
  const desk = await open(eve, "/admin?tab=proposals");
  const section = desk.getByRole("region", { name: "Proposals", exact: true });
  await section.getByText("0 of 3 chosen").waitFor();
  await section.locator("[data-case]").first().focus();
  for (const key of ["x", "j", "x", "j", "x"]) await desk.keyboard.press(key);
  await section.getByText("3 of 3 chosen").waitFor();
  await desk.keyboard.press("a");
  const dialog = desk.getByRole("dialog", { name: "Approve these 3 changes?" });
  await dialog.getByLabel("Note").fill("All seen");
  await expectNoAxeFindings(desk);
  // While the dialog is open, another user changes one of them.
  await eve.client.from("items").update({ current_value: "1K" }).eq("slug", "spring").throwOnError();
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await dialog.getByText("You approved 2 of 3. Not approved by you:").waitFor();
  const refused = dialog.getByRole("list", { name: "Not decided" });
  expect(await refused.getByRole("listitem").allTextContents()).toEqual([
    expect.stringMatching(/^Spring, Current Value: .*The value was changed in the meantime\./),
  ]);
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  expect(await readValue("bomb")).toBe(String(3 * (items.get("bomb")?.current_value_number ?? 0)));
  expect(await readValue("spring")).toBe("1K");
  await section.getByRole("button", { name: "Reject" }).click();
  await desk.getByRole("dialog").getByLabel("Note").fill("Changed since");
  await desk.getByRole("dialog").getByRole("button", { name: "Reject", exact: true }).click();
  await section.getByText("Nothing waits").waitFor();
  for (const { id, current_value } of items.values())
    await eve.client.from("items").update({ current_value }).eq("id", id).throwOnError();

  const phone = desk;
  await phone.setViewportSize(PHONE);
  await proposeThrice("bomb", "smoke");
  await phone.getByLabel("Choose Bomb, Current Value").check();
  await phone.getByText("1 of 2 chosen").waitFor();
  await phone.getByLabel("Choose all").check();
  await expectNoSidewaysScroll(phone);
  await expectNoAxeFindings(phone);
  await phone.getByRole("button", { name: "Reject chosen" }).click();
  const both = phone.getByRole("dialog", { name: "Reject these 2 changes?" });
  await both.getByRole("button", { name: "Reject", exact: true }).click();
  await both.getByText("Say why in a few words").first().waitFor();
  await both.getByLabel("Note").fill("Too much");
  await both.getByRole("button", { name: "Reject", exact: true }).click();
  await expectNotice(phone, "2 changes: Rejected");
  await phone.getByText("Nothing waits").waitFor();
});

test("proposals are withdrawn by keyboard, each once, also while another is being withdrawn", async () => {
  await proposeThrice("bomb", "spring", "smoke");
  const desk = await open(ned, "/admin?tab=proposals");
  const section = desk.getByRole("region", { name: "Proposals", exact: true });
  await section.locator("[data-case]").first().focus();
  const { arrived, release } = await holdWrites(desk, "**/rpc/withdraw_proposals");
  for (const key of ["1", "1", "j", "1", "j", "1"]) await desk.keyboard.press(key);
  await arrived;
  release();
  await section.getByText("Nothing waits").waitFor();
});

test("an editor who lost the role meanwhile publishes nothing and keeps the input", async () => {
  const page = await open(ned, "/admin", { expectedProblems: [/403/] });
  const form = await change(page, "Spin", "8K", "A note of some length");
  await takeRoles(site, ned.id);
  await form.getByRole("button", publish).click();
  await page.waitForURL("/");
  expect(await readValue("spin")).not.toBe("8K");
  await giveRole(site, ned.id, "editor");
  await page.goto("/admin");
  await rowOf(page, "spin").getByText("Unsaved draft").waitFor();
  const again = await edit(page, "Spin");
  await eventually(() => again.getByLabel("Current Value", { exact: true }).inputValue()).toBe("8K");
  await eventually(() => again.getByLabel("Note").inputValue()).toBe("A note of some length");
  await again.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");
  expect(await readValue("spin")).toBe("8K");
});

test("sets are listed by when they were published, none is hidden, and one whose opening was not answered is opened once, also if it was renamed since; one is published and taken back as one", async () => {
  await runOn(
    site.databaseUrl,
    "insert into value_sets (name, state, created_by) select 'Old ' || n, 'draft', $1::uuid from generate_series(1, 25) as n",
    [ned.id],
  );
  // One that was opened long ago and published today is listed first among what was published lately.
  await runOn(
    site.databaseUrl,
    `insert into value_sets (name, state, created_by, created_at, published_at, published_by)
     select case when age = 0 then 'Long planned' end, 'published', $1::uuid,
       now() - case when age = 0 then interval '60 days' else age * interval '1 minute' end,
       now() - age * interval '1 minute', $1 from generate_series(0, 20) as age`,
    [ned.id],
  );
  const page = await open(ned, "/admin?tab=proposals", {
    expectedProblems: [/create_value_set/, /plan_value_set/, /roll_back_value_set/, /ERR_FAILED/],
  });
  const first = page.getByRole("list", { name: "Published lately" }).locator("> li").first();
  await first.getByText("Long planned", { exact: true }).waitFor();
  const form = page.getByRole("form", { name: "New set" });
  async function loseOpening(name: string) {
    await form.getByLabel("New set").fill(name);
    await loseAnswer(page, "**/rpc/create_value_set");
    await form.getByRole("button", { name: "Open set" }).click();
    await expectNotice(page, "Error", AWAY);
  }
  await loseOpening("Update 30");
  await form.getByRole("button", { name: "Open set" }).click();
  await expectNotice(page, "The set Update 30 is open");
  await loseOpening("Update 31");
  await form.getByLabel("New set").fill("Update 32");
  await form.getByRole("button", { name: "Open set" }).click();
  await expectNotice(
    page,
    "Error",
    "The first attempt was stored after all, as it was then: edit it in the list. Press again to add this, too.",
  );
  const set = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Update 30" }) });
  // A year takes four digits, so that what follows goes to the time.
  await set.getByLabel("Publish at").pressSequentially("010220990500PM");
  expect(await set.getByLabel("Publish at").inputValue()).toBe("2099-01-02T17:00");
  expect(await set.getByRole("button", { name: "Plan" }).isDisabled(), "without a value").toBe(true);
  expect(await page.getByRole("heading", { name: /^Old \d+$/ }).count()).toBe(25);
  const sets = await runOn(
    site.databaseUrl,
    "select id, name from value_sets where name like 'Update 3%' order by name",
  );
  expect(sets.map(({ name }) => name)).toEqual(["Update 30", "Update 31"]);
  await runOn(site.databaseUrl, "delete from value_sets where name ~ '^(Update 31|Old )'");

  const before = [await readValue("smoke"), await readValue("spring")];
  await draft(sets[0].id, { smoke: "110K", spring: "61K" });
  await set.getByRole("button", { name: "Plan" }).click();
  await expectNotice(page, "Error", "Choose a time within the next year");
  await set.getByRole("button", { name: "Publish 2 values" }).click();
  await page
    .getByRole("dialog", { name: "Publish Update 30 now?" })
    .getByRole("button", { name: "Publish" })
    .click();
  await expectNotice(page, "Update 30 is published");
  expect([await readValue("smoke"), await readValue("spring")]).toEqual(["110K", "61K"]);
  await expectNoAxeFindings(page);

  await page.getByRole("button", { name: "Take back Update 30" }).click();
  const asked = page.getByRole("dialog", { name: "Take Update 30 back?" });
  await loseAnswer(page, "**/rpc/roll_back_value_set");
  await asked.getByRole("button", { name: "Take back" }).click();
  await expectNotice(page, "2 values are as before");
  expect([await readValue("smoke"), await readValue("spring")]).toEqual(before);
});

/** Ned puts new values of these items, by their slugs, into a set. */
async function draft(set_id: string, values: Record<string, string>): Promise<void> {
  const { data: items } = await ned.client
    .from("items")
    .select("id, slug, current_value")
    .in("slug", Object.keys(values))
    .throwOnError();
  const cells = items.map(({ id, slug, current_value }) => ({
    item_id: id,
    field: "current_value",
    value: values[slug],
    was: current_value,
  }));
  await ned.client
    .rpc("draft_values", { set_id, cells, reason_code: "game_update", note: "At night" })
    .throwOnError();
}

test("a planned set is published by the server when its time has come", async () => {
  const { data: id } = await ned.client.rpc("create_value_set", { name: "At night" }).throwOnError();
  const value = (await readValue("bomb")).replace("K", ".1K");
  await draft(id, { bomb: value });
  const planned_for = new Date(Date.now() + 2_000).toISOString();
  await ned.client.rpc("plan_value_set", { set_id: id, planned_for }).throwOnError();
  await eventually(() => readValue("bomb")).toBe(value);
});

test("an editor subscribes to news by mail if the site sends any, and unsubscribes", async () => {
  const page = await open(ned, "/admin?tab=proposals", { ...PHONE, expectedProblems: [/400.*notice_mails/] });
  const openNews = () => page.getByText(/^News/).click();
  const choice = page.getByRole("checkbox", { name: "Email me the news" });
  await openNews();
  await choice.waitFor();
  expect(await choice.isChecked()).toBe(false);
  await choice.click();
  await expectNotice(page, "Error", "This site sends no email");
  await eventually(() => choice.isChecked()).toBe(false);
  await runOn(site.databaseUrl, "update private.settings set site_url = 'https://values.example'");
  await choice.click();
  await expectNotice(page, "News comes by email");
  await expectNoAxeFindings(page);
  await page.reload();
  await openNews();
  await eventually(() => choice.isChecked()).toBe(true);
  await choice.click();
  await expectNotice(page, "No more news by email");
  await eventually(() => choice.isChecked()).toBe(false);
});

test("a value that was published although the answer was lost counts as published, at once or at the next attempt", async () => {
  const page = await open(ned, "/admin", {
    expectedProblems: [/rpc\/publish_values/, /value_proposals/, /Failed to load/],
  });
  const form = await change(page, "Smoke", "101K");
  await page.route("**/rpc/publish_values", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");
  expect(await readValue("smoke")).toBe("101K");

  // One that is not known yet to be published is published by the next attempt, not somebody else's.
  await change(page, "Smoke", "102K");
  await form.getByText("+0.99%").waitFor();
  await page.route("**/rest/v1/value_proposals?*", (route) => route.abort());
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Error", AWAY);
  await page.unrouteAll();
  // The form shows the published value now.
  await form.getByText("+0.99%").waitFor({ state: "detached" });
  expect(await form.getByRole("alert").count()).toBe(0);
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");
  const sent = await runOn(
    site.databaseUrl,
    "select old_value from value_proposals where new_value = '102K'",
  );
  expect(sent).toEqual([{ old_value: "101K" }]);
});

test("what somebody else changed meanwhile stays theirs: in fields that were not touched, with the same text, or as one of two values", async () => {
  await runOn(
    site.databaseUrl,
    `update items set demand = 'high', beli_price = '180K' where slug = 'spring';
     update items set current_value = '102K' where slug = 'smoke'`,
  );
  const page = await open(ned);
  const spring = await change(page, "Spring", "62K");
  await runOn(
    site.databaseUrl,
    "update items set demand = 'low', current_value = '61K' where slug = 'spring'",
  );
  await spring.getByRole("button", { name: "Go on with mine" }).click();
  await spring.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");
  const [stored] = await runOn(
    site.databaseUrl,
    "select current_value, demand, beli_price from items where slug = 'spring'",
  );
  expect(stored).toEqual({ current_value: "62K", demand: "low", beli_price: "180K" });
  await runOn(site.databaseUrl, "update items set current_value = '60K' where slug = 'spring'");

  const form = await change(page, "Smoke", "103K");
  await form.getByText("+0.98%").waitFor();
  await runOn(site.databaseUrl, "update items set current_value = '103K' where slug = 'smoke'");
  await form.getByText("+0.98%").waitFor({ state: "detached" });
  await form.getByRole("button", publish).click();
  const theirs = "This value was changed by somebody else in the meantime";
  await expectNotice(page, "Nothing was published", theirs);
  await form.getByRole("button", publish).click();
  await expectNotice(page, "Item updated");

  // Of two values one is published, and only the other is shown as changed.
  const spike = await change(page, "Spike", "185K");
  await spike.getByLabel("Beli Price").fill("181K");
  await page.route("**/rpc/publish_values", async (route) => {
    await runOn(site.databaseUrl, "update items set beli_price = '182K' where slug = 'spike'");
    await route.continue();
  });
  await spike.getByRole("button", publish).click();
  await expectNotice(
    page,
    "Not all of it was published",
    "This value was changed by somebody else in the meantime",
  );
  await spike.getByText("Beli Price is 182K now", { exact: true }).waitFor();
});
