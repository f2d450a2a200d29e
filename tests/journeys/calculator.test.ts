import { expect, test } from "vitest";
import { expectNoAxeFindings, openPage, openPageWithoutJavaScript } from "#tests/helpers/browser.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive } from "#tests/helpers/visit.ts";
import {
  choose,
  openCalculator,
  openPicker,
  readText,
  slots,
  textOf,
  value,
  verdict,
} from "./calculator-page.ts";

const KITSUNE_FOR_CONTROL = "/calculator?you=kitsune&them=control";

test("a trade's slots, totals and verdict are there without JavaScript", async () => {
  const page = await openPageWithoutJavaScript({
    baseUrl: testSite().address,
    expectedProblems: [/\.js csp$/],
  });
  await page.goto("/calculator");
  expect(await verdict(page)).toMatch(/Add items to both sides/);
  expect(await verdict(page)).not.toMatch(/Fair Trade|Uneven|Overpaying|Winning/);
  for (const [trade, title, detail] of [
    ["you=control&them=control", "Fair Trade", "Both sides are worth the same."],
    ["you=kitsune,venom&them=kitsune", "Slightly Uneven", "You lose 20M, 3.03% of your total"],
    [
      "you=control,gas,gas,venom&them=control,gas,lightning",
      "You're Overpaying",
      "You lose 30M, 10% of your total",
    ],
    ["you=control&them=kitsune", "You're Winning", "You gain 480M, 300% of your total"],
    ["you=tiger&them=control", "You're Winning", "You gain 30M, 23.08% of your total"],
    ["them=dough", "You're Winning", "You gain 30M"],
    ["you=kitsune&them=control", "You're Overpaying", "You lose 480M, 75% of your total"],
  ] as const) {
    await page.goto(`/calculator?${trade}`);
    const text = await verdict(page);
    expect(text, trade).toContain(title);
    expect(text, trade).toContain(detail);
    expect(text, trade).not.toMatch(/NaN|Infinity/);
  }
  expect(await value(page, "You")).toBe("640M");
  expect(await page.getByText("Add Item", { exact: true }).count()).toBe(16);

  // An unpriced item keeps a trade from being judged.
  await page.goto("/calculator?you=eclipse&them=dough");
  expect(await value(page, "You")).toBe("0 + 1 unpriced");
  expect(await verdict(page)).toMatch(/Can't be judged yet/);
  expect(await verdict(page)).not.toMatch(/Winning/);
});

test("an unknown item leaves its slot empty, but is named, keeps the trade from being judged, and can be removed or replaced; nothing in an address crashes", async () => {
  const blades = ",blade".repeat(7);
  const page = await openCalculator(`/calculator?you=kitsune,sea-monster${blades}&them=control,kitsune`);
  expect(await value(page, "You")).toBe("640.4M + 1 unpriced");
  expect(await verdict(page)).toMatch(/Can't be judged yet.*There's no item called Sea Monster\./s);
  const slot = page.getByRole("group", { name: "You, slot 2: Sea Monster" });
  await slot.getByText("Unknown item").waitFor();
  await expectNoAxeFindings(page);
  await slot.getByText("Add Item").click();
  await choose(page, "Control");
  await page.waitForURL(/\?you=kitsune,control,blade/);
  await page.goBack();
  await slot.getByRole("button", { name: "Remove Sea Monster" }).click();
  await expect.poll(() => verdict(page)).toMatch(/Winning/);
  expect(page.url()).toBe(`${testSite().address}/calculator?you=kitsune,${blades}&them=control,kitsune`);

  // An invalid mode means regular, an invalid slug an empty slot.
  await page.goto(
    "/calculator?you=kitsune.nonsense,%3Cb%3E,no-such-fruit,tiger.p,control.purple&them=%E0%A4%A",
  );
  await alive(page);
  expect((await slots(page)).slice(0, 5)).toEqual([
    "Kitsune Regular",
    "",
    "No Such Fruit unknown",
    "Tiger Permanent",
    "Control Regular",
  ]);
});

test("the verdict repeats the panels' totals and demand under the site's name; a visitor sees no Save Trade; changing the trade sends no request", async () => {
  const page = await openCalculator(KITSUNE_FOR_CONTROL);
  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole("region", { name: "Verdict" });
  const text = await readText(card);
  expect(text).toMatch(/Your Offer 640M Demand 4\/10 Very High Their Offer 160M Demand 4\/10 Very High/);
  expect(text).toContain("Fruit Values");
  expect(await card.getByText("Very High").filter({ visible: true }).count(), "on a phone").toBe(2);
  expect(await page.getByRole("button", { name: "Save Trade" }).count()).toBe(0);

  await page.setViewportSize({ width: 1280, height: 800 });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.resourceType()} ${request.url()}`));
  await page.locator("#slot-you-1").getByText("Permanent").click();
  await page.waitForURL(/kitsune\.p/);
  await page.getByRole("button", { name: "Remove Control" }).click();
  await page.waitForURL(/kitsune\.p$/);
  expect(requests.filter((request) => /^(document|fetch|xhr) /.test(request))).toEqual([]);
});

test("Reset Calculator empties all 18 slots and the address, at a second quick tap, too, and can be undone", async () => {
  const full = Array(9).fill("kitsune").join(",");
  const page = await openCalculator(`/calculator?you=${full}&them=${full}`);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.getByText("Add Item", { exact: true }).count()).toBe(0);
    const reset = page.getByRole("button", { name: "Reset Calculator" });
    await reset.scrollIntoViewIfNeeded();
    const { x, y, width: wide, height } = (await reset.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const tap = () => page.mouse.click(x + wide / 2, y + height / 2);
    await tap();
    await expect.poll(() => page.getByText("Add Item", { exact: true }).count()).toBe(18);
    await tap();
    expect([await value(page, "You"), await value(page, "Them")]).toEqual(["0", "0"]);
    expect(page.url()).toBe(`${testSite().address}/calculator`);
    await page.getByRole("button", { name: "Undo reset" }).click();
    await expect.poll(() => page.getByText("Add Item", { exact: true }).count()).toBe(0);
    // The pressed button is gone.
    expect(await readText(page.locator(":focus"))).toMatch(/^Reset/);
  }
});

test("reload, back and forward, and another window show the same slots and modes", async () => {
  const page = await openCalculator("/calculator?you=kitsune,,tiger.p");
  await openPicker(page, "#slot-them-1");
  await choose(page, "Control");
  await page.waitForURL(/them=control/);
  await page.locator("#slot-them-1").getByText("Permanent").click();
  await page.waitForURL(/control\.p/);
  const address = page.url();
  const before = await slots(page);
  await page.reload();
  expect(await slots(page)).toEqual(before);
  await page.goBack();
  await expect.poll(() => page.url()).toMatch(/tiger\.p$/);
  await expect.poll(() => textOf(page, "#slot-them-1")).toMatch(/Add Item/);
  await page.goForward();
  await expect.poll(() => slots(page)).toEqual(before);
  const other = await page.context().newPage();
  await other.goto(address);
  await alive(other);
  expect(await slots(other)).toEqual(before);
});

test("items that cannot be loaded leave the 18 slots and an error notice", async () => {
  const page = await openPage({
    baseUrl: testSite().address,
    expectedProblems: [/calculator\.data/, /Failed to fetch/],
  });
  await page.route("**/calculator.data*", (route) => route.abort());
  await page.goto("/about");
  await page
    .getByRole("navigation", { name: "Go on from here" })
    .getByRole("link", { name: "calculator" })
    .click();
  const notice = page.getByRole("alert").filter({ hasText: "Failed to fetch items" });
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/^Error/);
  expect(await page.getByText("Add Item", { exact: true }).count()).toBe(18);
});
