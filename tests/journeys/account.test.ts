import { readFileSync } from "node:fs";
import type { Session } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { initialsOf } from "#app/features/profile/initials.ts";
import { addAppFactor } from "#tests/helpers/app-factor.ts";
import { describedBy, expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { expectNoSidewaysScroll, paint } from "#tests/helpers/screen-checks.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { visit } from "#tests/helpers/visit.ts";
import {
  clientOf,
  expectNotice,
  makeAccount,
  newAddress,
  PASSWORD,
  signIn,
  submit,
  untilSignedIn,
} from "./account-page.ts";

const REFUSED = [/answer 4\d\d: /];

/** A new user, signed in and on /account. */
async function openAccount(options: Parameters<typeof visitAs>[2] = {}) {
  const { email, id, session } = await signUpPerson();
  const page = await visitAs({ session }, "/account", options);
  await page.getByLabel("Username").waitFor();
  return { page, email, id };
}

/** The same, but signed in through this browser's form. */
async function signInToAccount() {
  const account = await makeAccount();
  const page = await visit("/auth");
  await signIn(page, account.email);
  await page.goto("/account");
  await page.getByLabel("Username").waitFor();
  return { page, ...account };
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  const { error } = await (await clientOf()).auth.signInWithPassword({ email, password });
  return error === null;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("the gate waits for the stored session without a notice, shows none at Logout, and sends visitors to /auth with one, through the history and on a hard load", async () => {
  const { page } = await openAccount();
  await page.evaluate(() => sessionStorage.setItem("seen", ""));
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () =>
      new MutationObserver(() => {
        if (document.querySelector("[data-slot=toast]") || location.pathname !== "/account")
          if (sessionStorage.getItem("seen") === "") sessionStorage.setItem("seen", "judged");
      }).observe(document.body, { childList: true, subtree: true }),
    );
  });
  await page.reload();
  await page.getByLabel("Username").waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("seen"))).toBe("");
  await page.evaluate(() => sessionStorage.removeItem("seen"));
  await press(page, "Logout");
  await page.waitForURL("/");
  await expectNotice(page, "Logged out successfully");
  await page.goBack();
  await page.waitForURL("/auth");
  await expectNotice(page, "Authentication Required", "Please log in to see your account");
  await page.goto("/account");
  await page.waitForURL("/auth");
  await expectNotice(page, "Authentication Required", "Please log in to see your account");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.waitForURL("/");
  expect(await page.getByLabel("Username").count()).toBe(0);
});

/** Three digits derived from an id, so that two names of known words rarely collide. */
const figures = (id: string) => String(Number.parseInt(id.slice(0, 4), 16) % 1000).padStart(3, "0");

test("axe finds nothing in a started setup and nothing is cut off, narrow and wide, light and dark; what a user typed and read is gone when another one logs in meanwhile", async () => {
  const { page } = await openAccount();
  const next = await signUpPerson();
  const email = page.getByLabel("New email");
  await email.fill("mine@example.com");
  await press(page, "Set up an authenticator app");
  await page.getByRole("img", { name: "QR code with the key below" }).waitFor();
  for (const [width, scheme] of [
    [390, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await paint(page, scheme);
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page, { include: "section:has(code)" });
  }
  expect(await page.context().cookies(testSite().address)).toEqual([]);
  await page.getByLabel("Code from your authenticator app").waitFor();
  // As a mailed link of theirs does that is opened in another tab.
  await page.evaluate((session) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
    localStorage.setItem(key, session);
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, JSON.stringify(next.session));
  await page.getByText(`Now: ${next.email}`).waitFor();
  await expect.poll(() => email.inputValue()).toBe("");
  expect(await page.getByLabel("Code from your authenticator app").count()).toBe(0);
});

test("the profile has a username, of which an invalid, a taken and a reserved one are refused, and can be hidden from the community and shown again; it tells what is stored, after a reload, a lost answer and a change elsewhere", async () => {
  const { page, id } = await openAccount({
    expectedProblems: [...REFUSED, /request failed: (PATCH|GET) .*profiles/],
  });
  let saves = 0;
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.url().includes("/profiles?")) saves += 1;
  });
  for (const invalid of ["ab", "has space", "a".repeat(21)]) {
    await page.getByLabel("Username").fill(invalid);
    await press(page, "Save username");
    await expectNotice(page, "Invalid input", "Username must be 3 to 20 letters, digits or underscores");
    await press(page, "Dismiss");
    await expect.poll(() => page.locator("[data-slot=toast]").count()).toBe(0);
  }
  expect(saves).toBe(0);
  const other = await makeAccount();
  const name = `QuickTiger${figures(other.id)}`;
  await changeSite(`update profiles set username = '${name}' where id = '${other.id}'`, "select 1");
  await page.getByLabel("Username").fill(name.toUpperCase());
  await press(page, "Save username");
  await expectNotice(page, "Error", "This username is taken already");
  expect(await describedBy(page.getByLabel("Username"))).toMatch(/^This username is taken already/);
  await page.getByLabel("Username").fill("moderator");
  await press(page, "Save username");
  await expectNotice(page, "Error", "This username is reserved");
  const free = `Calm_Otter_${figures(id)}`;
  const tab = await page.context().newPage();
  await tab.goto("/account");
  await tab.getByLabel("Username").waitFor();
  await page.getByLabel("Username").fill(free);
  await press(page, "Save username");
  await expectNotice(page, "Username saved", `Others see you as ${free}.`);
  // The initials and another tab's field follow.
  await expect.poll(() => page.locator("[data-initials]").first().textContent()).toBe(initialsOf(free));
  await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect.poll(() => tab.getByLabel("Username").inputValue()).toBe(free);
  await tab.close();
  const box = page.getByLabel("Hide me from the community");
  const seen = async () => (await (await clientOf()).from("profiles").select().eq("id", id)).data?.length;
  expect(await seen()).toBe(1);
  await box.check();
  await expectNotice(page, "You are hidden from the community");
  expect(await seen()).toBe(0);
  await page.reload();
  await expect.poll(() => page.getByLabel("Username").inputValue()).toBe(free);
  await changeSite(
    `update private.daily_acts set done = array_fill(now(), array[3]) where user_id = '${id}'`,
    "select 1",
  );
  await page.getByLabel("Username").fill(`${free}2`);
  await page.reload();
  await expect.poll(() => page.getByLabel("Username").inputValue()).toBe(`${free}2`);
  await press(page, "Save username");
  await expectNotice(page, "Error", "You can change your username 3 times a day. Please try again tomorrow.");

  await box.uncheck();
  await expectNotice(page, "The community can see you again");
  expect(await seen()).toBe(1);
  // Clicked again before the first save is answered, it saves once and shows the stored state. It is not read again.
  saves = 0;
  await page.route(/\/profiles\?/, (route) =>
    route.request().method() === "GET" ? route.abort("connectionfailed") : route.continue(),
  );
  await box.evaluate((input: HTMLInputElement) => {
    input.click();
    setTimeout(() => input.click());
  });
  await expectNotice(page, "You are hidden from the community");
  await expect.poll(() => box.isChecked()).toBe(true);
  expect([saves, await seen()]).toEqual([1, 0]);
  await page.unrouteAll();
  await box.click();
  await expectNotice(page, "The community can see you again");
  await loseAnswer(page, /\/profiles\?/);
  const readAgain = page.waitForResponse((answer) => /\/profiles\?/.test(answer.url()));
  await box.click();
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  await readAgain;
  await expect.poll(() => box.isChecked()).toBe(true);
  await changeSite(`update profiles set listed = true where id = '${id}'`, "select 1");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect.poll(() => box.isChecked()).toBe(false);
});

test("a new email address must be valid; an old session must reauthenticate: Cancel changes nothing, and the password resumes the change, which is done at once if no mail must confirm it; a new password must follow the rule, then only it signs in, and other sessions end", async () => {
  const { page, id, email } = await openAccount({
    width: 390,
    expectedProblems: [...REFUSED, /request failed: PUT .*\/user/],
  });
  await page.getByLabel("New email").fill("abc");
  await press(page, "Change email");
  await expectNotice(page, "Invalid input", "Please enter a valid email");
  await page.getByLabel("New email").fill(` ${email.toUpperCase()}`);
  await press(page, "Change email");
  await expectNotice(page, "Invalid input", "This is already your email");
  await changeSite(
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '11 min'
       where session_id in (select id from auth.sessions where user_id = '${id}')`,
    "select 1",
  );
  const next = newAddress("next");
  await page.getByLabel("New email").fill(` ${next} `);
  await press(page, "Change email");
  await page.getByRole("heading", { name: "Is it really you?" }).waitFor();
  await press(page, "Cancel");
  expect((await page.getByLabel("New email").inputValue()).trim()).toBe(next);
  await page.getByText(`Now: ${email}`).waitFor();
  await press(page, "Change email");
  const secret = page.getByLabel("Your password", { exact: true });
  await secret.fill("wrong");
  await press(page, "Continue");
  await page.getByText("Invalid login credentials").first().waitFor();
  expect(await secret.getAttribute("aria-invalid")).toBe("true");
  await secret.fill(PASSWORD);
  await press(page, "Continue");
  await expectNotice(page, "Email changed");
  await page.getByText(`Now: ${next}`).waitFor();
  expect(await canSignIn(next, PASSWORD)).toBe(true);

  const field = page.getByLabel("New password", { exact: true });
  await field.fill("Abcdefghijk!");
  await press(page, "Change password");
  await expectNotice(page, "Invalid input", "Password must include a number");
  await field.fill("Another-word-7");
  // Stored, although the page does not hear of it: pressed again, it is the same password.
  await loseAnswer(page, "**/auth/v1/user*");
  await press(page, "Change password");
  await expectNotice(page, "Error", "The service can't be reached right now. Please try again in a moment.");
  await press(page, "Change password");
  await expectNotice(page, "Password changed", "You’re signed out everywhere else.");
  expect(await field.inputValue()).toBe("");
  expect([await canSignIn(next, PASSWORD), await canSignIn(next, "Another-word-7")]).toEqual([false, true]);
});

describe("sessions", () => {
  test("are listed by device, this one first, and each can be ended on its own at once; a list requested before does not bring it back; Log out here leaves the others", async () => {
    const { page, email } = await signInToAccount();
    const clients = [await clientOf(), await clientOf(), await clientOf()] as const;
    const [phone, computer, other] = clients;
    for (const client of clients) await client.auth.signInWithPassword({ email, password: PASSWORD });
    for (const [client, agent] of [
      [phone, "Mozilla/5.0 (iPhone) Version/18.6 Safari/604.1"],
      [computer, "Mozilla/5.0 (Windows) Firefox/1"],
    ] as const) {
      const claims = (await client.auth.getClaims()).data?.claims;
      await changeSite(
        `update auth.sessions set user_agent = '${agent}',
           refreshed_at = now() + interval '1 s' where id = '${claims?.session_id}'`,
        "select 1",
      );
    }
    await page.reload();
    const rows = page.getByRole("list", { name: "Where you’re signed in" }).getByRole("listitem");
    // From sign-up, from this browser, and from three others.
    await expect.poll(() => rows.count()).toBe(5);
    expect(await rows.first().textContent()).toMatch(
      /^Chrome on LinuxLast active \w+ \d+, \d{4}This device$/,
    );
    const row = rows.filter({ hasText: "Safari on iPhone" });
    expect(await row.locator("time").getAttribute("datetime")).toMatch(/^\d{4}-/);
    expect(await page.getByText("127.0.0.1").count()).toBe(0);
    await expectNoAxeFindings(page);

    const { promise: newerIsShown, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: wasRead, resolve: read } = Promise.withResolvers<void>();
    await page.route(
      "**/rpc/list_own_sessions",
      async (route) => {
        const answer = await route.fetch();
        read();
        await newerIsShown;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await rows.getByRole("button", { name: "Sign out Firefox on Windows", exact: true }).click();
    await wasRead;
    await row.getByRole("button", { name: "Sign out Safari on iPhone", exact: true }).click();
    await expect.poll(() => rows.count()).toBe(3);
    goOn();
    await expectNotice(page, "Signed out", "Firefox on Windows is no longer signed in.");
    expect(await rows.count()).toBe(3);
    for (const client of [phone, computer]) {
      await expect.poll(async () => (await client.from("trade_history").select("id")).status).toBe(401);
      expect((await client.auth.refreshSession()).error).not.toBeNull();
    }
    expect((await other.from("trade_history").select("id")).error).toBeNull();
    await press(page, "Log out here");
    await page.waitForURL("/");
    expect((await other.auth.refreshSession()).error).toBeNull();
  });

  test("a backend without the list says so; signing out elsewhere keeps this one; signing out everywhere ends it too", async () => {
    const { page, email } = await openAccount({
      expectedProblems: REFUSED,
      prepare: (page) =>
        page.route("**/rpc/list_own_sessions", (route) =>
          route.fulfill({
            status: 404,
            json: { code: "PGRST202", message: "Could not find the function" },
          }),
        ),
    });
    await page.getByText("This site’s backend doesn’t list where you’re signed in.").waitFor();
    const [elsewhere, again] = [await clientOf(), await clientOf()];
    await elsewhere.auth.signInWithPassword({ email, password: PASSWORD });
    await press(page, "Log out everywhere else");
    await expectNotice(page, "Logged out everywhere else");
    expect((await elsewhere.auth.refreshSession()).error).not.toBeNull();
    await again.auth.signInWithPassword({ email, password: PASSWORD });
    await press(page, "Log out everywhere");
    await page.waitForURL("/");
    await expectNotice(page, "Logged out successfully");
    expect((await again.auth.refreshSession()).error).not.toBeNull();
  });
});

test("dates of own lists are of the reader's time zone; a user's own data, and nobody else's, is exported as one file", async () => {
  const person = await signUpPerson();
  const { email, id } = person;
  const reported = await makeAccount();
  await person.client
    .from("reports")
    .insert({ kind: "name", code: "spam", subject_id: reported.id })
    .throwOnError();
  await changeSite(
    `update reports set created_at = '2026-11-21T02:00:00Z' where reporter_id = '${id}'`,
    `delete from reports where reporter_id = '${id}'`,
  );
  await (await clientOf()).auth.signInWithPassword(person);
  const page = await visitAs(person, "/account", { timezoneId: "America/Los_Angeles" });
  const list = page.getByRole("list", { name: "Your reports" });
  await expect.poll(() => list.locator("time").textContent()).toBe("Nov 20, 2026");
  await changeSite(
    `insert into word_requests (word) values ('zorbly');
     insert into private.word_askers (word, user_id) values ('zorbly', '${id}');
     insert into private.consent_log (child_id, act) values ('${id}', 'asked')`,
    "delete from word_requests where word = 'zorbly'",
  );
  await page.locator("input[name=picture]").setInputFiles({
    name: "me.png",
    mimeType: "image/png",
    buffer: await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
      .png()
      .toBuffer(),
  });
  await expectNotice(page, "Picture sent", "A moderator will look at it before others see it.");
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Download my data")]);
  expect(download.suggestedFilename()).toBe("my-data.json");
  const data = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(data.account).toMatchObject({ id, email });
  expect(data.profile).toEqual([expect.objectContaining({ id, listed: true })]);
  const empty = [
    "roles",
    "saved_trades",
    "ratings_given",
    "ratings_received",
    "chat_messages",
    "public_editor_name",
    "value_sets",
    "skipped_items",
    "applications",
  ];
  expect(empty.map((name) => data[name])).toEqual(empty.map(() => []));
  expect(data.pictures).toEqual([
    { name: expect.any(String), content: expect.stringMatching(/^data:image/) },
  ]);
  expect(data.requests).toEqual([
    { kind: "permission", what: "asked", at: expect.any(String) },
    { kind: "word", what: "zorbly", at: null },
  ]);
  // From sign-up and from elsewhere.
  expect(data.open_sign_ins).toHaveLength(2);
  expect(data.account_log.map(({ action }: { action: string }) => action)).toContain("login");
  expect(JSON.stringify(data)).not.toMatch(/password|token|secret/i);
});

describe("the second factor", () => {
  test("is set up with its key, also after a cancelled setup, and required at sign-in before anything else; lost, a recovery code replaces it, which was shown once, copied and saved as a file; then it is removed", async () => {
    const { page, email } = await openAccount({ expectedProblems: REFUSED });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press(page, "Set up an authenticator app");
    await press(page, "Cancel");
    await press(page, "Set up an authenticator app");
    await page.getByRole("img", { name: "QR code with the key below" }).waitFor();
    const key = (await page.locator("code").textContent()) ?? "";
    const code = page.getByLabel("Code from your authenticator app");
    await code.fill("12345");
    await press(page, "Turn it on");
    await expectNotice(page, "Invalid input", "Please enter the six digits");
    await code.fill(new TOTP({ secret: key }).generate());
    await press(page, "Turn it on");
    await expectNotice(page, "Second factor is on", "You’ll be asked for a code when you sign in.");
    await page.getByText("On.", { exact: true }).waitFor();

    await press(page, "Make recovery codes");
    const list = page.getByRole("list", { name: "Recovery codes" });
    await list.waitFor();
    const codes = await list.getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    await expectNoAxeFindings(page);
    await press(page, "Copy");
    await expectNotice(page, "Codes copied", "Paste them where only you can read them.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(codes[9] as string);
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download")]);
    expect(file.suggestedFilename()).toBe("recovery-codes.txt");
    expect(readFileSync(await file.path(), "utf8")).toContain(codes[0] as string);
    await press(page, "I’ve saved them");
    await page.getByText("10 recovery codes are left.").waitFor();
    await press(page, "Logout");
    await expectNotice(page, "Logged out successfully");

    await page.getByRole("link", { name: "Login" }).click();
    await submit(page, "Sign In", email, PASSWORD);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await page.goto("/account");
    await page.waitForURL("/auth");
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await expectNoAxeFindings(page);
    await press(page, "Use a recovery code");
    await page.getByLabel("Recovery code").fill("22222-22222");
    await press(page, "Continue");
    await page.getByText("Invalid recovery code entered").first().waitFor();
    await expectNoAxeFindings(page);
    await page.getByLabel("Recovery code").fill((codes[0] as string).toUpperCase());
    await press(page, "Continue");
    await expectNotice(
      page,
      "Logged in successfully",
      "That recovery code won’t work again. If you lost your second factor, remove it on your account page.",
    );
    await page.waitForURL("/");

    await page.goto("/account");
    await page.getByText("9 recovery codes are left.").waitFor();
    await press(page, "Remove Authenticator app");
    await press(page, "Yes, remove it");
    await expectNotice(page, "Second factor removed");
    await page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
  });

  test("that is still due leaves its user what visitors have: nothing to save, rate or report", async () => {
    const [person, other] = [await signUpPerson(), await signUpPerson()];
    const nextCode = await addAppFactor(person.client);
    const { data } = await (await clientOf()).auth.signInWithPassword(person);
    const page = await visitAs({ session: data.session as Session }, `/community/${other.username}`);
    await untilSignedIn(page);
    expect(await page.getByRole("button", { name: /Rate Trader|Report/ }).count()).toBe(0);
    await page.goto("/calculator?you=dough&them=tiger");
    await page.getByRole("link", { name: "Log in to keep this trade" }).click();
    await page.getByLabel("Code from your authenticator app").fill(nextCode());
    await press(page, "Continue");
    await page.waitForURL("/calculator?you=dough&them=tiger");
    await page.getByRole("link", { name: "See it in your history" }).waitFor();
    await page.getByRole("button", { name: "Save Trade" }).waitFor();
    await page.goto(`/community/${other.username}`);
    await page.getByRole("button", { name: "Report name" }).waitFor();
  });
});
