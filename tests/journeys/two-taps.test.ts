import { expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { eventually, read, visit } from "#tests/helpers/visit.ts";

const site = ownSite();
// Without animations, since the test's click waits until its target is stable.
const open = (path: string) => visit(path, { baseUrl: site.address, reducedMotion: "reduce" });

test("a value in the calculator leads to its reason and last check, and back to the trade", async () => {
  const page = await open("/calculator?you=kitsune.p&them=dough");
  await page.getByRole("link", { name: "Value 6.24B" }).click();
  await page.waitForURL("**/fruits/kitsune?mode=permanent");
  await page.getByRole("heading", { name: "Changes and why" }).waitFor();
  await page
    .getByText(/^Checked /)
    .first()
    .waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Value 6.24B" }).waitFor();
  await page.getByRole("link", { name: /^Weighed by/ }).click();
  await page.getByRole("heading", { name: "How Values Come About" }).waitFor();
});

test.each(["/", "/values"])("a value on %s leads to its item in one tap", async (path) => {
  const page = await open(path);
  await page.locator("main a[href^='/fruits/']").first().click();
  await page.getByRole("heading", { name: "Value History" }).waitFor();
  await page
    .getByText(/^Checked /)
    .first()
    .waitFor();
});

test("the method page lists corrections, and shows no accuracy until enough trades are confirmed", async () => {
  const page = await open("/method");
  expect(await page.getByText("There are not enough confirmed trades yet to say anything.").count()).toBe(2);
  expect(await page.getByText("Corrections among them").locator("..").textContent()).toMatch(/0$/);
  await expectNoAxeFindings(page);
  await runOn(
    site.databaseUrl,
    `insert into private.confirmed_values (item_id, mode, value)
       select items.id, 'regular', current_value_number from public.items, generate_series(1, 20) where slug = 'kitsune';
     update public.items set current_value = '650M' where slug = 'kitsune'`,
  );
  await eventually(async () => (await read("/method", site.address)).html).toMatch(
    /half of the values were within (<!-- -->)?[\d.]+/,
  );
});
