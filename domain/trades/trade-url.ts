import { SLUG_PATTERN } from "../text/slug.ts";
import type { ViewMode } from "../values/view-mode.ts";

/** Slots on each side of the calculator. */
export const SLOTS_PER_SIDE = 9;

/** The contents of a calculator slot: an item's slug and a mode; null if empty. */
export type TradeSlot = { slug: string; mode: ViewMode } | null;

/** Both sides of a trade, nine slots each. */
export type Trade = { you: TradeSlot[]; them: TradeSlot[] };

export function emptyTrade(): Trade {
  return {
    you: Array<TradeSlot>(SLOTS_PER_SIDE).fill(null),
    them: Array<TradeSlot>(SLOTS_PER_SIDE).fill(null),
  };
}

/**
 * Parses a trade from a URL query such as `?you=kitsune,,control.p&them=tiger` (P10): slots are separated by commas and
 * may be empty, `.p` means permanent. Never throws: invalid slots are empty, and excess ones are left out.
 */
export function parseTrade(query: string | URLSearchParams): Trade {
  const params = new URLSearchParams(query);
  return { you: parseSide(params.get("you")), them: parseSide(params.get("them")) };
}

/** A trade's query, including the question mark; empty for an empty trade. Avoids percent-encoding. */
export function formatTrade(trade: Trade): string {
  const sides = (["you", "them"] as const).map((side) => [side, formatSide(trade[side])] as const);
  const query = sides.filter(([, slots]) => slots !== "").map(([side, slots]) => `${side}=${slots}`);
  return query.length > 0 ? `?${query.join("&")}` : "";
}

function parseSide(text: string | null): TradeSlot[] {
  const slots = (text ?? "").split(",", SLOTS_PER_SIDE).map(parseSlot);
  return [...slots, ...Array<TradeSlot>(SLOTS_PER_SIDE - slots.length).fill(null)];
}

function parseSlot(text: string): TradeSlot {
  const [slug = "", mode] = text.trim().toLowerCase().split(".");
  return SLUG_PATTERN.test(slug) ? { slug, mode: mode === "p" ? "permanent" : "regular" } : null;
}

function formatSide(slots: readonly TradeSlot[]): string {
  return slots.map(formatSlot).join(",").replace(/,+$/, "");
}

function formatSlot(slot: TradeSlot): string {
  if (!slot) return "";
  return slot.mode === "permanent" ? `${slot.slug}.p` : slot.slug;
}
