import { expect, test } from "vitest";
import { openPage } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive } from "#tests/helpers/visit.ts";
import { expectNotice, newAddress, PASSWORD, submit } from "./account-page.ts";

test("the end of a session elsewhere is shown within three seconds, even on a page that sends no requests", async () => {
  const person = await signUpPerson();
  const { promise: joined, resolve: join } = Promise.withResolvers<void>();
  const page = await visitAs(person, "/about", {
    expectedProblems: [/answer 403: /],
    prepare: async (page) =>
      void page.once("websocket", (socket) => socket.once("framereceived", () => join())),
  });
  await joined;
  const start = Date.now();
  await changeSite(`delete from auth.sessions where user_id = '${person.id}'`, "select 1");
  await expectNotice(
    page,
    "Your session has ended",
    "It was ended somewhere else, or your account changed. Please log in again.",
  );
  process.stdout.write(`From the end elsewhere to the word: ${Date.now() - start} ms\n`);
  await page.getByRole("link", { name: "Login" }).waitFor();
});

test("a report sent after the session ended asks to log in again", async () => {
  const [person, trader] = await Promise.all([signUpPerson(), signUpPerson()]);
  const page = await visitAs(person, `/community/${trader.username}`, { expectedProblems: [/answer 401: /] });
  await page.getByRole("button", { name: "Report name" }).click();
  await page.getByLabel("Not for children").check();
  const shown: string[] = [];
  await page.exposeFunction("keepNotice", (text: string) => shown.push(text));
  await page.evaluate(() => {
    localStorage.clear();
    new MutationObserver(() => {
      const toast = document.querySelector("[data-slot=toast]");
      if (toast) Reflect.get(globalThis, "keepNotice")(toast.textContent);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Send report" }).click();
  await expect.poll(() => shown.join()).toContain("Log in again: your session has ended");
  expect(shown.join()).not.toContain("permission denied");
});

test("pages work if the browser stores nothing, and sign-in says how long the session lasts", async () => {
  // The router's scroll restoration script logs that it cannot store positions, which does no harm.
  const expectedProblems = [/Access is denied for this document/];
  const page = await openPage({ baseUrl: testSite().address, expectedProblems });
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
  });
  for (const path of ["/", "/values", "/calculator", "/community", "/about"]) {
    await page.goto(path);
    await alive(page);
    await page.getByRole("link", { name: "Login" }).waitFor();
    expect(await page.getByText("ran aground").count()).toBe(0);
  }
  await page.goto("/auth");
  await page.getByText("only until you close or reload this page").waitFor();
  await page.getByRole("tab", { name: "Sign Up" }).click();
  await submit(page, "Sign Up", newAddress(), PASSWORD);
  await page.getByRole("button", { name: "Logout" }).waitFor();
});
