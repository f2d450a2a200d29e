import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, read } from "#tests/helpers/visit.ts";
import { keepItems } from "./admin-items-page.ts";

// The longest words that the rules allow, without a break opportunity.
const NAME = "W".repeat(100);
const SLUG = "w".repeat(100);
const LABEL = "M".repeat(50);
/** Known words, since unknown ones would be hidden. */
const WORDS = "kitsune/".repeat(120);
const REASON = "R".repeat(500);

const site = ownSite();
let eve: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  [eve, ben] = await Promise.all([signUpAdmin(site), signUpPerson(site)]);
  const sent = await ben.client
    .from("chat_messages")
    .insert({ message: WORDS })
    .select()
    .single()
    .throwOnError();
  expect(sent.data.message).toBe(WORDS);
  await keepItems(site, ["dough", "kitsune"]);
  await eve.client.from("chat_reports").insert({ message_id: sent.data.id, reason: REASON }).throwOnError();
  const category = { name: LABEL, slug: SLUG.slice(0, 50), icon: "abcdefghij", display_order: 9999 };
  const { data } = await eve.client.from("categories").insert(category).select().single().throwOnError();
  const values = {
    current_value: "1".repeat(20),
    previous_value: "2".repeat(20),
    beli_price: "3".repeat(20),
  };
  const custom_fields = { [`custom_${"m".repeat(50)}`]: NAME };
  const item = await eve.client
    .from("items")
    .insert({ name: NAME, slug: SLUG, category_id: data.id, ...values, custom_fields })
    .select()
    .single()
    .throwOnError();
  const entry = [{ id: item.data.id, viewMode: "regular" }];
  await eve.client
    .from("trade_history")
    .insert({ user_id: eve.id, your_items: entry, their_items: entry, trade_partner_email: "P".repeat(255) })
    .throwOnError();
  await addField();
});

async function addField() {
  await runOn(
    site.databaseUrl,
    "insert into field_definitions (name, label, type, options) values ($1, $2, 'text', '{}')",
    [`custom_${"m".repeat(50)}`, LABEL],
  );
}

const sidewards = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("a word of a name's maximum length widens no page that visitors read", async () => {
  await eventually(async () => (await read(`/fruits/${SLUG}`, site.address)).html).toContain(LABEL);
  const page = await openPage({ baseUrl: site.address, width: 320 });
  for (const path of ["/values", `/fruits/${SLUG}`, `/calculator?you=${SLUG}`]) {
    await page.goto(path);
    await page.getByText(NAME).first().waitFor({ state: "attached" });
    expect(await sidewards(page), path).toBe(0);
  }
});

test("nor a page of users who may visit it", async () => {
  const page = await visitAs(eve, "/history", { address: site.address, width: 320 });
  for (const [path, word] of [
    ["/history", "P".repeat(255)],
    ["/admin", NAME],
    ["/admin?tab=categories", LABEL],
    ["/admin?tab=fields", LABEL],
    ["/admin?tab=moderation", REASON],
  ] as const) {
    if (path !== "/history") await page.goto(path);
    await page.getByText(word).first().waitFor({ state: "attached" });
    expect(await sidewards(page), path).toBe(0);
  }
});

test("nor the account page of a user with an email address of maximum length", async () => {
  const email = `${"a".repeat(243)}@example.com`;
  const session = { ...ben.session, user: { ...ben.session.user, email } };
  const page = await visitAs({ session }, "/account", { address: site.address, width: 320 });
  await page.getByText(email).waitFor();
  expect(await sidewards(page)).toBe(0);
});
