import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ownSite } from "#tests/helpers/own-site.ts";
import { expectControlsWithinReach, expectNoSidewaysScroll } from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { eventually, visit } from "#tests/helpers/visit.ts";

// A phone whose owner doubled the browser's text size (WCAG 2.2: 1.4.4): lengths in rem double too, the screen does not.
const PHONE = { width: 360, height: 740, reducedMotion: "reduce" } as const;
const site = ownSite();
let ana: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  [ana, ben] = await Promise.all([signUpPerson(site), signUpPerson(site)]);
  await ben.client
    .from("profiles")
    .update({ username: "Wonderful_Traders_99" })
    .eq("id", ben.id)
    .throwOnError();
  const item = await ana.client.from("items").select("id").eq("slug", "dough").single().throwOnError();
  const side = [{ id: item.data.id, viewMode: "regular" }];
  await ana.client
    .from("trade_history")
    .insert({ user_id: ana.id, your_items: side, their_items: side })
    .throwOnError();
  await ben.client
    .from("user_ratings")
    .insert({ rated_user_id: ana.id, rating: 4, comment: "Fast and fair" })
    .throwOnError();
  await ben.client.from("chat_messages").insert({ trade: "you=kitsune,control.p&them=dough" }).throwOnError();
});

async function enlargeText(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await eventually(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
    "32px",
  );
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

type Screen = { path: string; isSignedIn?: true; open?: (page: Page) => Promise<unknown> };

const SCREENS: Record<string, Screen> = {
  home: { path: "/" },
  values: { path: "/values?q=gh" },
  "values, filters open": { path: "/values?q=gh", open: (page) => press(page, /^Filters/) },
  item: { path: "/fruits/kitsune" },
  calculator: { path: "/calculator?you=dough,kitsune.p&them=tiger" },
  community: { path: "/community" },
  trader: { path: "/community/ANA" },
  "sign in": { path: "/auth" },
  contact: { path: "/contact" },
  changes: { path: "/changes" },
  "no page": { path: "/nope" },
  history: { path: "/history", isSignedIn: true },
  account: { path: "/account", isSignedIn: true },
  chat: { path: "/chat", isSignedIn: true },
};

test.each(Object.entries(SCREENS))(
  "%s: text of twice the size cuts off and hides nothing",
  async (_, screen) => {
    const path = screen.path.replace("ANA", ana.username);
    const options = { ...PHONE, expectedProblems: [/answer 404: /] };
    const page = screen.isSignedIn
      ? await visitAs(ana, path, { ...options, address: site.address })
      : await visit(path, { ...options, baseUrl: site.address });
    await enlargeText(page);
    await screen.open?.(page);
    await expectNoSidewaysScroll(page);
    await expectControlsWithinReach(page);
    await expectFieldsToShowText(page);
  },
);

/** Expects every text field to show at least four letters of what is typed. */
async function expectFieldsToShowText(page: Page): Promise<void> {
  const narrow = await page.evaluate(() => {
    const scope = document.querySelector("dialog:modal, [popover]:popover-open") ?? document;
    const fields = [...scope.querySelectorAll<HTMLInputElement>("input.control, textarea")];
    return fields.flatMap((field) => {
      const { paddingLeft, paddingRight, fontSize } = getComputedStyle(field);
      const space = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return field.checkVisibility() && space < 2 * Number.parseFloat(fontSize)
        ? [`${field.name || field.placeholder}: ${space}`]
        : [];
    });
  });
  expect(narrow).toEqual([]);
}

test("the picker's search shows what is typed", async () => {
  const page = await visit("/calculator", { ...PHONE, baseUrl: site.address });
  await enlargeText(page);
  await page.locator("#slot-you-1").click();
  await page.getByRole("dialog", { name: "Select Item" }).waitFor();
  await expectFieldsToShowText(page);
});

test("the site's name does not reach into the tools beside it on any phone", async () => {
  const page = await visitAs(ana, "/history", { ...PHONE, address: site.address });
  await enlargeText(page);
  for (const width of [320, 360, 384, 412]) {
    await page.setViewportSize({ width, height: 740 });
    const surplus = await page
      .locator(".site-header .site-name")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(surplus, `at ${width} px`).toBe(0);
  }
});
