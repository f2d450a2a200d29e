import type { Request } from "playwright-core";
import { expect, test } from "vitest";
import { changeSite } from "#tests/helpers/change-site.ts";
import { endSessionIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { clientOf, expectNotice, watchRequests } from "./account-page.ts";

const REFRESH = "/auth/v1/token?grant_type=refresh_token";

test("Logout works although the session ended elsewhere", async () => {
  const person = await signUpPerson();
  const page = await visitAs(person, "/values", { expectedProblems: [/answer 403: /] });
  // Ended while the request is in transit: a page that learns of it earlier no longer offers Logout.
  await page.route("**/auth/v1/logout*", async (route) => {
    await changeSite(`delete from auth.sessions where user_id = '${person.id}'`, "select 1");
    await route.continue();
  });
  await page.getByRole("button", { name: "Logout" }).click();
  await expectNotice(page, "Logged out successfully");
  await page.getByRole("link", { name: "Login" }).waitFor();
  expect((await (await clientOf()).auth.refreshSession(person.session)).error).not.toBe(null);
});

test("Logout over a dead connection ends the session on this device, and says after 20 seconds that the site does not know", async () => {
  const page = await visitAs(await signUpPerson(), "/account", {
    expectedProblems: [/^console error: TypeError: No answer/],
    prepare: (page) => page.clock.install(),
  });
  const unanswered = page.waitForRequest("**/auth/v1/logout*");
  await page.route("**/auth/v1/logout*", () => undefined);
  await page.getByRole("button", { name: "Logout" }).click();
  await unanswered;
  await page.getByRole("link", { name: "Login" }).waitFor();
  await page.clock.fastForward(21_000);
  const said = "The site couldn’t be reached to end the session there, too.";
  await expectNotice(page, "Logged out on this device", said);
  await page.waitForURL("**/");
});

test("a token that expires soon is refreshed at the next check, half a minute later, and not before", async () => {
  let refreshes: Request[] = [];
  const page = await visitAs(await signUpPerson(), "/terms", {
    async prepare(page) {
      await page.clock.install();
      await endSessionIn(page, 135);
      refreshes = watchRequests(page, REFRESH);
    },
  });
  await page.getByRole("button", { name: "Logout" }).waitFor();
  await page.clock.runFor(10_000);
  expect(refreshes).toHaveLength(0);
  // No further: requests wait for 20 seconds by the same clock.
  await page.clock.runFor(25_000);
  await expect.poll(() => refreshes.length).toBe(1);
  await page.getByRole("button", { name: "Logout" }).waitFor();
});

test("a refresh that fails at a gateway is retried after 200, 400 and 800 ms, and the session is kept; if another tab ends one right after its sign-in, no request about it is sent as a visitor", async () => {
  const times: number[] = [];
  const page = await visitAs(await signUpPerson(), "/terms", {
    expectedProblems: [/503/],
    async prepare(page) {
      await page.route(`**${REFRESH}`, async (route) => {
        times.push(performance.now());
        if (times.length > 3) return route.continue();
        return route.fulfill({ status: 503, body: "{}" });
      });
      await endSessionIn(page, -10);
    },
  });
  await page.getByRole("button", { name: "Logout" }).waitFor();
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toHaveLength(3);
  // Slightly less, since the clocks here and in the browser may differ by milliseconds.
  for (const [index, least] of [190, 390, 790].entries()) expect(gaps[index]).toBeGreaterThan(least);

  await page.waitForLoadState("networkidle");
  const asked = watchRequests(page, "/rest/v1/user_roles");
  // Other tabs announce both events when the storage is already empty.
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    localStorage.removeItem(key);
    const otherTab = new BroadcastChannel(key);
    otherTab.postMessage({ event: "SIGNED_IN", session });
    otherTab.postMessage({ event: "SIGNED_OUT", session: null });
  });
  await page.getByRole("link", { name: "Login" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(asked).toEqual([]);
});
