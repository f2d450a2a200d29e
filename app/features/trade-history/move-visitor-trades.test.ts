import type { Session } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { changeSession } from "#app/features/session/session-store.ts";
import type { Client } from "#app/features/site/client.ts";
import { moveVisitorTrades } from "./move-visitor-trades.ts";
import type { NewTrade } from "./trade-queries.ts";
import { forgetVisitorTrade, keepForSignIn, movedTrades } from "./visitor-trades.ts";

const TRADE: NewTrade = {
  your_items: [],
  their_items: [],
  your_total: 1,
  their_total: 2,
  trade_partner_email: "Ben",
};

function stubBrowser() {
  const kept = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => Object.assign(kept, { [key]: text }),
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  });
  vi.stubGlobal("localStorage", kept);
  vi.stubGlobal("window", new EventTarget());
  return kept;
}

test("a trade that was kept here counts as moved once another tab has moved it", () => {
  stubBrowser();
  keepForSignIn("?of=tab", TRADE);
  const change = (newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "visitorTrade:?of=tab", newValue }));
  change("{}");
  expect(movedTrades.current().has("?of=tab")).toBe(false);
  change(null);
  expect(movedTrades.current().has("?of=tab")).toBe(true);
});

test("a trade counts as moved for the user into whose history it was moved only", () => {
  stubBrowser();
  const signIn = (id: string | null) => changeSession({ session: id ? ({ user: { id } } as Session) : null });
  signIn("ann");
  forgetVisitorTrade("?of=own", true);
  signIn(null);
  signIn("ann");
  expect(movedTrades.current().has("?of=own")).toBe(true);
  signIn(null);
  signIn("ben");
  expect(movedTrades.current().has("?of=own")).toBe(false);
  signIn(null);
});

test("a trade that the database refuses for good is removed, and does not count as moved in other tabs", async () => {
  const kept = stubBrowser();
  keepForSignIn("?of=gone", TRADE);
  const { removeItem } = Object.getPrototypeOf(kept);
  Object.getPrototypeOf(kept).removeItem = (key: string) => {
    const event = Object.assign(new Event("storage"), { key, oldValue: kept[key], newValue: null });
    removeItem(key);
    // As in another tab, which is told only that it is gone.
    window.dispatchEvent(event);
  };
  const upsert = () => ({ error: { code: "22023" } });
  await moveVisitorTrades({ from: () => ({ upsert }) } as unknown as Client, "zoe");
  expect(Object.keys(kept)).toEqual([]);
  expect(movedTrades.current().has("?of=gone")).toBe(false);
});

test("“Traded with” goes with a kept trade to the user who typed it only", async () => {
  const kept = stubBrowser();
  keepForSignIn("?of=ann", { ...TRADE, trade_partner_email: null });
  // Kept by a visitor before: it becomes the user's, and stays so.
  expect(keepForSignIn("?of=ann", TRADE, "ann")).toBe(true);
  expect(keepForSignIn("?of=ann", TRADE, "zoe")).toBe(false);
  keepForSignIn("?of=zoe", TRADE, "zoe");
  keepForSignIn("?of=nobody", { ...TRADE, trade_partner_email: null });
  const saved: unknown[] = [];
  const upsert = (row: object) => {
    saved.push(row);
    return { error: null };
  };
  await moveVisitorTrades({ from: () => ({ upsert }) } as unknown as Client, "zoe");
  const partners = saved.map((row) => (row as NewTrade).trade_partner_email);
  expect(partners).toEqual([null, "Ben", null]);
  expect(Object.keys(kept)).toEqual([]);
});
