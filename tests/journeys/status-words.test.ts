import { expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { visit } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { AWAY, edit, keepItems, rowOf } from "./admin-items-page.ts";

const site = ownSite();
const open = (path: string) => visit(path, { baseUrl: site.address });

test("an admin adds a word and sets it on an item with a reason, and everybody sees both and the reason; one that was renamed meanwhile is not reported as saved", async () => {
  const eve = await signUpAdmin(site);
  await keepItems(site, ["dough", "kitsune", "spin"]);
  const page = await visitAs(eve, "/admin", {
    address: site.address,
    // A word in use or taken is refused.
    expectedProblems: [/^answer 40\d: (DELETE|POST|PATCH) \S+status_words/, /status_words/, /Failed to load/],
  });
  await rowOf(page, "kitsune").waitFor();
  const renamed = page.getByRole("form", { name: "Word hyped" });
  await renamed.waitFor();
  // A word that another admin renamed meanwhile, which the list does not learn, is not reported as saved or deleted.
  await page.route("**/status_words?*", (route, request) =>
    request.method() === "GET" ? route.abort() : route.continue(),
  );
  await eve.client.from("status_words").update({ word: "wild" }).eq("word", "hyped").throwOnError();
  const gone =
    "Nothing was done: this word was changed or deleted in the meantime, or you no longer have the role for it.";
  await renamed.getByRole("textbox").fill("loved");
  for (const press of ["Rename hyped", "Delete hyped"]) {
    await page.getByRole("button", { name: press }).click();
    await expectNotice(page, "Error", gone);
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  await eve.client.from("status_words").update({ word: "hyped" }).eq("word", "wild").throwOnError();
  await page.unrouteAll();
  await page.reload();
  await renamed.waitFor();

  const words = page.getByRole("list", { name: "Status words" });
  await words.getByRole("textbox").first().waitFor();
  expect(
    await words
      .getByRole("textbox")
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
  ).toEqual(["stable", "rising", "dropping", "overpaid", "hyped"]);
  const add = page.getByRole("form", { name: "New word" });
  await add.getByRole("textbox").fill("hot!");
  await add.getByRole("button", { name: "Add word" }).click();
  await add.getByText("Only letters, and one space between words").waitFor();
  await add.getByRole("textbox").fill("Hyped");
  await add.getByRole("button", { name: "Add word" }).click();
  await add.getByText("This word exists already").waitFor();
  const rename = page.getByRole("form", { name: "Word hyped" });
  await rename.getByRole("textbox").fill("stable");
  await rename.getByRole("textbox").press("Enter");
  await rename.getByText("This word exists already").waitFor();
  await rename.getByRole("textbox").fill("hyped");
  // Its answer is lost, so that it is added again.
  await add.getByRole("textbox").fill("Sought after");
  await loseAnswer(page, "**/rest/v1/status_words?*");
  await add.getByRole("button", { name: "Add word" }).click();
  await expectNotice(page, "Error", AWAY);
  await add.getByRole("textbox").press("Enter");
  await expectNotice(page, "Word saved");
  expect(await add.getByRole("textbox").evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await add.getByRole("textbox").inputValue()).toBe("");

  const form = await edit(page, "Kitsune");
  await form.getByLabel("Status", { exact: true }).selectOption("sought after");
  await form.getByLabel("Reason for the change").fill("Seen in many trades");
  await form.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Item updated");
  await page.getByRole("button", { name: "Delete sought after" }).click();
  await expectNotice(page, "Error", "Items still have the status sought after: give them another one first");

  const visitor = await open("/fruits/kitsune");
  const history = visitor.getByRole("region", { name: "Demand History" });
  expect(await history.textContent()).toMatch(/Status: none → Sought After.*Seen in many trades/);
  await expectNoAxeFindings(visitor);
  await visitor.goto("/values");
  const card = visitor
    .getByRole("listitem")
    .filter({ has: visitor.getByRole("link", { name: "Kitsune", exact: true }) });
  expect(await card.textContent()).toContain("StatusSought After");
});
