import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { animation, picture } from "#tests/helpers/storage/pictures.ts";
import { eventually, read, visit } from "#tests/helpers/visit.ts";
import { expectNotice, noticeVariant } from "./account-page.ts";

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator("input[name=picture]").setInputFiles({ name, mimeType, buffer });

describe("the user's own picture on /account", () => {
  test("a file that is no picture is refused before it is sent; a failed save says so, shows the previous picture, and leaves no file behind; a new one replaces one that waits", async () => {
    const person = await signUpPerson();
    const page = await visitAs(person, "/account", {
      expectedProblems: [/answer 5\d\d: |ERR_FAILED/],
    });
    await page.getByRole("button", { name: "Upload a picture" }).waitFor();
    let uploads = 0;
    page.on("request", (request) => {
      if (request.url().includes("/storage/v1/object/avatar-uploads/")) uploads += 1;
    });
    for (const content of [
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      Buffer.alloc(0),
      (await picture("png")).subarray(0, 40),
    ]) {
      await choose(page, "photo.png", "image/png", content);
      const fault = "This can’t be read as a picture. Please choose a JPEG, PNG or WebP";
      await expectNotice(page, "Invalid input", fault);
      expect(await noticeVariant(page)).toBe("destructive");
      await page.getByRole("button", { name: "Dismiss" }).click();
    }
    expect(uploads).toBe(0);

    const sent = "**/storage/v1/object/avatar-uploads/**";
    await page.route(sent, (route, request) =>
      request.method() === "POST"
        ? route.fulfill({ status: 500, json: { message: "No luck today" } })
        : route.continue(),
    );
    await choose(page, "photo.png", "image/png", await picture("png"));
    await expectNotice(page, "Error", "No luck today");
    await page.route(sent, (route) => route.abort(), { times: 1 });
    await choose(page, "photo.png", "image/png", await picture("png"));
    const away = "The service can't be reached right now. Please try again in a moment.";
    await expectNotice(page, "Error", away);
    expect(await page.locator("[data-initials]").count()).toBe(1);
    expect(await waitingOf(person)).toEqual([]);

    // A new one replaces one that still waits: the limit is not reached by changing one's mind.
    await page.unrouteAll();
    const seen: unknown[] = [];
    for (let upload = 1; upload <= 5; upload++) {
      await choose(page, "photo.png", "image/png", await picture("png"));
      await eventually(async () => {
        const names = await waitingOf(person);
        return names.length === 1 && !seen.includes(names[0]);
      }).toBe(true);
      seen.push(...(await waitingOf(person)));
    }
  });

  test("is cropped to a small square without metadata, and shown once a moderator approves it by key", async () => {
    const person = await signUpPerson();
    const page = await visitAs(person, "/account", { width: 320 });
    await page.getByRole("button", { name: "Upload a picture" }).waitFor();
    const photo = await sharp(await picture("jpeg", 800, 600))
      .withExif({ IFD0: { Artist: "Ana" } })
      .jpeg()
      .toBuffer();
    await choose(page, "holiday.jpg", "image/jpeg", photo);
    await expectNotice(page, "Picture sent", "A moderator will look at it before others see it.");
    const [stored] = await waitingOf(person);
    const { data } = await person.client.storage.from("avatar-uploads").download(`${person.id}/${stored}`);
    const { width, height, exif, format } = await sharp(await (data as Blob).arrayBuffer()).metadata();
    expect([width, height, exif, format]).toEqual([256, 256, undefined, "webp"]);
    await page.getByText("Waiting for a moderator.").waitFor();
    await expectNoAxeFindings(page);
    const desk = await visitAs(await signUpAdmin(), "/admin?tab=moderation");
    const allow = desk.getByRole("button", { name: `Allow the picture of ${person.username}` });
    await allow.press("a");
    await expectNotice(desk, "Picture allowed", `Others see it next to ${person.username}.`);
    expect(await waitingOf(person)).toEqual([]);
    await page.reload();
    await expect.poll(() => loadedWidth(page)).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Remove picture" }).click();
    await expectNotice(page, "Picture removed");
    expect(await page.locator("[data-initials]").count()).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Pick a picture");
    expect((await person.client.storage.from("avatars").list(person.id)).data).toEqual([]);
  });
});

test("a picture that another moderator has allowed is not reported as refused", async () => {
  const person = await signUpPerson();
  const name = `${person.id}/${crypto.randomUUID()}.png`;
  const files = person.client.storage.from("avatar-uploads");
  expect((await files.upload(name, await picture("png"), { contentType: "image/png" })).error).toBe(null);
  const moderator = await signUpAdmin();
  const desk = await visitAs(moderator, "/admin?tab=moderation");
  const refuse = desk.getByRole("button", { name: `Refuse the picture of ${person.username}` });
  await refuse.waitFor();
  const moved = moderator.client.storage.from("avatar-uploads");
  expect((await moved.move(name, name, { destinationBucket: "avatars" })).error).toBe(null);
  await refuse.press("r");
  await expectNotice(desk, "Error", "Somebody else decided about this picture, or you may not");
  await refuse.waitFor({ state: "detached" });
});

/** How much of the width of a picture on a color is the drawing's. */
const drawnShare = (drawing: Locator) =>
  drawing.evaluate((image) => {
    const { paddingLeft, paddingRight } = getComputedStyle(image);
    const { width } = image.getBoundingClientRect();
    return 1 - (Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)) / width;
  });

describe("a picture from the catalog", () => {
  test("is chosen with a color on a phone, and shown to another user in the chat and the community", async () => {
    const person = await signUpPerson();
    const page = await visitAs(person, "/account", {
      width: 360,
      height: 740,
      expectedProblems: [/request failed: PATCH .*profiles/],
    });
    await page.getByRole("button", { name: "Pick a picture" }).click();
    const dialog = page.getByRole("dialog", { name: "Pick a picture" });
    await dialog.getByRole("radio", { name: "Kitsune", exact: true }).check();
    await dialog.getByRole("radio", { name: "teal" }).check();
    await expectNoAxeFindings(page);
    expect(await drawnShare(dialog.locator("img[data-color=teal]"))).toBeGreaterThan(0.8);
    await dialog.getByRole("button", { name: "Save picture" }).click();
    await expectNotice(page, "Picture saved", "Others see it next to your username.");
    const own = page.getByRole("region", { name: "Picture" }).locator("img[data-color=teal]");
    expect(await drawnShare(own)).toBeGreaterThan(0.8);
    await person.client.from("chat_messages").insert({ message: "Fair winds" }).throwOnError();
    const other = await visitAs(await signUpPerson(), "/chat", { width: 360, height: 740 });
    const drawn = "img.drawing-kitsune[data-color=teal]";
    await other.locator(`[data-row] ${drawn}`).first().waitFor();
    const traders = await visit(`/community?q=${person.username}`);
    await traders.locator(`.avatar ${drawn}`).waitFor();
    // Another one picked elsewhere is shown here, too.
    await person.client
      .from("profiles")
      .update({ avatar_url: "/items/dough.svg#amber" })
      .eq("id", person.id)
      .throwOnError();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await page.getByRole("region", { name: "Picture" }).locator("img.drawing-dough").waitFor();
    // One that was removed although the answer was lost is shown as removed.
    await loseAnswer(page, /\/profiles\?/);
    await page.getByRole("button", { name: "Remove picture" }).click();
    await page.getByRole("region", { name: "Picture" }).locator("[data-initials]").waitFor();
  });
});

test("a photo uploaded by a user's own program loses its location and camera metadata", async () => {
  const person = await signUpPerson();
  const photo = await sharp(await picture("jpeg", 80, 60))
    .withExif({ IFD0: { Artist: "Ana" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 26/1" } })
    .jpeg()
    .toBuffer();
  const name = `${person.id}/${crypto.randomUUID()}.jpg`;
  const files = person.client.storage.from("avatar-uploads");
  expect((await files.upload(name, photo, { contentType: "image/jpeg" })).error).toBe(null);
  const { data } = await files.download(name);
  const { exif, format } = await sharp(await (data as Blob).arrayBuffer()).metadata();
  expect([exif, format]).toEqual([undefined, "jpeg"]);
});

async function waitingOf(person: SignedIn): Promise<string[]> {
  return (
    (await person.client.storage.from("avatar-uploads").list(person.id)).data?.map(({ name }) => name) ?? []
  );
}

const loadedWidth = (page: Page) =>
  page
    .locator("section[aria-label=Picture] img")
    .evaluate((image) => (image as HTMLImageElement).naturalWidth);

describe("an item's uploaded picture", () => {
  // On the shared site every visitor would request the picture, even while it is being deleted.
  const site = ownSite();

  async function showUploaded(name: string, content: Buffer, contentType: string): Promise<void> {
    const admin = await signUpAdmin(site);
    const files = admin.client.storage.from("item-images");
    expect((await files.upload(name, content, { contentType })).error).toBe(null);
    onTestFinished(async () => void (await files.remove([name])));
    const { image_url } = (
      await admin.client.from("items").select("image_url").eq("slug", "kitsune").single()
    ).data as {
      image_url: string;
    };
    // A URL as stored when the site was visited under another host name.
    const url = `https://elsewhere.example/storage/v1/object/public/item-images/${name}`;
    const set = (value: string) => `update public.items set image_url = '${value}' where slug = 'kitsune'`;
    await changeSite(set(url), set(image_url), site.databaseUrl);
    await eventually(async () => expect((await read("/fruits/kitsune", site.address)).html).toContain(name));
  }

  test("is served in the displayed size and the best format, from this site's own host", async () => {
    const name = `${crypto.randomUUID()}.png`;
    await showUploaded(name, await picture("png", 900, 900), "image/png");
    const page = await visit("/fruits/kitsune", { baseUrl: site.address });
    const image = page.locator(`img[src*="${name}"]`).first();
    await expect.poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(160);
    const facts = await image.evaluate((node: HTMLImageElement) => ({
      src: new URL(node.currentSrc).origin,
      size: [node.width, node.height, node.getAttribute("width"), node.getAttribute("height")],
      srcset: node.srcset,
    }));
    expect(facts.src).toBe(site.address);
    expect(facts.size.slice(2)).toEqual(["160", "160"]);
    expect(facts.srcset).toContain("width=320&height=320&resize=contain 2x");
    const src = (await image.getAttribute("src")) ?? "";
    const served = await fetch(`${site.address}${src}`, {
      headers: { accept: "image/avif,image/webp,*/*" },
    });
    expect(served.headers.get("content-type")).toBe("image/avif");
    expect((await served.arrayBuffer()).byteLength).toBeLessThan(20_000);
    await eventually(async () =>
      expect((await read("/values", site.address)).html).toContain(`${name}?width=96`),
    );
  });

  test("that is animated stays animated, and one that cannot be rendered is served unchanged", async () => {
    const name = `${crypto.randomUUID()}.gif`;
    await showUploaded(name, await animation(), "image/gif");
    const rendered = `${site.address}/storage/v1/render/image/public/item-images/${name}?width=20`;
    const served = await fetch(rendered, { headers: { accept: "image/avif,image/webp,*/*" } });
    expect((await sharp(await served.arrayBuffer()).metadata()).pages).toBe(2);
    const plain = `${site.address}/storage/v1/object/public/item-images/${name}`;
    const page = await visit("/fruits/kitsune", {
      baseUrl: site.address,
      expectedProblems: [/render\/image/, /answer 4\d\d: /, /Failed to load/],
    });
    await page.route("**/render/image/**", (route) => route.fulfill({ status: 403, body: "" }));
    await page.reload();
    const image = page.locator(`img[src*="/object/public/item-images/${name}"]`).first();
    await expect.poll(() => image.evaluate((node) => (node as HTMLImageElement).currentSrc)).toBe(plain);
  });
});
