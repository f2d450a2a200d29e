import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import {
  coveredHeight,
  expectChoicesToShow,
  expectControlsWithinReach,
  expectNoMotion,
  expectNoSidewaysScroll,
  paint,
} from "#tests/helpers/screen-checks.ts";
import { type SignedIn, signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { alive, eventually, visit } from "#tests/helpers/visit.ts";

const site = ownSite();
const people = {} as Record<"ana" | "ben" | "eve", SignedIn>;

beforeAll(async () => {
  const [eve, ana, ben] = await Promise.all([signUpAdmin(site), signUpPerson(site), signUpPerson(site)]);
  Object.assign(people, { ana, ben, eve });
  const { data: items } = await ana.client.from("items").select("id, slug").throwOnError();
  const slotsOf = (side: string) =>
    side.split(",").map((slot) => {
      const [slug, mode] = slot.split(".");
      return { id: items?.find((each) => each.slug === slug)?.id, viewMode: mode ? "permanent" : "regular" };
    });
  const nine = Array(9).fill("west-dragon.p").join();
  for (const [yours, theirs, partner] of [
    ["dough", "tiger", null],
    ["kitsune,control,tiger.p", "dough", null],
    [nine, "eclipse", "x".repeat(255)],
  ] as const) {
    await ana.client
      .from("trade_history")
      .insert({
        user_id: ana.id,
        your_items: slotsOf(yours),
        their_items: slotsOf(theirs),
        trade_partner_email: partner,
      })
      .throwOnError();
  }
  await ben.client
    .from("profiles")
    .update({ username: "Wonderful_Traders_99" })
    .eq("id", ben.id)
    .throwOnError();
  await ben.client
    .from("user_ratings")
    .insert({ rated_user_id: ana.id, rating: 4, comment: "Fast and fair" })
    .throwOnError();
  const sent = await ben.client
    .from("chat_messages")
    .insert({ message: "dough for tiger?" })
    .select("id")
    .single();
  await ana.client.from("chat_messages").insert({ trade: "you=kitsune,control.p&them=dough" }).throwOnError();
  await ana.client.from("chat_reports").insert({ message_id: sent.data?.id, reason: "spam" }).throwOnError();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const chooseTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

type Screen = {
  /** Where it is; by default it follows from the one before. */
  path?: string;
  /** Text that is shown once the screen is complete. */
  shows: string | RegExp;
  /** Steps to reach the screen. */
  open?: (page: Page) => Promise<unknown>;
  /** What is expected of it with text of twice the size; room, by default. */
  enlarged?: (page: Page) => Promise<void>;
};

/** Each visit's screens in order; by a visitor if no user is named. */
type Visit = { who?: keyof typeof people; screens: Record<string, Screen> };

const VISITS: Visit[] = [
  {
    screens: {
      home: { path: "/", shows: "Biggest moves" },
      "page not found": { path: "/nope", shows: "Oops! Page not found" },
      "no connection": { path: "/offline", shows: "Try again" },
    },
  },
  {
    screens: {
      // A few items with every rarity, demand and trend: axe is slow on a hundred similar ones.
      values: { path: "/values?q=gh", shows: "9 items" },
      "values, nothing found": { path: "/values?q=qqqq", shows: "No items found" },
      "values, filters open": {
        path: "/values?q=s&rarity=common&rarity=uncommon",
        shows: "Rarity",
        open: (page) => press(page, /^Filters/),
      },
    },
  },
  {
    screens: {
      item: { path: "/fruits/kitsune", shows: "Value Change Analysis" },
      "item in permanent": { path: "/fruits/dough?mode=permanent", shows: "Robux Price" },
    },
  },
  {
    screens: {
      "calculator with a trade": {
        path: "/calculator?you=dough,kitsune.p&them=tiger",
        shows: /Overpaying|Winning/,
      },
      "calculator, empty": { path: "/calculator", shows: "What's the trade?" },
      "calculator, picker": {
        shows: "West Dragon",
        open: async (page) => {
          await page.locator("#slot-you-1").click();
          await press(page, "Mythical Fruits");
        },
        enlarged: expectFieldsToShowText,
      },
    },
  },
  {
    screens: {
      community: { path: "/community", shows: "Fast and fair" },
      changes: { path: "/changes", shows: "Older changes" },
      method: { path: "/method", shows: "How Values Come About" },
    },
  },
  {
    screens: {
      "sign in": { path: "/auth", shows: "Forgot your password?" },
      "forgotten password": {
        shows: "Send the link",
        open: (page) => press(page, "Forgot your password?"),
      },
      "sign up": {
        path: "/auth",
        shows: "Never shown to other players.",
        open: (page) => chooseTab(page, "Sign Up"),
      },
    },
  },
  {
    screens: {
      contact: { path: "/contact", shows: "Send Message" },
      about: { path: "/about", shows: "About" },
      privacy: { path: "/privacy", shows: "Privacy Policy" },
    },
  },
  {
    screens: {
      terms: { path: "/terms", shows: "Terms of Service" },
      parents: { path: "/parents", shows: "What your child can do" },
      "a parent's permission": { path: "/parents/consent", shows: "Send a new link" },
    },
  },
  {
    screens: {
      safety: { path: "/safety", shows: "Month by month" },
      "unknown item": { path: "/fruits/nope", shows: "Fruit Not Found" },
      appeal: { path: "/appeal", shows: "Appeal a Suspension" },
    },
  },
  {
    who: "ana",
    screens: {
      history: { path: "/history", shows: "Open in Calculator", enlarged: expectRoomBesideName },
      account: { path: "/account", shows: "Save username" },
      "own trader page": { path: "/community/ANA", shows: "Dispute" },
    },
  },
  {
    who: "ben",
    screens: {
      "history, empty": { path: "/history", shows: "No Trade History Yet" },
      "trader, to rate": {
        path: "/community/ANA",
        shows: "Submit Rating",
        open: async (page) => {
          await enlargeText(page, expectRoom);
          await press(page, /^Rate Trader/);
        },
      },
      "trader, to report": {
        path: "/community/ANA",
        shows: "Send report",
        open: (page) => press(page, "Report name"),
      },
    },
  },
  {
    who: "ben",
    screens: {
      chat: {
        path: "/chat",
        shows: "Open in the calculator",
        enlarged: expectMessagesToShowText,
      },
      "chat, quick talk": { shows: "Is this fair?", open: (page) => press(page, "Quick talk") },
      "chat, a trade to send": { path: "/chat?you=kitsune&them=dough", shows: "Send this trade" },
    },
  },
  {
    who: "eve",
    screens: {
      "admin, items": {
        path: "/admin",
        shows: "7.1B",
        open: (page) => page.getByPlaceholder("Search items...").fill("ember"),
      },
      "admin, categories": { path: "/admin?tab=categories", shows: "Mythical Fruits" },
      "admin, fields": { path: "/admin?tab=fields", shows: "Add Custom Field" },
    },
  },
  {
    who: "eve",
    screens: {
      "admin, ads": { path: "/admin?tab=ads", shows: "Detail Sidebar" },
      "moderation desk": { path: "/admin?tab=moderation", shows: "dough for tiger?" },
    },
  },
];

/** A narrow phone, tall enough that the fixed bars are shown. */
const NARROW = { width: 320, height: 568 };
/** A desktop window at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 };
const WIDE = { width: 1920, height: 1080 };

test.each(VISITS.map((visited) => [Object.keys(visited.screens).join("; "), visited] as const))(
  "%s: no horizontal scroll, no axe findings, selection visible, all controls reachable, light and dark, also with text of twice the size",
  async (_, { who, screens }) => {
    const pathOf = ({ path = "" }: Screen) => path.replace("ANA", people.ana.username);
    const [first = { shows: "" }] = Object.values(screens);
    const options = { ...NARROW, expectedProblems: [/answer 404: /] };
    const page = who
      ? await visitAs(people[who], pathOf(first), { ...options, address: site.address })
      : await visit(pathOf(first), { ...options, baseUrl: site.address });
    for (const [name, screen] of Object.entries(screens)) {
      if (screen.path && screen !== first) {
        await page.goto(pathOf(screen));
        await alive(page);
      }
      await screen.open?.(page);
      await page.getByText(screen.shows).filter({ visible: true }).first().waitFor();
      await expectGoodScreen(page, screen).catch((cause) => {
        throw new Error(`${name}: ${cause.message}`, { cause });
      });
    }
  },
);

async function expectGoodScreen(page: Page, { enlarged = expectRoom }: Screen): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectNoMotion(page);
  await expectNoAxeFindings(page);
  await paint(page, "dark");
  await expectNoAxeFindings(page, { rules: ["color-contrast"] });
  await expectChoicesToShow(page);
  await expectControlsWithinReach(page);

  await page.setViewportSize(ZOOMED);
  await expectNoSidewaysScroll(page);
  await eventually(() => coveredHeight(page)).toBeLessThanOrEqual(0.5);
  await expectControlsWithinReach(page);

  await page.setViewportSize(WIDE);
  await expectNoSidewaysScroll(page);
  await expectNoAxeFindings(page);
  await paint(page, "light");
  await expectNoAxeFindings(page, { rules: ["color-contrast"] });
  await expectChoicesToShow(page);

  await enlargeText(page, enlarged);
}

/**
 * On a phone whose owner doubled the browser's text size (WCAG 2.2: 1.4.4): lengths in rem double too, the screen does
 * not.
 */
async function enlargeText(page: Page, check: (page: Page) => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const cdp = await page.context().newCDPSession(page);
  const setSize = async (standard: number) => {
    await cdp.send("Page.setFontSizes", { fontSizes: { standard, fixed: (standard * 13) / 16 } });
    const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    await eventually(size).toBe(`${standard}px`);
  };
  await setSize(32);
  await check(page);
  await setSize(16);
  await cdp.detach();
  await page.setViewportSize(NARROW);
}

/** Expects nothing to be cut off or hidden. */
async function expectRoom(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectHeadingsInWindow(page);
  await expectControlsWithinReach(page);
  await expectFieldsToShowText(page);
}

/** A parent that hides what is wider than itself would cut them off without a scroll bar. */
async function expectHeadingsInWindow(page: Page): Promise<void> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, h2, h3):not(.sr-only)")]
      .filter((heading) => heading.getBoundingClientRect().right > innerWidth)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
}

/** Expects others' messages to have room for more than two letters a line. */
async function expectMessagesToShowText(page: Page): Promise<void> {
  await expectRoom(page);
  const trade = page.locator(".chat-message:not(.chat-own) .chat-trade").first();
  const letters = await trade.evaluate(
    (card) => card.clientWidth / Number.parseFloat(getComputedStyle(card).fontSize),
  );
  expect(letters).toBeGreaterThan(3);
}

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

/** Expects the site's name not to reach into the tools beside it on any phone, either. */
async function expectRoomBesideName(page: Page): Promise<void> {
  await expectRoom(page);
  for (const width of [320, 360, 384, 412]) {
    await page.setViewportSize({ width, height: 740 });
    const surplus = await page
      .locator(".site-header .site-name")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(surplus, `at ${width} px`).toBe(0);
  }
}
