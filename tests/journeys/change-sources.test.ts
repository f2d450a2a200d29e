import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { expectNotice } from "./account-page.ts";
import { edit, keepItems } from "./admin-items-page.ts";
import { cellOf, openGrid } from "./value-grid-page.ts";

// What the public sees of a change's author and evidence.
const site = ownSite({ VALUES_NEW_EDITOR_CHANGES: "0", VALUES_DEAR_ITEMS: "0" });
const PHONE = { width: 360, height: 740 };
const PUBLISH = { name: "Publish", exact: true } as const;
const ODD_LINK = "https://discord.com:trade";
let ned: SignedIn;
let eve: SignedIn;

beforeAll(async () => {
  [eve, ned] = await Promise.all([signUpAdmin(site), signUpPerson(site, "editor")]);
  await keepItems(site, "bomb flame kitsune love spring".split(" "));
});

const open = (person: SignedIn, path = "/admin", options = {}) =>
  visitAs(person, path, { address: site.address, ...options });
const fetchText = async (path: string) => (await fetch(site.address + path)).text();

/** Fills in an item's form as an editor does, without submitting it. */
async function change(page: Page, name: string, value: string, note: string) {
  const form = await edit(page, name);
  await form.getByLabel("Current Value", { exact: true }).fill(value);
  await form.getByLabel("Reason", { exact: true }).selectOption("Trades were seen at this value");
  await form.getByLabel("Note").fill(note);
  return form;
}

/** A large photo as from a camera, with metadata about its owner. */
const screenshot = async (height = 1200) => ({
  name: "trade.jpg",
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 2400, height, channels: 3, background: "teal" } })
    .withExif({ IFD0: { Artist: "Ned at home", Model: "Phone 12" } })
    .jpeg()
    .toBuffer(),
});

test("an editor's changes carry a public name, which can be removed everywhere, and is not reported as saved if it was removed in another window", async () => {
  const page = await open(ned, "/admin", { ...PHONE, expectedProblems: [/editor_names/] });
  const form = await change(page, "Love", "1.6M", "By name");
  await form.getByRole("button", PUBLISH).click();
  await expectNotice(page, "Item updated");
  await page.goto("/admin?tab=proposals");
  const own = page.getByRole("form", { name: "Public name" });
  await own.getByLabel("Public name").fill("TheAdmin");
  await own.getByRole("button", { name: "Save public name" }).click();
  await own.getByText("This name is reserved").or(page.getByText("This name is reserved")).first().waitFor();
  await own.getByLabel("Public name").fill("BraveFox");
  await expectNoSidewaysScroll(page);
  await own.getByRole("button", { name: "Save public name" }).click();
  await expectNotice(page, "Public name saved", "Your changes are signed BraveFox.");

  const visitor = await visitAs(eve, "/changes?item=Love", { address: site.address });
  await visitor.getByRole("listitem").getByText("By BraveFox, an editor").waitFor();
  const texts = () =>
    Promise.all(
      ["/changes", "/fruits/love", "/feeds/changes.atom", "/feeds/changes.json"].map(async (path) =>
        (await fetch(site.address + path)).text(),
      ),
    );
  expect((await texts()).map((text) => text.includes("BraveFox"))).toEqual([true, true, true, true]);
  await visitor.goto("/admin");
  await visitor.getByRole("button", { name: "Ledger of Love" }).click();
  await visitor.getByRole("dialog").getByText("By BraveFox, an editor").waitFor();

  await own.getByRole("button", { name: "Remove it" }).click();
  await expectNotice(page, "Public name removed", "Visitors read your role alone.");
  expect(await own.getByLabel("Public name").inputValue()).toBe("");
  await expectNoAxeFindings(page);
  expect((await texts()).map((text) => text.includes("BraveFox"))).toEqual([false, false, false, false]);

  // One that was removed in another window is not reported as saved.
  await ned.client.from("editor_names").insert({ name: "QuietOwl" }).throwOnError();
  await own.getByRole("button", { name: "Remove it" }).waitFor();
  // The form does not learn of it.
  await page.route("**/editor_names?*", (route, request) =>
    request.method() === "GET" ? route.abort() : route.continue(),
  );
  await ned.client.from("editor_names").delete().eq("user_id", ned.id).throwOnError();
  await own.getByLabel("Public name").fill("QuietFox");
  await own.getByRole("button", { name: "Save public name" }).click();
  await expectNotice(
    page,
    "Error",
    "Nothing was done: this name was changed or deleted in the meantime, or you no longer have the role for it.",
  );
});

/** Keeps the page from reading the next picture until the returned function is called, as if it were a large one. */
async function holdFirstPicture(page: Page): Promise<() => Promise<void>> {
  const read = await page.evaluateHandle(() => {
    const held = Promise.withResolvers<void>();
    const original = window.createImageBitmap;
    window.createImageBitmap = async (...of: [ImageBitmapSource]) => {
      window.createImageBitmap = original;
      await held.promise;
      return original(...of);
    };
    return held.resolve;
  });
  return () => read.evaluate((resolve) => resolve());
}

test("a screenshot goes to a second person without its metadata, and only then becomes public", async () => {
  const page = await open(ned, "/admin", PHONE);
  const form = await change(page, "Spring", "61K", "Look at this trade");
  await form.getByLabel("Evidence", { exact: true }).fill(ODD_LINK);
  await form.getByRole("button", PUBLISH).click();
  await form.getByText("Evidence is a link that begins with https://").first().waitFor();
  await form.getByLabel("Evidence", { exact: true }).fill("");
  await form
    .getByLabel("Screenshot")
    .setInputFiles({ ...(await screenshot()), buffer: Buffer.from("no picture") });
  await expectNotice(page, "This isn't a picture", "Please choose a JPEG, PNG or WebP picture.");
  const readFirst = await holdFirstPicture(page);
  await form.getByLabel("Screenshot").setInputFiles(await screenshot(4000));
  await form.getByLabel("Screenshot").setInputFiles(await screenshot());
  await form.getByAltText("The chosen screenshot").waitFor();
  await readFirst();
  await expectNoSidewaysScroll(page);
  await form.getByRole("button", PUBLISH).click();
  await expectNotice(page, "Item updated");
  const read = () =>
    Promise.all(["/changes", "/fruits/spring", "/feeds/changes.atom", "/feeds/changes.json"].map(fetchText));
  await eventually(async () => (await read()).every((text) => text.includes("Look at this trade"))).toBe(
    true,
  );
  expect((await read()).some((text) => text.includes("change-pictures"))).toBe(false);

  const phone = await open(eve, "/admin?tab=proposals", PHONE);
  const card = phone.getByRole("list", { name: "Waiting pictures" }).getByRole("listitem");
  const picture = card.getByAltText("Waiting evidence for Spring, in full size");
  await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await card.getByText("Look at this trade").waitFor();
  await expectNoSidewaysScroll(phone);
  await expectNoAxeFindings(phone);
  await card.getByRole("button", { name: "Show it" }).click();
  await expectNotice(phone, "Picture allowed", "Visitors see it with the change.");
  await phone.getByText("No picture waits.").waitFor();

  await eventually(async () => (await read()).every((text) => text.includes("change-pictures"))).toBe(true);
  const visitor = await visitAs(ned, "/changes", { address: site.address, ...PHONE });
  const link = visitor
    .getByRole("listitem")
    .filter({ hasText: "Look at this trade" })
    .getByRole("link", { name: "Evidence for Spring, in full size" });
  const address = (await link.getAttribute("href")) ?? "";
  expect(address).not.toContain(ned.id);
  await link.scrollIntoViewIfNeeded();
  await eventually(() => link.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
    1600,
  );
  await expectNoSidewaysScroll(visitor);
  await expectNoAxeFindings(visitor);
  const bytes = Buffer.from(await (await fetch(site.address + address)).arrayBuffer());
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  expect(bytes.toString("latin1")).not.toMatch(/Ned at home|Phone 12/);
});

test("a screenshot of cells of the grid is deleted by a second person, with the keyboard; evidence that is no address breaks no page", async () => {
  const page = await openGrid(ned, site.address);
  const name = (await page.locator("[data-row] th").first().textContent()) ?? "";
  await cellOf(page, name, "Value").click();
  await page.keyboard.type("987M");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  await dialog.getByLabel("Reason").selectOption({ label: "Trades were seen at this value" });
  await dialog.getByLabel("Note").fill("From the grid");
  await dialog.getByLabel("Screenshot").setInputFiles(await screenshot());
  await dialog.getByAltText("The chosen screenshot").waitFor();
  await dialog.getByLabel("1 value moves by more than half: that is meant").check();
  await dialog.getByRole("button", { name: "Publish 1 cell" }).click();
  await dialog.waitFor({ state: "detached" });

  // A picture may be deleted while its URL is requested again.
  const desk = await open(eve, "/admin?tab=proposals", { expectedProblems: [/400.*sign\/change-uploads/] });
  const waiting = desk.getByRole("list", { name: "Waiting pictures" }).getByRole("listitem");
  await waiting.getByText(/ → 987M/).waitFor();
  // It is also shown with the proposal.
  await desk.getByAltText("Screenshot as evidence, in full size").waitFor();
  await waiting.focus();
  await desk.keyboard.press("2");
  await expectNotice(desk, "Picture deleted");
  await desk.getByText("No picture waits.").waitFor();
  const { data } = await eve.client.storage.from("change-uploads").list(ned.id);
  expect(data).toEqual([]);

  const { data: item } = await ned.client
    .from("items")
    .select("id, current_value")
    .eq("slug", "flame")
    .single()
    .throwOnError();
  const cell = { item_id: item.id, field: "current_value", value: "900K", was: item.current_value };
  const said = { reason_code: "trades_seen", note: "Odd link", evidence_url: ODD_LINK };
  const { data: made } = await ned.client.rpc("publish_values", { cells: [cell], ...said }).throwOnError();
  expect(made).toMatchObject([{ outcome: "waiting" }]);
  const odd = desk.getByRole("listitem").filter({ hasText: "Odd link" });
  await odd.getByRole("button", { name: "Approve" }).click();
  await desk.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expectNotice(desk, "Approved and published");
  for (const path of ["/changes", "/fruits/flame"]) {
    await desk.goto(path);
    await desk.getByText("Odd link").first().waitFor();
  }
});
