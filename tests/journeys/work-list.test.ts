import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { keepItems } from "./admin-items-page.ts";

// No editor counts as new here, and no item as most valuable.
const site = ownSite({ VALUES_NEW_EDITOR_CHANGES: "0", VALUES_DEAR_ITEMS: "0" });
const PHONE = { width: 360, height: 740 };
let ned: SignedIn;

const addEditor = () => signUpPerson(site, "editor");

beforeAll(() => keepItems(site, ["kitsune", "rocket", "spike", "spin"]));
beforeEach(async () => {
  ned = await addEditor();
  await runOn(
    site.databaseUrl,
    `update items set values_checked_at = case slug
       when 'spin' then now() - interval '28 days'
       when 'rocket' then now() - interval '21 days'
       when 'spike' then now() - interval '14 days'
       else now() end`,
  );
});

const open = (person: SignedIn, options: object = {}) =>
  visitAs(person, "/admin?tab=work", { address: site.address, ...options });
const itemOf = (page: Page) => page.getByRole("article");
const waitForItem = (page: Page, name: string) => page.getByRole("article", { name, exact: true }).waitFor();
const focused = (page: Page) => page.evaluate("document.activeElement?.getAttribute('aria-label')");
const day = (page: Page) => page.getByRole("row", { name: /^You/ }).getByRole("cell").allTextContents();

test("an editor works through the list by keyboard: confirm, change, skip, and back", async () => {
  const page = await open(ned);
  await waitForItem(page, "Spin");
  await page.getByText("3 items are due").waitFor();
  await itemOf(page).getByText("Not looked at for 28 days").waitFor();
  await itemOf(page).getByRole("list", { name: "Recent changes" }).getByRole("listitem").first().waitFor();
  await expectNoAxeFindings(page);

  await itemOf(page).focus();
  await page.keyboard.down("1");
  await waitForItem(page, "Rocket");
  await expectNotice(page, "Spin is still right");
  await eventually(() => focused(page)).toBe("Rocket");
  // A key that is still held says nothing of the next item.
  await page.keyboard.down("1");
  await page.keyboard.up("1");

  await page.keyboard.press("3");
  await waitForItem(page, "Spike");
  await eventually(() => focused(page)).toBe("Spike");
  await page.keyboard.press("u");
  await waitForItem(page, "Rocket");
  await eventually(() => focused(page)).toBe("Rocket");

  await page.keyboard.press("2");
  const form = page.getByRole("form", { name: "Edit Rocket" });
  await form
    .getByLabel("Value", { exact: true })
    .or(form.getByLabel("Current Value", { exact: true }))
    .fill("5.5K");
  await form.getByLabel("Reason").selectOption({ label: "Trades were seen at this value" });
  await form.getByLabel("Note").fill("Seen in ten trades");
  await form.getByLabel("Note").press("Enter");
  await waitForItem(page, "Spike");
  await eventually(() => focused(page)).toBe("Spike");

  await page.keyboard.press("3");
  await page.getByRole("heading", { name: "Everything has been checked in the last day" }).waitFor();
  await eventually(() => day(page)).toEqual(["1", "1", "1"]);
  const { data } = await ned.client
    .from("items")
    .select("current_value")
    .eq("slug", "rocket")
    .single()
    .throwOnError();
  expect(data.current_value).toBe("5.5K");
});

test("on a phone, an unpublished form leads back to its item and keeps the input; an item that another editor checks stays until the user moves on, so that no tap acts on the wrong one", async () => {
  const page = await open(ned, PHONE);
  await waitForItem(page, "Spin");
  await expectNoSidewaysScroll(page);
  await itemOf(page).getByRole("button", { name: "Change" }).click();
  const form = page.getByRole("form", { name: "Edit Spin" });
  await form.getByLabel("Note").fill("Half a thought");
  await page.reload();
  await itemOf(page).getByRole("button", { name: "Change" }).click();
  await expect.poll(() => form.getByLabel("Note").inputValue()).toBe("Half a thought");
  await form.getByLabel("Note").press("Escape");
  await waitForItem(page, "Spin");
  await eventually(() => focused(page)).toBe("Spin");

  const eda = await addEditor();
  const { data: spin } = await eda.client
    .from("items")
    .select("id")
    .eq("slug", "spin")
    .single()
    .throwOnError();
  await eda.client.from("item_value_checks").insert({ item_id: spin.id }).throwOnError();
  await itemOf(page)
    .getByRole("status")
    .getByText("Somebody else has looked at it in the meantime")
    .waitFor();
  await waitForItem(page, "Spin");
  await itemOf(page).getByRole("button", { name: "Skip" }).click();
  await waitForItem(page, "Rocket");
  await page.getByRole("button", { name: "Back to Spin" }).waitFor();
  await expectNoSidewaysScroll(page);
});

test("an item that another editor changed or deleted meanwhile is not confirmed at a value that was not shown", async () => {
  const page = await open(ned);
  await waitForItem(page, "Spin");
  const before = await itemOf(page).getByRole("definition").first().textContent();
  await page.route("**/rpc/publish_values", async (route) => {
    await runOn(site.databaseUrl, "update items set current_value = '7.7K' where slug = 'spin'");
    await route.continue();
  });
  await itemOf(page).getByRole("button", { name: "Still right" }).click();
  await expectNotice(
    page,
    "Error",
    "Spin was changed by somebody else in the meantime: nothing was confirmed.",
  );
  expect(before).not.toContain("7.7K");
  const checks = await runOn(site.databaseUrl, "select from item_value_checks where checked_by = $1", [
    ned.id,
  ]);
  expect(checks).toEqual([]);

  await page.unrouteAll();
  await page.route("**/rpc/publish_values", async (route) => {
    await runOn(site.databaseUrl, "delete from items where slug = 'spin'");
    await route.continue();
  });
  await itemOf(page).getByRole("button", { name: "Still right" }).click();
  await expectNotice(page, "Error", "Spin: This item is gone.");
});
