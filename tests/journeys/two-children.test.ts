import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { expectLive, runSql } from "./chat-page.ts";

// Ana is under 13, without parental consent; Ben is 13 to 15; Mia moderates. The second test goes on from the first, on
// phones.
const PHONE = { width: 360, height: 740 };
const site = ownSite({}, { asksAge: true });
let ana: SignedIn;
let ben: SignedIn;
let mia: SignedIn;
beforeAll(async () => {
  [ana, ben, mia] = await Promise.all([
    signUpPerson(site),
    signUpPerson(site),
    signUpPerson(site, "moderator"),
  ]);
  await ben.client.rpc("choose_age_band", { band: "13-15" }).throwOnError();
});

const open = (person: SignedIn, path: string, expectedProblems: RegExp[] = []) =>
  visitAs(person, path, { ...PHONE, address: site.address, expectedProblems });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** A user's message, found by its text. */
const by = (page: Page, { username }: SignedIn, text: string): Locator =>
  page.locator("[data-row]").filter({ hasText: username }).filter({ hasText: text });

/** The page's width, to compare with the phone's. */
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

const sent = () =>
  runSql(
    `select username, message, coalesce(phrase, trade) as tapped from chat_messages order by created_at`,
    site.databaseUrl,
  );

test("a child proposes a trade from the calculator by taps, the age group is asked once, in between; the other one sees their own side of it at current values, asks and reacts, and the first one agrees", async () => {
  const page = await open(ana, "/calculator?you=kitsune,control.p&them=dough", [/answer 403: POST/]);
  await page.getByRole("link", { name: "Send to chat" }).click();
  await page.waitForURL("/chat?**");
  const draft = page.getByRole("region", { name: "Your trade" });
  await draft.getByRole("img", { name: "Permanent Control" }).waitFor();
  // Tapped twice, before the draft goes.
  await page.getByRole("button", { name: "Send this trade" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  const dialog = page.getByRole("dialog", { name: "Before you talk to others" });
  await dialog.getByLabel("Under 13", { exact: true }).check();
  await press(page, "Continue");
  // The site sends no mail, and promises none.
  await dialog.getByText(/needs a parent’s permission, and this site can’t ask for it yet/).waitFor();
  expect(await dialog.getByRole("textbox").count()).toBe(0);
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await by(page, ana, "Open in the calculator").locator("time").waitFor();
  await page.waitForURL((url) => url.search === "");
  await draft.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  expect(await sent()).toEqual([
    {
      username: ana.username,
      message: "Offering Kitsune, Permanent Control for Dough",
      tapped: "you=kitsune,control.p&them=dough",
    },
  ]);
  // Quick talk is open already, and there is no text field.
  await page.getByRole("button", { name: "Is this fair?" }).waitFor();
  expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  // The messages still have room next to the buttons.
  const log = await page.locator(".chat-log").boundingBox();
  expect(log?.height).toBeGreaterThan(180);
  expect(await width(page)).toBe(360);

  const bens = await open(ben, "/chat");
  const card = by(bens, ana, "Open in the calculator");
  await card.getByText("You get").waitFor();
  expect(await card.getByRole("link", { name: /Open in the calculator/ }).getAttribute("href")).toBe(
    "/calculator?you=dough&them=kitsune,control.p",
  );
  await card.getByRole("button", { name: /react or report$/ }).click();
  await bens.getByRole("dialog").getByRole("button", { name: "Handshake" }).click();
  await press(bens, "Quick talk");
  await press(bens, "Is this fair?");
  await by(page, ana, "Open in the calculator").getByRole("button", { name: "🤝 1" }).waitFor();
  await by(page, ben, "Is this fair?").locator("time").waitFor();
  await press(page, "Deal!");
  await by(bens, ana, "Deal!").locator("time").waitFor();
  await expectNoAxeFindings(bens);
  expect(await width(bens)).toBe(360);
  // The card goes by today's values, also where it is open already.
  await runSql("update items set current_value = '7M' where slug = 'dough'", site.databaseUrl);
  await card.getByText("7M", { exact: true }).waitFor();
  expect((await sent()).slice(1)).toEqual([
    { username: ben.username, message: "Is this fair?", tapped: "is-this-fair" },
    { username: ana.username, message: "Deal!", tapped: "deal" },
  ]);
});

test("one child reports the other's name by taps, a moderator removes it at the desk and it is gone from an open chat at once, the child chooses another with a tap, and the reporter sees the outcome, but not who decided it", async () => {
  const anas = await open(ana, "/chat");
  await expectLive(anas);
  await by(anas, ben, "Is this fair?")
    .getByRole("button", { name: /react or report$/ })
    .click();
  await press(anas, `Report the name ${ben.username}`);
  await anas.getByLabel("Not for children").check();
  await press(anas, "Send report");
  await expectNotice(
    anas,
    "Name reported",
    "Thank you. A moderator will look at it; your account page says what became of it.",
  );
  const account = await open(ana, "/account");
  await account.getByText("Not looked at yet").waitFor();

  const desk = await open(mia, "/admin");
  await eventually(() => desk.getByRole("tab").allInnerTexts()).toEqual(["Moderation (1)"]);
  const card = desk.locator(`[data-case="${ben.id}"]`);
  await card.getByText(`${ana.username}: Not for children`).waitFor();
  await card.getByRole("button", { name: "New name" }).click();
  await eventually(() => desk.getByLabel("Reason").inputValue()).toBe(
    "Everything here must be fit for children.",
  );
  await press(desk, "Take the name away");
  await expectNotice(desk, "Name taken away", "They’re told why. Undo takes it back.");
  await eventually(() => anas.getByText(ben.username).count()).toBe(0);
  await anas.getByRole("log").getByText("Is this fair?").waitFor();
  expect(await width(desk)).toBe(360);

  const bens = await open(ben, "/chat");
  const form = bens.getByRole("form", { name: "Choose a new username" });
  const offered = form.getByRole("group", { name: "Names that are free" }).getByRole("button").first();
  const name = (await offered.textContent()) ?? "";
  await offered.click();
  await form.getByRole("button", { name: "Use this name" }).click();
  await expectNotice(bens, "Username saved", `Others see you as ${name}.`);
  await press(bens, "Quick talk");
  await press(bens, "Deal!");
  await by(anas, { ...ben, username: name }, "Deal!").waitFor();
  await eventually(() => anas.getByText(ben.username).count()).toBe(0);

  await account.reload();
  await account.getByText("Looked at: we did something about it").waitFor();
  expect(await account.getByText(mia.username).count()).toBe(0);
  expect(await width(account)).toBe(360);
});
