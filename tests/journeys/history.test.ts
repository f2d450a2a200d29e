import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { setClock } from "#tests/helpers/set-clock.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice, noticeVariant } from "./account-page.ts";
import { readText, slots } from "./calculator-page.ts";

type Entry = { id?: string; name: string; viewMode?: string; quantity?: number };
type NewTrade = { yours: string; theirs: string; partner?: string };

/** Saves trades as the calculator does, a second apart, the last being the newest; `.p` after a slug is permanent. */
async function saveTrades(person: SignedIn, trades: NewTrade[]): Promise<void> {
  const { data: items } = await person.client.from("items").select("id, slug, name").throwOnError();
  const entries = (side: string): Entry[] =>
    side.split(",").map((slot) => {
      const [slug, mode] = slot.split(".");
      const item = items?.find((each) => each.slug === slug);
      return { id: item?.id, name: item?.name, viewMode: mode ? "permanent" : "regular" };
    });
  for (const { yours, theirs, partner } of trades) {
    const row = { your_items: entries(yours), their_items: entries(theirs), your_total: 1, their_total: 1 };
    await person.client
      .from("trade_history")
      .insert({ user_id: person.id, ...row, trade_partner_email: partner ?? null })
      .throwOnError();
  }
}

const onDatabase = (statement: string, values: unknown[] = []) =>
  runOn(testSite().databaseUrl, statement, values);

const cards = (page: Page) => page.getByRole("list", { name: "Saved trades" }).getByRole("article");
const card = (page: Page, place: number) => cards(page).nth(place);
const side = (trade: Locator, title: string) =>
  trade.locator("section", { has: trade.page().getByText(title) });
const names = async (page: Page) =>
  Promise.all((await cards(page).all()).map((each) => readText(each.locator("h2"))));

/** Deletes the trade at this position, and confirms. */
async function remove(page: Page, place: number): Promise<void> {
  await card(page, place).getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: "Delete this trade?" })
    .getByRole("button", { name: "Delete trade" })
    .click();
}

test("visitors are sent to /auth with a notice, and see no trade", async () => {
  const page = await visit("/history");
  await page.waitForURL("/auth");
  await expectNotice(page, "Authentication Required", "Please log in to view your trade history");
  expect(await noticeVariant(page)).toBe("destructive");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.waitForURL("/auth");
  expect(await page.locator(".trade-card").count()).toBe(0);
});

test("a failed read says so, and never that there are no trades; without trades there is a link to the calculator", async () => {
  const person = await signUpPerson();
  const page = await visitAs(person, "/values", {
    expectedProblems: [/answer 500: GET .*trade_history/],
  });
  // A 500 rather than a lost connection, which the client would retry for seconds.
  await page.route("**/rest/v1/trade_history*", (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expectNotice(page, "Error", "Failed to load trade history");
  expect(await noticeVariant(page)).toBe("destructive");
  await page.getByRole("heading", { name: "Your trade history can't be loaded right now" }).waitFor();
  expect(await page.getByText("No Trade History Yet").count()).toBe(0);
  await page.unroute("**/rest/v1/trade_history*");
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No Trade History Yet" }).waitFor();
  await page.getByRole("link", { name: "Go to Calculator" }).click();
  await page.waitForURL("/calculator");
});

describe("a saved trade", () => {
  test("shows its items by name and quantity, totals, result, partner and time, newest first", async () => {
    const person = await signUpPerson();
    await saveTrades(person, [
      { yours: "dough,kitsune,dough", theirs: "tiger" },
      { yours: "tiger", theirs: "control", partner: "Ben" },
      { yours: "control", theirs: "tiger" },
      { yours: "control", theirs: "control" },
      { yours: "eclipse", theirs: "dough" },
    ]);
    await onDatabase(
      "update public.trade_history set created_at = '2026-11-21 10:43:00+00' where user_id = $1 and trade_partner_email = 'Ben'",
      [person.id],
    );
    await onDatabase(
      "update public.trade_history set created_at = '2026-11-20 10:00:00+00' where user_id = $1 and your_total = 700000000",
      [person.id],
    );
    const page = await visitAs(person, "/history");
    await card(page, 4).waitFor();
    expect(await cards(page).count()).toBe(5);
    expect(await names(page)).toEqual([
      "Trade Calculation",
      "Trade Calculation",
      "Trade Calculation",
      "Ben",
      "Trade Calculation",
    ]);
    await page.getByText(/^Half of today’s values here were last checked .+ or earlier\.$/).waitFor();
    const results = await Promise.all((await page.locator(".trade-result").all()).map(readText));
    expect(results).toEqual([
      "Result: Not judged",
      "Result: Fair Trade",
      "Result: Loss 30M",
      "Result: Profit 30M",
      "Result: Loss 570M",
    ]);
    expect(await readText(card(page, 3).locator("time"))).toBe("Nov 21, 2026, 10:43 AM");
    const oldest = card(page, 4);
    const yours = await Promise.all(
      (await side(oldest, "Your Offer").locator("li p:first-child").all()).map(readText),
    );
    expect(yours).toEqual(["Dough × 2", "Kitsune × 1"]);
    expect(await readText(side(oldest, "Your Offer").locator("dl"))).toBe("Total 700M Today 700M");
    expect(await readText(side(oldest, "Their Offer").locator("dl"))).toBe("Total 130M Today 130M");
    expect(await readText(side(card(page, 0), "Your Offer").locator("dl"))).toBe(
      "Total 0 + 1 unpriced Today 0 + 1 unpriced",
    );
    const balance = page.getByRole("region", { name: "Your balance" });
    expect(await readText(balance)).toContain("570M lost");
    expect(await balance.locator("svg text").allTextContents()).toEqual(["0", "-570M"]);
    const name = "Balance over 4 judged trades, between 570M lost and Even, ending with 570M lost";
    expect(await balance.getByRole("img").getAttribute("aria-label")).toBe(name);
  });

  test("shows the time in the reader's zone, an older version's own totals, the age of its values by the site's clock, and the fields configured, and opens in the calculator", async () => {
    const person = await signUpPerson();
    await onDatabase(
      `insert into public.trade_history (user_id, your_items, their_items, your_total, their_total, trade_partner_email)
       values ($1, '[{"name": "kitsune", "quantity": 2}]', '[{"name": "Leopard", "quantity": 3}]', 500000000, 600000000, 'Mara')`,
      [person.id],
    );
    await onDatabase(
      "update public.trade_history set created_at = '2026-11-21 20:43:00+00' where user_id = $1",
      [person.id],
    );
    await saveTrades(person, [
      { yours: "dough,kitsune.p,dough", theirs: "tiger" },
      { yours: "tiger", theirs: "control" },
    ]);
    const page = await visitAs(person, "/history", { locale: "de-DE", timezoneId: "Pacific/Auckland" });
    const older = card(page, 2);
    await eventually(() => older.locator("time").textContent()).toBe("Nov 22, 2026, 9:43 AM");
    expect(await readText(side(older, "Your Offer"))).toMatch(/kitsune × 2 .*Total 500M Today 1.3B$/);
    expect(await readText(side(older, "Their Offer"))).toMatch(
      /Leopard × 3 Total 600M Today 0 \+ 3 unpriced$/,
    );
    expect(await readText(older)).toContain("Profit 100M");
    expect(await readText(older.locator("footer"))).toContain("By today’s values: Not judged");
    expect(await older.getByRole("link", { name: "Open in Calculator" }).count()).toBe(0);

    await card(page, 1).getByRole("link", { name: "Open in Calculator" }).click();
    await page.waitForURL("/calculator?you=dough,dough,kitsune.p&them=tiger");
    await expect
      .poll(async () => (await slots(page)).filter(Boolean))
      .toEqual(["Dough Regular", "Dough Regular", "Kitsune Permanent", "Tiger Regular"]);

    await setClock(page, -365 * 24 * 60 * 60_000);
    await page.goto("/history");
    await page.getByText(/^Half of today’s values here were last checked .+ or earlier\.$/).waitFor();

    await changeSite(
      "insert into page_configurations (page_name, visible_fields) values ('trade_history', '{rarity}')",
      "delete from page_configurations where page_name = 'trade_history'",
    );
    await page.reload();
    const yours = side(card(page, 0), "Your Offer");
    await yours.waitFor();
    await eventually(() => yours.locator("img").count()).toBe(0);
    expect(await readText(yours.locator("li"))).toMatch(/Tiger × 1 Mythical$/);
    expect(await yours.locator("li .sr-only").textContent(), "for screen readers").toBe("Tiger");
  });
});

describe("deleting", () => {
  test("removes only the middle one of three, by keyboard, here and in another tab, for good", async () => {
    const person = await signUpPerson();
    await saveTrades(
      person,
      ["First", "Second", "Third"].map((partner) => ({ yours: "tiger", theirs: "control", partner })),
    );
    const page = await visitAs(person, "/history");
    const other = await page.context().newPage();
    await other.goto("/history");
    await card(other, 2).waitFor();
    await card(page, 1).getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete this trade?" });
    expect(await readText(dialog)).toContain("Second");
    await expectNoAxeFindings(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await cards(page).count()).toBe(3);
    await remove(page, 1);
    await expectNotice(page, "Trade deleted successfully");
    expect(await names(page)).toEqual(["Third", "First"]);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Saved trades");
    await eventually(() => names(other)).toEqual(["Third", "First"]);
    await page.reload();
    await card(page, 1).waitFor();
    expect(await names(page)).toEqual(["Third", "First"]);
  });

  test("that fails says so, is not tried again if it was refused, and the trade stays; it is told as done if only its answer was lost", async () => {
    const person = await signUpPerson();
    await saveTrades(person, [{ yours: "tiger", theirs: "control" }]);
    const page = await visitAs(person, "/history", {
      expectedProblems: [/submit-form/, /request failed: DELETE .*trade_history/, /answer 403: DELETE/],
    });
    const dismiss = async () => {
      await page.locator("[data-slot=toast]").getByRole("button", { name: "Dismiss" }).click();
      await eventually(() => page.locator("[data-slot=toast]").count()).toBe(0);
    };
    // While its code cannot be loaded nothing is said of something written.
    await page.route("**/submit-form*", (route) => route.abort("connectionfailed"));
    await remove(page, 0);
    const words = "That didn’t work because the connection seems to be down. Nothing is lost.";
    await expectNotice(page, "Error", words);
    expect(await cards(page).count()).toBe(1);
    await page.unroute("**/submit-form*");

    await page.reload();
    let attempts = 0;
    await page.route("**/rest/v1/trade_history*", (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      attempts += 1;
      return route.fulfill({ status: 403, json: { code: "42501", message: "permission denied" } });
    });
    await remove(page, 0);
    await expectNotice(page, "Error", "Failed to delete trade");
    expect(await noticeVariant(page)).toBe("destructive");
    expect(attempts).toBe(1);
    await page.unroute("**/rest/v1/trade_history*");
    await dismiss();

    await page.route("**/rest/v1/trade_history*", (route) =>
      route.request().method() === "DELETE" ? route.abort("connectionfailed") : route.continue(),
    );
    await remove(page, 0);
    await expectNotice(page, "Error", "Failed to delete trade");
    expect(await cards(page).count()).toBe(1);
    await page.unroute("**/rest/v1/trade_history*");
    await dismiss();

    await loseAnswer(page, "**/rest/v1/trade_history?id*");
    await remove(page, 0);
    await expectNotice(page, "Trade deleted successfully");
    expect(await cards(page).count()).toBe(0);
  });
});

test("a trade goes from the calculator to the history, also in another tab, and is deleted for good", async () => {
  const person = await signUpPerson();
  const page = await visitAs(person, "/history");
  await page.getByRole("heading", { name: "No Trade History Yet" }).waitFor();
  const other = await page.context().newPage();
  await other.goto("/calculator?you=tiger&them=control");
  await other.getByRole("button", { name: "Save Trade" }).click();
  await eventually(() => cards(page).count()).toBe(1);
  await other.getByRole("link", { name: "History", exact: true }).click();
  await eventually(() => cards(other).count()).toBe(1);
  await remove(other, 0);
  await expectNotice(other, "Trade deleted successfully");
  await eventually(() => other.evaluate(() => document.activeElement?.textContent)).toBe("Go to Calculator");
  for (const each of [page, other]) {
    await each.getByRole("heading", { name: "No Trade History Yet" }).waitFor();
  }
  await other.reload();
  await other.getByRole("heading", { name: "No Trade History Yet" }).waitFor();
});

/** Whether any of it is within the window: fonts that arrived meanwhile may move it a little. */
const isWithinView = (element: Locator) =>
  element.evaluate((each) => {
    const { left, top } = each.getBoundingClientRect();
    return document.elementsFromPoint(left, top).length > 0;
  });

test("Back and a reload return to the trade that was left, though trades are shown after the page", async () => {
  const person = await signUpPerson();
  await saveTrades(person, Array(8).fill({ yours: "tiger", theirs: "control" }));
  const page = await visitAs(person, "/history", { width: 360, height: 740 });
  const link = card(page, 4).getByRole("link", { name: "Open in Calculator" });
  await link.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await link.click();
  await page.getByRole("heading", { name: "Trade Calculator" }).waitFor();
  await page.goBack();
  await card(page, 7).waitFor();
  await eventually(() => isWithinView(link)).toBe(true);
  await page.reload();
  await card(page, 7).waitFor();
  await eventually(() => isWithinView(link)).toBe(true);
});

test("five thousand trades are paged, each shown once, in order; Back and a reload return to an older one", async () => {
  const person = await signUpPerson();
  await onDatabase(
    `insert into public.trade_history (user_id, your_items, their_items, your_total, their_total, trade_partner_email, created_at)
     select $1, '[{"name": "Tiger", "quantity": 1}]', '[{"name": "Control", "quantity": 1}]', n, 2 * n, 'Trade ' || n,
       timestamptz '2026-11-01' - (n / 2) * interval '1 minute'
     from generate_series(1, 5000) as n`,
    [person.id],
  );
  const page = await visitAs(person, "/history");
  await card(page, 23).waitFor();
  expect(await cards(page).count()).toBe(24);
  await page.getByRole("button", { name: "Show older trades" }).click();
  await card(page, 47).waitFor();
  const shown = await names(page);
  expect(new Set(shown).size).toBe(48);
  expect(shown.map((name) => Math.floor(Number(name.slice(6)) / 2))).toEqual(
    Array.from({ length: 48 }, (_, place) => Math.floor((place + 1) / 2)),
  );
  expect(await page.getByRole("button", { name: "Show older trades" }).isVisible()).toBe(true);

  const link = card(page, 40).getByRole("link", { name: "Open in Calculator" });
  const isInView = async () => (await link.count()) > 0 && (await isWithinView(link));
  await link.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await link.click();
  await page.getByRole("heading", { name: "Trade Calculator" }).waitFor();
  await page.goBack();
  await eventually(isInView).toBe(true);
  await page.reload();
  await eventually(isInView).toBe(true);
  expect(await names(page)).toEqual(shown);
  await page.getByRole("button", { name: "Show older trades" }).click();
  await card(page, 71).waitFor();
  expect(new Set(await names(page)).size).toBe(72);
});
