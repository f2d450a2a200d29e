import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { isWithinReach } from "#tests/helpers/screen-checks.ts";
import { anonymousClient, type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { setApprovedAvatar } from "#tests/helpers/storage/approved-avatar.ts";
import { eventually, read, untilPage, visit } from "#tests/helpers/visit.ts";
import { expectNotice, noticeVariant, submit } from "./account-page.ts";
import { readText } from "./calculator-page.ts";
import { runSql } from "./chat-page.ts";

const card = (page: Page, name: string) =>
  page.getByRole("list", { name: "Traders" }).locator("> li", { has: page.getByRole("heading", { name }) });
const rateButton = (page: Page, name: string) => page.getByRole("button", { name: `Rate Trader ${name}` });
const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name: `Rate ${name}` });
const listOf = ({ username }: SignedIn) => `/community?q=${username}`;

function people(count: number): Promise<SignedIn[]> {
  return Promise.all(Array.from({ length: count }, () => signUpPerson()));
}

async function rate(from: SignedIn, to: SignedIn, rating: number, comment: string | null = null) {
  await from.client
    .from("user_ratings")
    .insert({ rater_id: from.id, rated_user_id: to.id, rating, comment })
    .throwOnError();
}

async function ratingsOf({ id }: SignedIn) {
  const client = await anonymousClient(testSite());
  const { data } = await client
    .from("user_ratings")
    .select("rating, comment, rater_id")
    .eq("rated_user_id", id)
    .order("created_at", { ascending: false })
    .throwOnError();
  return data;
}

describe("a card", () => {
  test("shows name, average, count and the three newest ratings, without scripts and without an email address", async () => {
    const [trader, ...raters] = (await people(5)) as [SignedIn, ...SignedIn[]];
    const stars = [1, 4, 5, 4];
    for (const [index, rater] of raters.entries()) {
      await rate(rater, trader, stars[index] ?? 1, index === 2 ? null : `Comment ${index}`);
    }
    const page = await visit(listOf(trader), { javaScript: false });
    const shown = card(page, trader.username);
    expect(await readText(shown.locator("header"))).toContain(
      `${trader.username} Average rating 3.5 4 ratings`,
    );
    const lines = await Promise.all((await shown.locator(".rating").all()).map(readText));
    expect(lines).toEqual([
      `4 stars from ${raters[3]?.username} ${today()} Comment 3`,
      `5 stars from ${raters[2]?.username} ${today()}`,
      `4 stars from ${raters[1]?.username} ${today()} Comment 1`,
    ]);
    expect(await page.content()).not.toContain("@example.com");
    expect(await page.getByRole("button", { name: /Rate Trader/ }).count()).toBe(0);
    await shown.getByRole("link", { name: "All ratings" }).click();
    await page.waitForURL(`/community/${trader.username}`);
    expect(await page.locator(".rating").count()).toBe(4);
  });

  test("of a new trader shows the picture, an average of 0 and no ratings; users can't rate themselves; a finger finds the name and, on the trader's page, the way back", async () => {
    const person = await signUpPerson();
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
      .webp()
      .toBuffer();
    await setApprovedAvatar(testSite(), person, picture, "webp");
    const page = await visitAs(person, listOf(person), { width: 360, height: 740 });
    const shown = card(page, person.username);
    await shown.getByText("This is you").waitFor();
    const text = await readText(shown);
    expect(text).toContain("Average rating 0 0 ratings");
    expect(text).not.toContain("No ratings yet.");
    expect(await rateButton(page, person.username).count()).toBe(0);
    const image = shown.locator("img");
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBeGreaterThan(0);
    const name = shown.getByRole("link", { name: person.username });
    await eventually(() => isWithinReach(name)).toBe(true);
    await page.goto(`/community/${person.username}`);
    await page.getByText("No ratings yet.").waitFor();
    expect(await readText(page.locator("main"))).not.toMatch(/0 ratings|5 stars/);
    const way = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link");
    await eventually(() => isWithinReach(way)).toBe(true);
  });

  test("disappears when its owner chooses to be hidden, as does their name on ratings they gave, for all but themselves", async () => {
    const [trader, hidden] = (await people(2)) as [SignedIn, SignedIn];
    await rate(hidden, trader, 5, "Kind");
    await hidden.client.from("profiles").update({ listed: false }).eq("id", hidden.id).throwOnError();
    const { html } = await read(listOf(trader));
    expect(html).toContain("A hidden trader");
    expect(html).toContain("Kind");
    expect(html).not.toContain(hidden.username);
    const page = await visitAs(hidden, listOf(trader));
    await card(page, trader.username).getByText("You, hidden from others").waitFor();
    await page.goto(`/community/${trader.username}`);
    await page.getByText("You, hidden from others").waitFor();
    expect(await page.getByRole("button", { name: /^Report the rating/ }).count()).toBe(0);
    expect((await read(listOf(hidden))).html).toContain("No traders found");
    expect((await read(`/community/${hidden.username}`)).status).toBe(404);
  });
});

/** Holds one request until the returned function is called. */
async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, (route) => promise.then(() => route.continue()), { times: 1 });
  return resolve;
}

describe("rating", () => {
  test("is offered to signed-in users and starts with five stars; what is refused or fails to send says why and keeps the text, a late answer what was typed since; the card updates without a reload", async () => {
    const [rater, trader] = (await people(2)) as [SignedIn, SignedIn];
    const page = await visitAs(rater, listOf(trader), {
      expectedProblems: [/answer 4(00|29): POST .*user_ratings/, /request failed: (GET|POST) .*user_ratings/],
    });
    await rateButton(page, trader.username).click();
    const dialog = dialogOf(page, trader.username);
    await dialog.getByRole("radio", { name: "5 stars" }).waitFor();
    expect(await dialog.getByRole("radio", { name: "5 stars" }).isChecked()).toBe(true);
    const comment = dialog.getByLabel("Comment");
    const send = () => dialog.getByRole("button", { name: "Submit Rating" }).click();
    const refused = async (text: string, sentence: string) => {
      await comment.fill(text);
      await send();
      await expect.poll(() => readText(dialog.locator(".field-error[role=alert]"))).toBe(sentence);
      expect(await comment.inputValue()).toBe(text);
    };
    await refused("x".repeat(501), "Comment too long (max 500 characters)");
    await refused("what a bastard", "Please keep it friendly: a word in this text is not allowed here");
    await refused("see www.example.org", "Links are not allowed here");
    await runSql(
      `insert into private.daily_acts values ('${rater.id}', 'rate', array_fill(now(), array[30]))`,
    );
    await refused("Fair", "You can give 30 ratings a day. Please try again tomorrow.");
    await runSql(`delete from private.daily_acts where user_id = '${rater.id}'`);
    await page.route("**/rest/v1/user_ratings*", (route) => route.abort("connectionfailed"));
    await refused("Fair", "Your rating could not be sent. Nothing is lost; please try again in a moment.");
    await page.unroute("**/rest/v1/user_ratings*");
    expect(await ratingsOf(trader)).toEqual([]);

    await comment.fill("");
    const goOn = await hold(page, "**/rest/v1/user_ratings?*on_conflict*");
    await send();
    await page.getByRole("button", { name: "Sending…" }).waitFor();
    await page.keyboard.press("Escape");
    await comment.waitFor({ state: "hidden" });
    await rateButton(page, trader.username).click();
    await comment.fill("Quick and fair");
    goOn();
    await expectNotice(page, "Rating submitted successfully");
    expect(await noticeVariant(page)).toBe("success");
    expect(await ratingsOf(trader)).toEqual([{ rating: 5, comment: null, rater_id: rater.id }]);
    await expect.poll(() => readText(card(page, trader.username))).toContain("5.0 1 rating");
    await eventually(() => comment.inputValue()).toBe("Quick and fair");
    await page.keyboard.press("Escape");
    await comment.waitFor({ state: "hidden" });
    await rateButton(page, trader.username).click();
    await comment.waitFor();
    await eventually(() => comment.inputValue()).toBe("Quick and fair");
  });

  test("again shows the earlier rating, or another try instead of an empty form, uncovered on a narrow phone with its keyboard open, and replaces it by keyboard", async () => {
    const [rater, trader] = (await people(2)) as [SignedIn, SignedIn];
    await rate(rater, trader, 4, "Quick");
    const page = await visitAs(rater, `/community/${trader.username}`, {
      width: 320,
      height: 400,
      expectedProblems: [/request failed: GET .*user_rat/],
    });
    await page.route("**/rest/v1/user_ratings?*", (route) => route.abort("connectionfailed"));
    await rateButton(page, trader.username).click();
    const dialog = dialogOf(page, trader.username);
    const comment = dialog.getByLabel("Comment");
    await dialog.getByText("Your rating can’t be loaded right now.").waitFor();
    expect(await comment.count()).toBe(0);
    await page.unroute("**/rest/v1/user_ratings?*");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByText("You gave 4 stars on").waitFor();
    await eventually(() => comment.inputValue()).toBe("Quick");
    const foot = dialog.locator(".form-actions");
    // Focused again each time: what was still loading may move the field once more, and browsers scroll only then, and
    // only as far as the line that is typed.
    const covered = async () => {
      await comment.blur();
      await comment.focus();
      const [field, actions] = [await comment.boundingBox(), await foot.boundingBox()];
      return field && actions ? Math.round(field.y + field.height / 2 - actions.y) : Number.NaN;
    };
    await eventually(covered).toBeLessThanOrEqual(0);
    expect((await foot.boundingBox())?.height).toBeLessThan(80);
    expect((await comment.boundingBox())?.y).toBeGreaterThan(80);
    await comment.click();
    await page.keyboard.type(", kind");
    await eventually(() => comment.inputValue()).toBe("Quick, kind");

    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press("Escape");
    await rateButton(page, trader.username).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("You gave 4 stars on").waitFor();
    await dialog.getByRole("radio", { name: "4 stars" }).focus();
    for (const stars of [3, 2]) {
      await page.keyboard.press("ArrowLeft");
      expect(await readText(dialog.locator("output"))).toBe(`${stars} stars`);
    }
    await expectNoAxeFindings(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Changed my mind");
    // The notice stays.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    // Tabs past "Delete my rating" and "Cancel".
    for (const _ of ["delete", "cancel", "submit"]) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expectNotice(page, "Rating submitted successfully");
    expect(await ratingsOf(trader)).toEqual([{ rating: 2, comment: "Changed my mind", rater_id: rater.id }]);
    await page.locator(".rating", { hasText: "Changed my mind" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    // The notice still stands when the dialog opens; the buttons come later, with the earlier rating.
    await page.setViewportSize({ width: 360, height: 740 });
    const goOn = await hold(page, "**/rest/v1/user_ratings?*");
    await rateButton(page, trader.username).click();
    await dialog.locator(".skeleton").waitFor();
    goOn();
    await foot.waitFor();
    const coversFoot = () =>
      page.evaluate(() => {
        const [notice, buttons] = [".toast", "dialog[open] .form-actions"].map((each) =>
          document.querySelector(each)?.getBoundingClientRect(),
        );
        return notice && buttons && notice.top < buttons.bottom && buttons.top < notice.bottom;
      });
    await eventually(coversFoot).toBe(false);
  });

  test("replaces one that was given elsewhere meanwhile only after it was shown, and its own after a lost answer at once", async () => {
    const [rater, trader] = (await people(2)) as [SignedIn, SignedIn];
    const page = await visitAs(rater, listOf(trader), {
      expectedProblems: [/request failed: POST .*user_ratings/],
    });
    await rateButton(page, trader.username).click();
    const dialog = dialogOf(page, trader.username);
    const comment = dialog.getByLabel("Comment");
    await comment.fill("Kind, says Zebulon");
    await rate(rater, trader, 1, "Slow");
    const send = () => dialog.getByRole("button", { name: "Submit Rating" }).click();
    await send();
    await dialog.getByText("You rated this trader somewhere else in the meantime: 1 star, “Slow”.").waitFor();
    await dialog.getByText("You gave 1 star on").waitFor();
    expect(await comment.inputValue()).toBe("Kind, says Zebulon");
    expect(await ratingsOf(trader)).toEqual([{ rating: 1, comment: "Slow", rater_id: rater.id }]);
    await loseAnswer(page, "**/rest/v1/user_ratings?on_conflict*");
    await send();
    await dialog.getByText("Your rating could not be sent.").waitFor();
    await send();
    await dialog.waitFor({ state: "hidden" });
    expect(await ratingsOf(trader)).toEqual([{ rating: 5, comment: "Kind, says ####", rater_id: rater.id }]);
  });

  test("being typed survives a selection that ends outside the dialog and a reload, is not another user's who logs in meanwhile, and after logout elsewhere asks to log in", async () => {
    const [rater, trader, next] = (await people(3)) as [SignedIn, SignedIn, SignedIn];
    const page = await visitAs(rater, listOf(trader));
    await rateButton(page, trader.username).click();
    const dialog = dialogOf(page, trader.username);
    const comment = dialog.getByLabel("Comment");
    await dialog.getByLabel("2 stars").click();
    await comment.fill("Quick and fair");
    await comment.hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await eventually(() => comment.inputValue()).toBe("Quick and fair");
    await page.mouse.click(5, 5);
    await comment.waitFor({ state: "hidden" });
    await page.reload();
    await rateButton(page, trader.username).click();
    await expect.poll(() => comment.inputValue()).toBe("Quick and fair");
    expect(await dialog.getByLabel("2 stars").isChecked()).toBe(true);

    const other = await page.context().newPage();
    await other.goto("/about");
    await other.getByRole("button", { name: "Logout" }).click();
    await other.waitForURL("/");
    await other.goto("/auth");
    await submit(other, "Sign In", next.email, next.password);
    await other.waitForURL("/");
    await expect.poll(() => comment.inputValue()).toBe("");
    // Nor is it when the form is opened anew.
    await page.reload();
    await rateButton(page, trader.username).click();
    await comment.waitFor();
    expect(await comment.inputValue()).toBe("");
    await dialog.getByRole("button", { name: "Submit Rating" }).click();
    await expectNotice(page, "Rating submitted successfully");
    const stored = [{ rating: 5, comment: null, rater_id: next.id }];
    expect(await ratingsOf(trader)).toEqual(stored);

    await rateButton(page, trader.username).click();
    await comment.fill("Fair and quick");
    await other.getByRole("button", { name: "Logout" }).click();
    await other.getByRole("link", { name: "Login" }).waitFor();
    await dialog.getByRole("button", { name: "Submit Rating" }).click();
    await expectNotice(page, "Please log in to rate users");
    expect(await noticeVariant(page)).toBe("destructive");
    expect(await ratingsOf(trader)).toEqual(stored);
    expect(await rateButton(page, trader.username).count()).toBe(0);
  });
});

test("an answer that comes late closes neither another answer's dialog nor another report's; a lost one is not refused as a second one", async () => {
  const [trader, ana, ben] = (await people(3)) as [SignedIn, SignedIn, SignedIn];
  await rate(ana, trader, 1, "Slow");
  await rate(ben, trader, 5, "Kind");
  const path = `/community/${trader.username}`;
  await untilPage(path, (html) => html.includes("Slow") && html.includes("Kind"));
  const page = await visitAs(trader, path, {
    expectedProblems: [/request failed: POST .*answer_rating/, /answer 404: POST .*answer_rating/],
  });
  const open = (act: string, { username }: SignedIn) =>
    page.getByRole("button", { name: `${act} the rating of ${username}` }).click();
  const shown = page.getByRole("dialog").filter({ visible: true });

  await open("Dispute", ana);
  await shown.getByLabel("Not for children").check();
  const reported = await hold(page, "**/rest/v1/reports*");
  await shown.getByRole("button", { name: "Send report" }).click();
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  await open("Dispute", ben);
  await shown.getByLabel("Not for children").check();
  reported();
  await expectNotice(
    page,
    "Rating reported",
    "Thank you. A moderator will look at it; your account page says what became of it.",
  );
  expect(await shown.getByLabel("Not for children").isChecked()).toBe(true);
  await page.keyboard.press("Escape");

  const answer = shown.getByLabel("Answer");
  await open("Answer", ana);
  await answer.fill("I was ill");
  const answered = await hold(page, "**/rpc/answer_rating");
  await shown.getByRole("button", { name: "Publish answer" }).click();
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  await open("Answer", ben);
  await answer.fill("Thank you");
  answered();
  await expectNotice(page, "Answer published");
  await eventually(() => answer.inputValue()).toBe("Thank you");

  await loseAnswer(page, "**/rpc/answer_rating");
  await shown.getByRole("button", { name: "Publish answer" }).click();
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  await shown.getByRole("button", { name: "Publish answer" }).click();
  await expectNotice(page, "Answer published");
  await shown.waitFor({ state: "detached" });
  const kept = await page.evaluate(() => Object.keys(sessionStorage).join());
  expect(kept).not.toContain("typed:");
});

describe("the list", () => {
  test("is searched while typing and sorted by links, the address has both, and it gives way to a trader who is opened right after typing", async () => {
    const [one, two] = (await people(2)) as [SignedIn, SignedIn];
    await rate(one, two, 5);
    const page = await visit("/community");
    await page
      .getByRole("searchbox", { name: "Search traders" })
      .pressSequentially(two.username.toLowerCase());
    await page.waitForURL(`/community?q=${two.username.toLowerCase()}`);
    await page.getByText(`1 trader with “${two.username.toLowerCase()}” in the name`).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("q");
    await page.getByRole("link", { name: "Best rated" }).click();
    await page.waitForURL(`/community?q=${two.username.toLowerCase()}&sort=best`);
    await expect
      .poll(() => page.getByRole("link", { name: "Best rated" }).getAttribute("aria-current"))
      .toBe("true");
    // An order chosen before the search has been applied keeps the typed text, also when typing has paused just then.
    await page.getByRole("searchbox").fill(one.username.toLowerCase());
    await page.getByRole("link", { name: "Most rated" }).evaluate((link: HTMLElement) => {
      const end = performance.now() + 400;
      while (performance.now() < end);
      link.click();
    });
    await page.waitForURL(`/community?q=${one.username.toLowerCase()}&sort=most`);
    await page.getByText(`1 trader with “${one.username.toLowerCase()}” in the name`).waitFor();
    await page.getByRole("link", { name: "Best rated" }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("searchbox").fill("w".repeat(40));
    await page.getByRole("heading", { name: "No traders found" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole("link", { name: "Show all traders" }).click();
    await page.waitForURL("/community?sort=best");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");

    const trader = two;
    await page.getByRole("searchbox").fill(trader.username);
    await page.waitForURL(`/community?q=${trader.username}&sort=best`);
    await page.getByText(`1 trader with “${trader.username}” in the name`).waitFor();
    await page.clock.install();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/community.*\.data/, async (route) => {
      if (route.request().url().includes(trader.username)) ask();
      await isReleased;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole("searchbox").fill("nobody");
    await page.getByRole("link", { name: trader.username, exact: true }).click();
    await isAsked;
    await page.clock.fastForward(1_000);
    release();
    await page.waitForURL(`/community/${trader.username}`);
    await page.getByRole("heading", { level: 1, name: trader.username }).waitFor();
  });

  test("is searched and paged without scripts", async () => {
    const person = await signUpPerson();
    const database = `insert into auth.users (id, email) select gen_random_uuid(), 'crew' || n || '@crew.example' from generate_series(1, 60) as n`;
    await changeSite(database, "delete from auth.users where email like '%@crew.example'");
    const page = await visit("/community?page=2", { javaScript: false });
    await page.getByText(/^Page 2 of \d+/).waitFor();
    await page.getByRole("link", { name: "← Previous" }).click();
    await page.waitForURL("/community");
    const names = await page.locator(".trader-card h2").allTextContents();
    expect(names).toHaveLength(24);
    expect(names.map((name) => name.toLowerCase())).toEqual(
      names.map((name) => name.toLowerCase()).toSorted(),
    );
    await page.getByRole("searchbox").fill(person.username);
    await page.keyboard.press("Enter");
    await page.waitForURL(listOf(person));
    expect(await page.locator(".trader-card h2").allTextContents()).toEqual([person.username]);
  });
});

describe("a trader's page", () => {
  test("has every rating in pages, the count per number of stars, and its own head", async () => {
    const trader = await signUpPerson();
    await changeSite(
      `with raters as (
         insert into auth.users (id, email) select gen_random_uuid(), n || '@raters.example' from generate_series(1, 25) as n
         returning id, split_part(email, '@', 1)::integer as n
       ) select n from raters;
       insert into user_ratings (rater_id, rated_user_id, rating, comment, created_at)
       select users.id, '${trader.id}', 1 + split_part(email, '@', 1)::integer % 5, 'Deal ' || split_part(email, '@', 1),
         now() - split_part(email, '@', 1)::integer * interval '1 hour'
       from auth.users as users where email like '%@raters.example'`,
      "delete from auth.users where email like '%@raters.example'",
    );
    const path = `/community/${trader.username}`;
    await eventually(async () => (await read(path)).html.includes("25 ratings")).toBe(true);
    const { html } = await read(path);
    expect(html).toContain(`<title>${trader.username}, rated by other traders | Blox Fruits Values</title>`);
    expect(html).toContain("3.0 of 5 stars from 25 ratings");
    expect(html).toContain(`"item":"https://values.example${path}"`);
    const page = await visit(path, { javaScript: false });
    expect(await readText(page.getByRole("list", { name: "Ratings by stars" }))).toMatch(
      /^5 stars 5 ratings/,
    );
    expect(await page.locator(".rating-comment").allTextContents()).toEqual(
      Array.from({ length: 20 }, (_, place) => `Deal ${place + 1}`),
    );
    await page.getByRole("link", { name: "Next →" }).click();
    await page.waitForURL(`${path}?page=2`);
    expect(await page.locator(".rating").count()).toBe(5);

    const timeZone = "Pacific/Kiritimati";
    const abroad = await visit(path, { locale: "de-DE", timezoneId: timeZone });
    const times = abroad.locator(".rating time");
    const moments = await times.evaluateAll((all) => all.map((time) => time.getAttribute("datetime") ?? ""));
    const days = moments.map((moment) =>
      new Date(moment).toLocaleDateString("en-US", { dateStyle: "medium", timeZone }),
    );
    await expect.poll(() => times.allTextContents()).toEqual(days);
  });

  test("keeps a long name whole on the narrowest phone, and its ratings' dates in one column; a long comment is not cut off there and in the list, wide and narrow", async () => {
    const [trader, ...raters] = (await people(3)) as [SignedIn, ...SignedIn[]];
    for (const rater of raters) await rate(rater, trader, 5, "quick trade ".repeat(41).trim());
    await changeSite(
      `set session_replication_role = replica;
       update profiles set username = 'BravePhoenix1607' where id = '${trader.id}';
       update profiles set username = 'Fox12' where id = '${raters[0]?.id}';
       update profiles set username = 'KeenNavigator4682' where id = '${raters[1]?.id}'`,
      "select 1",
    );
    await untilPage("/community/BravePhoenix1607", (html) => html.includes("KeenNavigator4682"));
    const page = await visit("/community/BravePhoenix1607", { width: 320, height: 568 });
    const lines = await page.locator("#trader-name").evaluate((name) => {
      const range = document.createRange();
      range.selectNodeContents(name);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    const dates = await page
      .locator(".rating time")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect(dates).toHaveLength(2);
    expect(new Set(dates).size).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto("/community?q=BravePhoenix1607");
    await page.locator(".rating").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test("in another letter case redirects to its own address; an unknown or invalid name is a 404", async () => {
    const person = await signUpPerson();
    const other = await fetch(`${testSite().address}/community/${person.username.toUpperCase()}?page=2`, {
      redirect: "manual",
    });
    expect([other.status, other.headers.get("location")]).toEqual([
      301,
      `/community/${person.username}?page=2`,
    ]);
    for (const name of ["Nobody_Here_1", "%00", "x".repeat(300), "a%20b", "ab"]) {
      const { status, html } = await read(`/community/${name}`);
      expect([name, status]).toEqual([name, 404]);
      expect(html).toContain("Trader Not Found");
    }
  });
});

function today(): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date());
}
