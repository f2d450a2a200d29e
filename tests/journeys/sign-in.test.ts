import type { Response } from "playwright-core";
import { describe, expect, test } from "vitest";
import { describedBy, openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { expectAccessible, isWithinReach } from "#tests/helpers/screen-checks.ts";
import { endSessionIn } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually, read, visit } from "#tests/helpers/visit.ts";
import {
  expectNotice,
  makeAccount,
  navigationOf,
  newAddress,
  noticeVariant,
  PASSWORD,
  signIn,
  submit,
  watchRequests,
} from "./account-page.ts";

const VISITOR = ["Home", "Values", "Calculator", "History", "Community", "Chat", "Login"];
const SIGNED_IN = [...VISITOR.slice(0, -1), "Account", "Logout"];
const ADMIN = [...VISITOR.slice(0, -1), "Admin", "Account", "Logout"];
const AWAY = "The service can't be reached right now. Please try again in a moment.";
const REFUSED = [/answer 4\d\d: POST .*\/auth\/v1\//];

describe("the page", () => {
  test("has its title, subtitle, two tabs with arrow key support, labeled fields, the password rule before any error, underlined links, and keeps the address when the tab changes", async () => {
    const page = await visit("/auth");
    await page.getByRole("heading", { name: "Welcome Back", level: 1, exact: true }).waitFor();
    await page.getByText("Sign in to access admin features", { exact: true }).waitFor();
    expect(await page.getByRole("tab").allInnerTexts()).toEqual(["Sign In", "Sign Up"]);
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Sign In");
    const autocomplete = (label: string) =>
      page.getByLabel(label, { exact: true }).getAttribute("autocomplete");
    expect([await autocomplete("Email"), await autocomplete("Password")]).toEqual([
      "email",
      "current-password",
    ]);
    await page.getByLabel("Email").fill("mara@example.com");
    await page.getByRole("tab", { name: "Sign In" }).press("ArrowRight");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Sign Up");
    expect([await autocomplete("Email"), await autocomplete("Password")]).toEqual(["email", "new-password"]);
    await eventually(() => page.getByLabel("Email").inputValue()).toBe("mara@example.com");

    const field = page.getByLabel("Password", { exact: true });
    const hint = page.locator(`[id="${await field.getAttribute("aria-describedby")}"]`);
    expect(await hint.textContent()).toBe(
      "At least 12 characters with uppercase, lowercase, number and symbol.",
    );
    const show = page.getByRole("button", { name: "Show password" });
    await eventually(() => isWithinReach(show)).toBe(true);
    await show.click();
    expect(await field.getAttribute("type")).toBe("text");

    // Their color alone would not tell them from the words around them.
    const links = page.getByRole("tabpanel").getByRole("link");
    await links.first().waitFor();
    const lines = await links.evaluateAll((all) =>
      all.map((each) => getComputedStyle(each).textDecorationLine),
    );
    expect(lines).toEqual(["underline", "underline", "underline"]);

    // Asking for a new password on a narrow phone shows what its field is for.
    await page.setViewportSize({ width: 320, height: 568 });
    await page.getByRole("tab", { name: "Sign In" }).click();
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    const email = page.getByLabel("Email");
    await eventually(() => email.evaluate((it) => it === document.activeElement)).toBe(true);
    const top = () =>
      page.getByText("Email", { exact: true }).evaluate((it) => it.getBoundingClientRect().top);
    await eventually(top).toBeGreaterThanOrEqual(0);
  });

  test("says without scripts that it needs them, and its button sends no password", async () => {
    const page = await visit("/auth", { javaScript: false });
    expect(await page.locator("noscript p").textContent()).toContain("Signing in needs JavaScript.");
    await submit(page, "Sign In", "mara@example.com", PASSWORD);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/auth");
    expect((await read("/sitemap.xml")).html).not.toContain("/auth<");
  });

  test("visitors' pages load no client and no session", async () => {
    const page = await openPage({ baseUrl: testSite().address });
    const answers: Response[] = [];
    page.on("response", (answer) => answers.push(answer));
    await page.goto("/values", { waitUntil: "networkidle" });
    const scripts = await Promise.all(
      answers.filter((answer) => answer.url().endsWith(".js")).map((answer) => answer.text()),
    );
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((script) => script.includes("grant_type"))).toEqual([]);
    expect(await navigationOf(page)).toEqual(VISITOR);
  });
});

describe("sign-up", () => {
  test("is refused before anything is sent, with each error's message at its field, which the notice does not cover on a phone; axe finds nothing in the errors", async () => {
    const page = await visit("/auth");
    page.on("request", (request) => expect(request.url()).not.toContain("/auth/v1/"));
    await page.getByRole("tab", { name: "Sign Up" }).click();
    for (const [email, password, sentence] of [
      ["abc", "a", "Please enter a valid email"],
      ["mara@example.com", "Abcdefgh1!x", "Password must be at least 12 characters"],
      ["a@", PASSWORD, "Please enter a valid email"],
      ["mara@example.com", "Abcdefgh1234", "Password must include a symbol"],
    ] as const) {
      await submit(page, "Sign Up", email, password);
      await expectNotice(page, "Invalid input", sentence);
      expect(await noticeVariant(page)).toBe("destructive");
      const field = sentence.startsWith("Password") ? "password" : "email";
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe(field);
    }
    await expectAccessible(page);

    await page.setViewportSize({ width: 360, height: 560 });
    const button = page.getByRole("button", { name: "Sign Up", exact: true });
    await submit(page, "Sign Up", "mara@example.com", "a");
    const sentence = "Password must be at least 12 characters";
    await expectNotice(page, "Invalid input", sentence);
    const field = page.getByLabel("Password", { exact: true });
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await describedBy(field)).toContain(sentence);
    const notice = page.locator("[data-slot=toast]");
    await expect
      .poll(async () => {
        const [toast, ...others] = await Promise.all(
          [notice, button, field].map((part) => part.boundingBox()),
        );
        return others.some(
          (box) => toast && box && toast.y < box.y + box.height && box.y < toast.y + toast.height,
        );
      })
      .toBe(false);
    await field.pressSequentially("bcdefghijk1!");
    expect(await field.getAttribute("aria-invalid")).toBe(null);
  });

  test("of a taken address is an error in the service's words; of a free one it creates an account with the trimmed address, told as done although its first answer was lost, and leads home signed in", async () => {
    const [{ email: taken }, email] = [await makeAccount(), newAddress()];
    const page = await visit("/auth", { expectedProblems: [...REFUSED, /request failed: POST .*signup/] });
    await page.getByRole("tab", { name: "Sign Up" }).click();
    await submit(page, "Sign Up", taken, PASSWORD);
    await expectNotice(page, "Error", "User already registered");

    await loseAnswer(page, "**/auth/v1/signup*");
    const sent = page.waitForRequest(/\/auth\/v1\/signup/);
    await submit(page, "Sign Up", `  ${email} `, PASSWORD);
    const request = await sent;
    expect(request.postDataJSON()).toMatchObject({ email, password: PASSWORD });
    expect(new URL(request.url()).searchParams.get("redirect_to")).toBe(testSite().address);
    await expectNotice(page, "Error", AWAY);
    await page.getByRole("button", { name: "Sign Up", exact: true }).click();
    await expectNotice(page, "Success!", "Account created. You can now log in.");
    expect(await noticeVariant(page)).toBe("success");
    await page.waitForURL("/");
    await expect.poll(() => navigationOf(page)).toEqual(SIGNED_IN);
  });
});

describe("sign-in", () => {
  test("is refused by the service alone, or told that it is away; it leads home, where its notice is still shown, persists on the next page, and is followed by another tab, as sign-out is; /auth then redirects home", async () => {
    const { email } = await makeAccount();
    const page = await visit("/auth", { expectedProblems: [...REFUSED, /request failed: POST .*auth\/v1/] });
    await submit(page, "Sign In", "nobody@example.com", "a");
    await expectNotice(page, "Error", "Invalid login credentials");
    expect(await noticeVariant(page)).toBe("destructive");
    expect(new URL(page.url()).pathname).toBe("/auth");
    await page.route(/\/auth\/v1\//, (route) => route.abort());
    await submit(page, "Sign In", email, PASSWORD);
    await expectNotice(page, "Error", AWAY);
    await page.unrouteAll();

    const other = await page.context().newPage();
    await other.goto("/about");
    await alive(other);
    expect(await navigationOf(other)).toEqual(VISITOR);
    const [sent, reads] = [watchRequests(page, "/auth/v1/"), watchRequests(page, "/rest/v1/")];
    await signIn(page, email);
    await expectNotice(page, "Logged in successfully");
    expect(await navigationOf(page)).toEqual(SIGNED_IN);
    await expect.poll(() => navigationOf(other)).toEqual(SIGNED_IN);
    const token = sent.find((request) => request.url().includes("grant_type=password"));
    expect(token?.postDataJSON()).toMatchObject({ email, password: PASSWORD });
    const answer = await (await token?.response())?.json();
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    expect(await reads[0]?.headerValue("authorization")).toBe(`Bearer ${answer.access_token}`);

    await page.goto("/auth");
    await page.waitForURL("/");
    // A token is refreshed before it expires. No page has hydration errors.
    await endSessionIn(page, 60);
    const refreshed = page.waitForResponse(/token\?grant_type=refresh_token/);
    await page.goto("/about");
    expect((await refreshed).status()).toBe(200);
    await expect.poll(() => navigationOf(page)).toEqual(SIGNED_IN);
    await page.getByRole("button", { name: "Logout" }).click();
    await expectNotice(page, "Logged out successfully");
    await page.waitForURL("/");
    await expect.poll(() => navigationOf(page)).toEqual(VISITOR);
    await expect.poll(() => navigationOf(other)).toEqual(VISITOR);
    const logOut = sent.find((request) => request.url().includes("/logout"));
    expect([logOut?.method(), new URL(logOut?.url() ?? "").search]).toEqual(["POST", "?scope=local"]);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["browserMark"]);
    expect(await page.context().cookies()).toEqual([]);

    await page.getByRole("link", { name: "Login" }).click();
    await signIn(page, email);
    await expect.poll(() => navigationOf(other)).toEqual(SIGNED_IN);
  });

  test("shows Admin only to admins, after Chat, and removes it at Logout; pressing Login the moment it appears stays on its page", async () => {
    const [trader, admin] = [await makeAccount(), await makeAccount()];
    await changeSite(
      `insert into user_roles (user_id, role) values ('${admin.id}', 'admin')`,
      `delete from user_roles where user_id = '${admin.id}'`,
    );
    const page = await visit("/auth");
    for (const [{ email }, entries] of [
      [trader, SIGNED_IN],
      [admin, ADMIN],
      [trader, SIGNED_IN],
    ] as const) {
      await signIn(page, email);
      await expect.poll(() => navigationOf(page)).toEqual(entries);
      await page.evaluate(() => {
        const watched = new MutationObserver(() => {
          const login = document.querySelector<HTMLElement>("a.nav-login");
          if (!login) return;
          watched.disconnect();
          login.click();
        });
        watched.observe(document.body, { childList: true, subtree: true });
      });
      await page.getByRole("button", { name: "Logout" }).click();
      await page.getByRole("heading", { name: "Welcome Back" }).waitFor();
      await expectNotice(page, "Logged out successfully");
      await page.getByLabel("Email").fill(email);
      expect(new URL(page.url()).pathname).toBe("/auth");
    }
  });
});

test("a mailed link that failed is explained on /auth, whatever page it pointed to, and to a signed-in user before redirecting home", async () => {
  const expired =
    "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";
  const { email } = await makeAccount();
  const page = await openPage({ baseUrl: testSite().address });
  await page.goto(`/#${expired}`);
  await page.waitForURL("/auth");
  const notice = page.getByText("This link has expired or was used already. Ask for a new one.");
  await notice.waitFor();
  await page.getByRole("button", { name: "Sign In" }).waitFor();
  await page.getByRole("link", { name: "Values", exact: true }).click();
  await page.getByRole("heading", { name: "Item Values" }).waitFor();
  await page.getByRole("link", { name: "Login" }).click();
  await page.getByRole("heading", { name: "Welcome Back" }).waitFor();
  expect(await notice.count()).toBe(0);

  await submit(page, "Sign In", email, PASSWORD);
  await page.getByRole("button", { name: "Logout" }).waitFor();
  await page.goto(`/auth?${expired}`);
  await notice.waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("/");
});
