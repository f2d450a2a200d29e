import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";

const site = ownSite();
let ned: SignedIn;
beforeAll(async () => {
  ned = await signUpPerson(site, "editor");
});

test("an editor is notified of news without a reload, only about values, and can go to it", async () => {
  await runOn(site.databaseUrl, "delete from editor_notices");
  const page = await visitAs(ned, "/admin", {
    address: site.address,
    width: 360,
    height: 740,
  } as Parameters<typeof visitAs>[2]);
  await page.getByText("News", { exact: true }).click();
  await page.getByText("No news in 30 days.").waitFor();
  await runOn(
    site.databaseUrl,
    `insert into editor_notices (kind, count, items) values
       ('reports', 7, '{}'), ('proposals', 2, '{Buddha,Kitsune}'), ('failed_mails', 3, '{}')`,
  );
  await page.getByText("News (1 in 24 hours)", { exact: true }).waitFor();
  const news = page.getByRole("list", { name: "News" });
  await news.getByRole("link").waitFor();
  expect(await news.getByRole("listitem").count()).toBe(1);
  await expectNoSidewaysScroll(page);
  await expectNoAxeFindings(page);
  await news.getByRole("link", { name: "2 values wait for a second person: Buddha, Kitsune" }).click();
  await page.getByRole("tab", { name: /^Proposals/, selected: true }).waitFor();
});
