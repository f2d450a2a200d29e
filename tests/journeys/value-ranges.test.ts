import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type SignedIn, signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, read, visit } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { edit, keepItems, rowOf } from "./admin-items-page.ts";

const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
  await keepItems(site, ["dough", "kitsune", "spin", "tiger"]);
});

const open = (path: string) => visit(path, { baseUrl: site.address });

test("an editor gives a value a range, which is refused if it does not contain the value, and everybody sees it; it goes when its value leaves it", async () => {
  const page = await visitAs(eve, "/admin", { address: site.address });
  await rowOf(page, "kitsune").waitFor();
  const form = await edit(page, "Kitsune");
  await form.getByLabel("Lowest", { exact: true }).fill("700M");
  await form.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Validation Error", "At most the value");
  await form.getByLabel("Lowest", { exact: true }).fill("610M");
  await form.getByLabel("Highest", { exact: true }).fill("690M");
  await form.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Item updated");

  const visitor = await open("/fruits/kitsune");
  await visitor.getByText("610M–690M").waitFor();
  await visitor.getByText("Shaded: what the value may be off by.").waitFor();
  await expectNoAxeFindings(visitor);
  await visitor.getByRole("link", { name: /confidence$/ }).click();
  await visitor.getByRole("heading", { name: "How sure we are" }).waitFor();

  await eventually(async () => (await read("/values", site.address)).html).toMatch(/610M–690M/);
  await visitor.goto("/values");
  const card = visitor
    .getByRole("listitem")
    .filter({ has: visitor.getByRole("link", { name: "Kitsune", exact: true }) });
  expect(await card.textContent()).toMatch(/610M–690M.*confidence/);

  // The form says that an unchanged range is removed when its value leaves it, and it is.
  await edit(page, "Kitsune");
  await form.getByLabel("Current Value", { exact: true }).fill("720M");
  await form.getByText("Will be dropped: it does not hold the new value").first().waitFor();
  await form.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Item updated");
  const shown = async () => {
    await visitor.goto("/fruits/kitsune");
    return visitor.getByText("610M–690M").count();
  };
  await eventually(shown).toBe(0);
});

test("the calculator calls an uneven trade fair within the known uncertainty, and keeps its verdict", async () => {
  await runOn(
    site.databaseUrl,
    `update public.items set current_value = '100M', current_low = '90M', current_high = '120M' where slug = 'kitsune';
     update public.items set current_value = '115M', current_low = '110M', current_high = '130M' where slug = 'dough';
     update public.items set current_value = '500M', current_low = '450M', current_high = '550M' where slug = 'tiger'`,
  );
  await eventually(async () => (await read("/calculator", site.address)).html).toContain("110000000");
  const page = await open("/calculator?you=kitsune&them=dough");
  const verdict = page.getByRole("region", { name: "Verdict" });
  expect(await verdict.getByRole("status").first().textContent()).toBe(
    "You're WinningYou gain 15M, 15% of your total. Fair within what we know.",
  );
  await page.goto("/calculator?you=kitsune&them=tiger");
  expect(await verdict.getByRole("status").first().textContent()).toBe(
    "You're WinningYou gain 400M, 400% of your total",
  );
});
