import { listKept, readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import { readKeptJson } from "#app/features/browser-storage/kept-json.ts";
import { createStore } from "#app/ui/store.ts";
import type { NewTrade } from "./trade-queries.ts";

/** A trade that a visitor wanted to keep: it waits in this browser for a sign-in. */
export type VisitorTrade = {
  /** The address of its calculator, by which the same trade is kept once. */
  search: string;
  /** The one it gets in the history too, so that it is there once, however often and in however many tabs that is tried. */
  id: string;
  trade: NewTrade;
};

/** Keeps a trade until somebody signs in here; the same one again is one. */
export function keepForSignIn(search: string, trade: NewTrade): void {
  if (readKept("visitorTrade", search)) return;
  writeKept("visitorTrade", JSON.stringify({ id: crypto.randomUUID(), trade }), search);
}

export function listVisitorTrades(): VisitorTrade[] {
  return listKept("visitorTrade").flatMap((search) => {
    const kept = readKeptJson("visitorTrade", search) as Omit<VisitorTrade, "search"> | null;
    if (kept) return [{ search, ...kept }];
    writeKept("visitorTrade", null, search);
    return [];
  });
}

/** Those that came into the history while this page is open. */
export const movedTrades = createStore<ReadonlySet<string>>(new Set());

/** It is in the history now, or never can be. */
export function forgetVisitorTrade(search: string, isSaved: boolean): void {
  writeKept("visitorTrade", null, search);
  if (!isSaved) return;
  movedTrades.set(new Set(movedTrades.current()).add(search));
}
