import type { Page } from "playwright-core";
import { beforeAll, test } from "vitest";
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
import { eventually, visit } from "#tests/helpers/visit.ts";

const site = ownSite();
const people = {} as Record<"ana" | "ben" | "eve", SignedIn>;

beforeAll(async () => {
  const [eve, ana, ben] = await Promise.all([signUpAdmin(site), signUpPerson(site), signUpPerson(site)]);
  Object.assign(people, { ana, ben, eve });
  const { data: items } = await ana.client
    .from("items")
    .select("id")
    .in("slug", ["dough", "tiger"])
    .order("slug")
    .throwOnError();
  const [yours, theirs] = (items ?? []).map(({ id }) => [{ id, viewMode: "regular" }]);
  await ana.client
    .from("trade_history")
    .insert({ user_id: ana.id, your_items: yours, their_items: theirs })
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

type Screen = {
  path: string;
  /** The user; a visitor by default. */
  who?: keyof typeof people;
  /** Text that is shown once the screen is complete. */
  shows: string | RegExp;
  /** Steps to reach the screen. */
  open?: (page: Page) => Promise<unknown>;
};

const TRADE = "/calculator?you=dough,kitsune.p&them=tiger";

const SCREENS: Record<string, Screen> = {
  home: { path: "/", shows: "Biggest moves" },
  // A few items with every rarity, demand and trend: axe is slow on a hundred similar ones.
  values: { path: "/values?q=gh", shows: "9 items" },
  "values, filters open": {
    path: "/values?q=s&rarity=common&rarity=uncommon",
    shows: "Rarity",
    open: (page) => press(page, /^Filters/),
  },
  "values, nothing found": { path: "/values?q=qqqq", shows: "No items found" },
  item: { path: "/fruits/kitsune", shows: "Value Change Analysis" },
  "item in permanent": { path: "/fruits/dough?mode=permanent", shows: "Robux Price" },
  "unknown item": { path: "/fruits/nope", shows: "Fruit Not Found" },
  "calculator, empty": { path: "/calculator", shows: "What's the trade?" },
  "calculator with a trade": { path: TRADE, shows: /Overpaying|Winning/ },
  "calculator, picker": {
    path: "/calculator",
    shows: "West Dragon",
    open: async (page) => {
      await page.locator("#slot-you-1").click();
      await press(page, "Mythical Fruits");
    },
  },
  community: { path: "/community", shows: "Fast and fair" },
  "sign in": { path: "/auth", shows: "Forgot your password?" },
  "sign up": {
    path: "/auth",
    shows: "Never shown to other players.",
    open: (page) => page.getByRole("tab", { name: "Sign Up" }).click(),
  },
  "forgotten password": {
    path: "/auth",
    shows: "Send the link",
    open: (page) => press(page, "Forgot your password?"),
  },
  contact: { path: "/contact", shows: "Send Message" },
  about: { path: "/about", shows: "About" },
  privacy: { path: "/privacy", shows: "Privacy Policy" },
  terms: { path: "/terms", shows: "Terms of Service" },
  parents: { path: "/parents", shows: "What your child can do" },
  "a parent's permission": { path: "/parents/consent", shows: "Send a new link" },
  safety: { path: "/safety", shows: "Month by month" },
  appeal: { path: "/appeal", shows: "Appeal a Suspension" },
  "no connection": { path: "/offline", shows: "Try again" },
  "page not found": { path: "/nope", shows: "Oops! Page not found" },
  history: { path: "/history", who: "ana", shows: "Open in Calculator" },
  "history, empty": { path: "/history", who: "ben", shows: "No Trade History Yet" },
  account: { path: "/account", who: "ana", shows: "Save username" },
  chat: { path: "/chat", who: "ben", shows: "Open in the calculator" },
  "chat, quick talk": {
    path: "/chat",
    who: "ben",
    shows: "Is this fair?",
    open: (page) => press(page, "Quick talk"),
  },
  "chat, a trade to send": { path: `/chat?you=kitsune&them=dough`, who: "ben", shows: "Send this trade" },
  "trader, to rate": {
    path: "/community/ANA",
    who: "ben",
    shows: "Submit Rating",
    open: (page) => press(page, /^Rate Trader/),
  },
  "trader, to report": {
    path: "/community/ANA",
    who: "ben",
    shows: "Send report",
    open: (page) => press(page, "Report name"),
  },
  "own trader page": { path: "/community/ANA", who: "ana", shows: "Dispute" },
  "admin, items": {
    path: "/admin",
    who: "eve",
    shows: "7.1B",
    open: (page) => page.getByPlaceholder("Search items...").fill("ember"),
  },
  "admin, categories": { path: "/admin?tab=categories", who: "eve", shows: "Mythical Fruits" },
  "admin, fields": { path: "/admin?tab=fields", who: "eve", shows: "Add Custom Field" },
  "admin, ads": { path: "/admin?tab=ads", who: "eve", shows: "Detail Sidebar" },
  "moderation desk": { path: "/admin?tab=moderation", who: "eve", shows: "dough for tiger?" },
};

/** A narrow phone, tall enough that the fixed bars are shown. */
const NARROW = { width: 320, height: 568 };
/** A desktop window at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 };
const WIDE = { width: 1920, height: 1080 };

async function openScreen({ path, who, shows, open }: Screen): Promise<Page> {
  const options = { ...NARROW, reducedMotion: "reduce" as const, expectedProblems: [/answer 404: /] };
  const address = path.replace("ANA", people.ana.username);
  const page = who
    ? await visitAs(people[who], address, { ...options, address: site.address })
    : await visit(address, { ...options, baseUrl: site.address });
  await open?.(page);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  return page;
}

test.each(Object.entries(SCREENS))(
  "%s: no horizontal scroll, no axe findings, selection visible, all controls reachable, light and dark",
  async (_, screen) => {
    const page = await openScreen(screen);
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
  },
);
