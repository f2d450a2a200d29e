import { listKept, readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import { KEPT } from "#app/features/browser-storage/kept-keys.ts";
import "#app/features/browser-storage/random-uuid.ts";
import { createUsersStore } from "#app/features/session/users-store.ts";
import type { NewTrade } from "./trade-queries.ts";

/** A trade that a visitor wanted to save: kept in this browser until a sign-in. */
export type VisitorTrade = {
  /** The query of its calculator address, by which the same trade is kept only once. */
  search: string;
  /** Also its id in the history, so that it is stored once however often, and in however many tabs, it is saved. */
  id: string;
  trade: NewTrade;
  /** The user whose session ended meanwhile: "Traded with" is theirs. */
  by?: string | undefined;
};

/**
 * Keeps a trade until someone signs in here; the same trade is kept once, and one that a visitor kept becomes that of
 * the user whose session ended. False if it stays as it was kept before.
 */
export function keepForSignIn(search: string, trade: NewTrade, by?: string): boolean {
  window.addEventListener("storage", noteMovedElsewhere);
  const kept = readKeptJson("visitorTrade", search) as Pick<VisitorTrade, "id" | "by"> | null;
  if (kept && (kept.by || !by)) return false;
  writeKept("visitorTrade", JSON.stringify({ id: kept?.id ?? crypto.randomUUID(), trade, by }), search);
  return true;
}

/** The link of the email that confirms an account opens another tab, which then moves the trade. */
function noteMovedElsewhere({ key, oldValue, newValue }: StorageEvent): void {
  const { key: prefix } = KEPT.visitorTrade;
  if (key?.startsWith(prefix) && newValue === null && oldValue !== REFUSED)
    noteMoved(key.slice(prefix.length));
}

/** Takes the place of a trade that can never be saved before it is removed: other tabs would take it for saved. */
const REFUSED = "null";

export function listVisitorTrades(): VisitorTrade[] {
  return listKept("visitorTrade").flatMap((search) => {
    const kept = readKeptJson("visitorTrade", search) as Omit<VisitorTrade, "search"> | null;
    if (kept) return [{ search, ...kept }];
    writeKept("visitorTrade", null, search);
    return [];
  });
}

/** The trades moved into this user's history while this page is open. */
export const movedTrades = createUsersStore<ReadonlySet<string>>(new Set());

/** Removes a kept trade, because it was saved or never can be. */
export function forgetVisitorTrade(search: string, isSaved: boolean): void {
  if (!isSaved) writeKept("visitorTrade", REFUSED, search);
  writeKept("visitorTrade", null, search);
  if (isSaved) noteMoved(search);
}

function noteMoved(search: string): void {
  movedTrades.set(new Set(movedTrades.current()).add(search));
}
