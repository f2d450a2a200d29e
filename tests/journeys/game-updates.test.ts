import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type SignedIn, signUpAdmin, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { keepItems, listTyped, rowOf } from "./admin-items-page.ts";

const site = ownSite();
let eve: SignedIn;
beforeAll(async () => {
  eve = await signUpAdmin(site);
  await keepItems(site, ["bomb", "dough", "kitsune", "spin"]);
});

const LATER = new Date(Date.now() + 86_400_000).toISOString();
const isFocused = (element: Element) => element === document.activeElement;

test("an admin marks an update: pages, chart and verdict show it at once, and stop when it ends", async () => {
  await runOn(
    site.databaseUrl,
    "update public.items set current_value = '640M', current_low = '600M', current_high = '700M' where slug = 'kitsune'",
  );
  const page = await visitAs(eve, "/admin", { address: site.address });
  await rowOf(page, "kitsune").waitFor();
  const form = page.getByRole("form", { name: "Mark a game update" });
  await form.getByRole("button", { name: "Mark update" }).click();
  await expectNotice(page, "Validation Error", "Name is required");
  await form.getByLabel("What players call the update").fill("Update 27");
  await form.getByRole("button", { name: "Mark update" }).click();
  await form.getByText("Choose at least one item that the update touched").waitFor();
  await form.getByRole("searchbox", { name: "Find items" }).fill("kitsune");
  await form.getByRole("checkbox", { name: "Kitsune", exact: true }).check();
  await form.getByText("1 item chosen").waitFor();
  await expectNoAxeFindings(page, { include: 'form[aria-label="Mark a game update"]' });
  const until = form.getByLabel("Values are volatile until");
  const day = await until.inputValue();
  await until.fill("2099-01-01");
  await form.getByRole("button", { name: "Mark update" }).click();
  await form.getByText(/^Values settle within 90 days: choose .* or earlier$/).waitFor();
  await until.fill(day);
  // What is not marked yet survives a reload.
  await page.reload();
  await form.getByText("1 item chosen").waitFor();
  await form.getByRole("button", { name: "Mark update" }).click();
  await expectNotice(page, "Update marked", "Pages, charts and the calculator show it from now on.");
  await eventually(() => form.getByLabel("What players call the update").evaluate(isFocused)).toBe(true);
  expect(await form.getByLabel("What players call the update").inputValue()).toBe("");
  const entry = page.getByRole("list", { name: "Game updates" }).getByRole("listitem");
  expect(await entry.textContent()).toMatch(/Update 27.*1 item · volatile until/);

  const visitor = await visit("/fruits/kitsune", { baseUrl: site.address });
  await visitor.getByText("560M–760M").waitFor();
  await visitor.getByText(/^Update 27 changed the game: this value may move until /).waitFor();
  await visitor.getByText(/Update 27 came out on /).waitFor();
  expect(await visitor.locator(".chart-update text").textContent()).toBe("Update 27");
  await expectNoAxeFindings(visitor);
  await visitor.goto("/values");
  const card = visitor
    .getByRole("listitem")
    .filter({ has: visitor.getByRole("link", { name: "Kitsune", exact: true }) });
  expect(await card.textContent()).toMatch(/560M–760M.*volatile until/);
  await visitor.goto("/calculator?you=kitsune&them=dough");
  const verdict = visitor.getByRole("region", { name: "Verdict" });
  await verdict.getByText(/Update 27 changed the game: values may move until /).waitFor();
  expect(await verdict.textContent()).toContain("You're Overpaying");

  await page.getByRole("button", { name: "End Update 27 now" }).click();
  await expectNotice(page, "Update ended", "Values after Update 27 count as settled.");
  await visitor.goto("/fruits/kitsune");
  await visitor.getByText("600M–700M").waitFor();
  expect(await visitor.getByText("this value may move").count()).toBe(0);
  expect(await visitor.locator(".chart-update text").textContent()).toBe("Update 27");

  // A correction does not start it again.
  await page.getByRole("button", { name: "Edit Update 27" }).click();
  const edited = page.getByRole("form", { name: "Edit Update 27" });
  expect(await edited.getByLabel("What players call the update").evaluate(isFocused)).toBe(true);
  await edited.getByLabel("What players call the update").fill("Update 27.1");
  await edited.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Update changed", "Pages, charts and the calculator show it from now on.");
  await eventually(() => page.getByRole("button", { name: "Edit Update 27.1" }).evaluate(isFocused)).toBe(
    true,
  );
  expect(await page.getByRole("button", { name: "End Update 27.1 now" }).count()).toBe(0);

  await page.getByRole("button", { name: "Delete Update 27.1" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expectNotice(page, "Update deleted");
  await page.getByText("No update has been marked yet.").waitFor();
  const shown = async () => {
    await visitor.goto("/fruits/kitsune");
    return visitor.locator(".chart-update").count();
  };
  await eventually(shown).toBe(0);
});

test("an update whose answer was lost is added once, and an edit does not overwrite another admin's", async () => {
  const page = await visitAs(eve, "/admin", {
    address: site.address,
    expectedProblems: [/rpc\/mark_game_update/, /game_updates/, /Failed to load/],
  });
  await rowOf(page, "kitsune").waitFor();
  const form = page.getByRole("form", { name: "Mark a game update" });
  await form.getByLabel("What players call the update").fill("Update 30");
  await form.getByRole("searchbox", { name: "Find items" }).fill("kitsune");
  await form.getByRole("checkbox", { name: "Kitsune", exact: true }).check();
  await loseAnswer(page, "**/rpc/mark_game_update");
  await form.getByRole("button", { name: "Mark update" }).click();
  const away = "The service can't be reached right now. Please try again in a moment.";
  await expectNotice(page, "Error", away);
  await page.unrouteAll();
  await form.getByLabel("What players call the update").fill("Update 30.1");
  await form.getByRole("button", { name: "Mark update" }).click();
  await expectNotice(page, "Error", "This update is marked already: edit it in the list");
  await form.getByLabel("What players call the update").fill("Update 30");
  await form.getByRole("button", { name: "Mark update" }).click();
  await expectNotice(page, "Update marked", "Pages, charts and the calculator show it from now on.");
  await form.getByLabel("What players call the update").fill("Update 30.2");
  await form.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => form.getByLabel("What players call the update").inputValue()).toBe("");
  await eventually(() => form.getByLabel("What players call the update").evaluate(isFocused)).toBe(true);
  const { data: marked } = await eve.client
    .from("game_updates")
    .select("id, name, updated_at")
    .throwOnError();
  expect(marked.map(({ name }) => name)).toEqual(["Update 30"]);
  const [{ id, updated_at: was }] = marked as [(typeof marked)[number]];

  await page.getByRole("button", { name: "Edit Update 30" }).click();
  const edited = page.getByRole("form", { name: /^Edit Update 3/ });
  const { data: items } = await eve.client.from("items").select("id").limit(2).throwOnError();
  const theirs = { id, was, name: "Update 32", items: items.map((item) => item.id) };
  await eve.client.rpc("mark_game_update", theirs).throwOnError();
  await edited.getByText(/^It is Update 32 now, with 2 items, until /).waitFor();
  expect(await listTyped(page)).toEqual([]);
  await edited.getByLabel("What players call the update").fill("Update 31");
  expect(await listTyped(page)).toHaveLength(1);
  expect(await edited.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await expectNoAxeFindings(page, { include: 'form[aria-label^="Edit Update 3"]' });
  await edited.getByRole("button", { name: "Take theirs" }).click();
  await eventually(() => edited.getByLabel("What players call the update").inputValue()).toBe("Update 32");
  await edited.getByText("2 items chosen").waitFor();
  await edited.getByLabel("What players call the update").fill("Update 33");
  await edited.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Update changed", "Pages, charts and the calculator show it from now on.");
  await page.getByRole("button", { name: "Edit Update 33" }).waitFor();

  // A stored edit whose answer was lost is not somebody else's.
  await page.getByRole("button", { name: "Edit Update 33" }).click();
  const again = page.getByRole("form", { name: /^Edit Update 3/ });
  await again.getByLabel("What players call the update").fill("Update 34");
  await loseAnswer(page, "**/rpc/mark_game_update");
  await again.getByRole("button", { name: "Save" }).click();
  await page.getByRole("form", { name: "Edit Update 34" }).waitFor();
  await expectNotice(page, "Error", away);
  await page.unrouteAll();
  await again.getByLabel("What players call the update").fill("Update 35");
  await again.getByRole("button", { name: "Save" }).click();
  await expectNotice(page, "Update changed", "Pages, charts and the calculator show it from now on.");
  await page.getByRole("button", { name: "Edit Update 35" }).waitFor();

  // The list does not learn that it is deleted.
  await page.route("**/rest/v1/game_updates?*", (route, request) =>
    request.method() === "GET" ? route.abort() : route.continue(),
  );
  await eve.client.from("game_updates").delete().eq("id", id).throwOnError();
  const gone = "Nothing was done: this update was changed or deleted in the meantime";
  await page.getByRole("button", { name: "End Update 35 now" }).click();
  await expectNotice(page, "Error", `${gone}, or you no longer have the role for it.`);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("button", { name: "Delete Update 35" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expectNotice(page, "Error", `${gone}, or you no longer have the role for it.`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit Update 35" }).click();
  await page.unrouteAll();
  const another = { ...theirs, id: crypto.randomUUID(), was: null, volatile_until: LATER };
  await eve.client.rpc("mark_game_update", another).throwOnError();
  await expectNotice(page, "Error", "The update you were editing has been deleted in the meantime.");
});
