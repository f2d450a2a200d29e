import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { editForm, keepItems } from "./admin-items-page.ts";
import { CountedHand } from "./counted-hand.ts";
import { cellOf, openGrid, textOf } from "./value-grid-page.ts";

// No editor counts as new here, and no item counts as most valuable.
const site = ownSite({ VALUES_NEW_EDITOR_CHANGES: "0", VALUES_DEAR_ITEMS: "0" });
let ned: SignedIn;
let eve: SignedIn;

beforeAll(async () => {
  [eve, ned] = await Promise.all([signUpAdmin(site), signUpPerson(site, "editor")]);
  const valued = "select slug from items where current_value_number > 1000 order by name limit 8";
  await keepItems(
    site,
    (await runOn(site.databaseUrl, valued)).map(({ slug }) => slug),
  );
});

const readValues = async () =>
  Object.fromEntries(
    (await ned.client.from("items").select("slug, current_value").throwOnError()).data.map(
      ({ slug, current_value }) => [slug, current_value],
    ),
  );

/** Items in the first rows of the grid with values large enough for a one percent change to show. */
async function firstItems(): Promise<{ name: string; slug: string; value: number }[]> {
  const { data } = await ned.client
    .from("items")
    .select("name, slug, current_value_number")
    .gt("current_value_number", 1000)
    .order("name")
    .limit(5)
    .throwOnError();
  return data.map(({ name, slug, current_value_number }) => ({
    name,
    slug,
    value: current_value_number ?? 0,
  }));
}

const PHONE = { width: 360, height: 740, hasTouch: true };

/** By touch, a second tap opens a cell. */
async function enter(hand: CountedHand, cell: Locator, value: string) {
  hand.think();
  await cell.scrollIntoViewIfNeeded();
  await hand.click(cell);
  await hand.click(cell);
  await hand.type(value);
  await hand.press("Enter");
}

/** Publishes all cells with one reason, from the button to the notice. */
async function publish(page: Page, hand: CountedHand, note: string) {
  hand.think();
  await hand.click(page.getByRole("button", { name: /^Publish \d+ cell/ }));
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await dialog.getByLabel("Reason").waitFor();
  await hand.press("t");
  await hand.press("Tab");
  await hand.type(note);
  const confirm = dialog.getByLabel(/more than half/);
  if (await confirm.isVisible()) await hand.click(confirm);
  await hand.click(dialog.getByRole("button", { name: /^Publish/ }));
  await dialog.waitFor({ state: "detached" });
}

test("an editor's and a second person's day on a phone, undone completely at the end", async () => {
  const before = await readValues();
  const items = await firstItems();
  const [one, two, three, four, five] = items as [Item, Item, Item, Item, Item];
  const told: string[] = [];
  const visit = async (person: SignedIn, path: string) => {
    const page = await visitAs(person, path, { address: site.address, ...PHONE });
    return { page, hand: new CountedHand(page, { isPhone: true }) };
  };

  // Small changes are published at once.
  const page = await openGrid(ned, site.address, PHONE);
  const hand = new CountedHand(page, { isPhone: true });
  const raised = (item: Item) => String(Math.round(item.value * 1.04));
  for (const item of [one, two]) await enter(hand, cellOf(page, item.name, "Value"), raised(item));
  await publish(page, hand, "Seen");
  await expectNotice(page, "2 cells published");
  expect(await readValues()).toMatchObject({ [one.slug]: raised(one), [two.slug]: raised(two) });
  told.push(`two small changes ${hand.told()}`);

  // A large one waits for the second person, who sees its reason.
  const large = new CountedHand(page, { isPhone: true });
  const tripled = String(three.value * 3);
  await enter(large, cellOf(page, three.name, "Value"), tripled);
  await publish(page, large, "Rework");
  await expectNotice(page, "Nothing published yet", "1 cell waits for a second person.");
  told.push(`a proposal ${large.told()}`);
  const second = await visit(eve, "/admin?tab=proposals");
  const card = second.page.getByRole("listitem").filter({ hasText: three.name }).first();
  second.hand.think();
  await second.hand.click(card.getByRole("button", { name: "Approve" }));
  await second.hand.click(
    second.page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }),
  );
  await expectNotice(second.page, "Approved and published");
  // The decided proposal is gone with its button; focus moves to the list.
  await eventually(() => second.page.evaluate(() => document.activeElement === document.body)).toBe(false);
  told.push(`its approval ${second.hand.told()}`);
  await eventually(() => textOf(cellOf(page, three.name, "Value"))).toBe(tripled);

  // The values of a game update are collected, published as one, and taken back as one.
  const gathering = await visit(ned, "/admin?tab=proposals");
  const update = "Update 40";
  const newSet = gathering.page.getByRole("form", { name: "New set" });
  gathering.hand.think();
  await gathering.hand.click(newSet.getByLabel("New set"));
  await gathering.hand.type(update);
  await gathering.hand.press("Enter");
  await expectNotice(gathering.page, `The set ${update} is open`);
  await gathering.hand.click(gathering.page.getByRole("tab", { name: "Manage Items" }));
  for (const item of [four, five]) {
    gathering.hand.think();
    const form = editForm(gathering.page, item.name);
    await gathering.hand.click(
      gathering.page.getByRole("button", { name: `Edit ${item.name}`, exact: true }),
    );
    await gathering.hand.click(form.getByLabel("Current Value", { exact: true }));
    await gathering.hand.press("ControlOrMeta+a");
    await gathering.hand.type(raised(item));
    await gathering.hand.choose(form.getByLabel("Reason", { exact: true }), "Trades were seen at this value");
    await gathering.hand.click(form.getByLabel("Note"));
    await gathering.hand.type("Seen");
    await gathering.hand.choose(form.getByLabel("When"), `With ${update}`);
    await gathering.hand.click(form.getByRole("button", { name: "Put into the set" }));
    await form.waitFor({ state: "detached" });
  }
  await gathering.hand.click(gathering.page.getByRole("tab", { name: /^Proposals/ }));
  const set = gathering.page
    .getByRole("listitem")
    .filter({ has: gathering.page.getByRole("heading", { name: update }) });
  await gathering.hand.click(set.getByRole("button", { name: "Publish 2 values" }));
  await gathering.hand.click(
    gathering.page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }),
  );
  await expectNotice(gathering.page, `${update} is published`);
  expect(await readValues()).toMatchObject({ [four.slug]: raised(four), [five.slug]: raised(five) });
  await expectNoSidewaysScroll(gathering.page);
  await expectNoAxeFindings(gathering.page);
  told.push(`a set of two ${gathering.hand.told()}`);

  // Everything is undone: the set and the approved change by the second person, the small ones in the grid.
  const undoing = new CountedHand(second.page, { isPhone: true });
  const lately = second.page.getByRole("list", { name: "Published lately" });
  const approved = lately.getByRole("listitem").filter({ hasText: three.name });
  for (const button of [
    second.page.getByRole("button", { name: `Take back ${update}` }),
    approved.getByRole("button", { name: "Take back" }).first(),
  ]) {
    undoing.think();
    await undoing.click(button);
    const dialog = second.page.getByRole("dialog");
    await undoing.click(dialog.getByRole("button", { name: "Take back" }));
    await dialog.waitFor({ state: "detached" });
  }
  undoing.think();
  const small = lately.getByRole("listitem").filter({ hasText: one.name }).filter({ hasText: two.name });
  await undoing.click(small.getByRole("button", { name: "Take back" }).first());
  await undoing.click(second.page.getByRole("dialog").getByRole("button", { name: "Take back" }));
  await expectNotice(second.page, "2 values are as before");
  told.push(`undo of all ${undoing.told()}`);
  expect(await readValues()).toEqual(before);
  process.stdout.write(`A day on a phone: ${told.join("; ")}\n`);
});

type Item = Awaited<ReturnType<typeof firstItems>>[number];
