import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { runSql } from "./chat-page.ts";

// The report covers the whole site, so this needs its own.
const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
});

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("on a phone in dark mode an admin reads the site's state, and what to fix with a link to the documentation; a report that cannot be loaded is retried, and a loaded one stays with its time", async () => {
  const page = await visitAs(eve, "/admin", {
    address: site.address,
    width: 360,
    height: 740,
    colorScheme: "dark",
    expectedProblems: [/operator-report/, /ERR_FAILED/],
  });
  let isDown = true;
  await page.route("**/operator-report", (route) =>
    isDown ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await page.getByRole("tab", { name: "Operation" }).click();
  await page.getByRole("heading", { name: "The report can't be loaded right now" }).waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("As of").waitFor();
  const mail = page.getByRole("listitem").filter({ hasText: "No email is sent" });
  await mail.getByText("Fix soon").waitFor();
  await mail.getByText("Set SMTP_URL.").waitFor();
  await mail.getByText("In docs/operations.md: Mail and text messages").waitFor();
  await page.getByRole("heading", { name: "No backups are made" }).waitFor();
  await card(page, "Site").getByText("1 of 1").waitFor();
  await card(page, "Database")
    .getByText(/^18\.\d+, embedded$/)
    .waitFor();
  await card(page, "Database")
    .getByText(/^\d+\.\d ms$/)
    .waitFor();
  await card(page, "Disk and Files")
    .getByText(/ of .*[GT]B$/)
    .waitFor();
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await runSql("insert into backend.lost_mails (why) values ('given up')", site.databaseUrl);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("heading", { name: "Emails were discarded in the last seven days" }).waitFor();

  isDown = true;
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("The server answered 503. Last report:").waitFor();
  await page.unroute("**/operator-report");
  await page.route("**/operator-report", (route) => route.abort());
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("The server does not respond. Last report:").waitFor();
  await page.getByRole("heading", { name: "No email is sent" }).waitFor();
});

test("editors and moderators do not have the tab", async () => {
  const ned = await signUpPerson(site);
  await runSql(
    `insert into user_roles (user_id, role) values ('${ned.id}', 'editor'), ('${ned.id}', 'moderator')`,
    site.databaseUrl,
  );
  const page = await visitAs(ned, "/admin?tab=operation", { address: site.address });
  await page.getByRole("tab", { name: "Manage Items", selected: true }).waitFor();
  expect(await page.getByRole("tab", { name: "Operation" }).count()).toBe(0);
});
