import type { Draft } from "#app/features/browser-storage/kept.ts";
import type { NewTrade } from "#app/features/trade-history/trade-queries.ts";
import type { FilledSlot, Offer } from "#app/features/trades/offer.ts";
import type { TradeEntry } from "#domain/trades/trade-lines.ts";

/** The form's own name for its draft, by the user who types. */
export const draftOf = (userId: string): Draft => `trade by ${userId}`;

/** The user whose session ended while the form was open: what they typed goes with the trade through the sign-in. */
export const interrupted: { userId: string | null } = { userId: null };

export type Sides = { yours: Offer; theirs: Offer };

/** Whether a signed-in user could save the trade as it is. */
export function isSavable({ yours, theirs }: Sides): boolean {
  return [yours, theirs].every(({ sum, unknown }) => sum.filled > 0 && unknown.length === 0);
}

export function toTrade({ yours, theirs }: Sides): NewTrade {
  return {
    your_items: toEntries(yours),
    their_items: toEntries(theirs),
    your_total: yours.sum.total,
    their_total: theirs.sum.total,
    trade_partner_email: null,
  };
}

function toEntries({ filled }: Offer): TradeEntry[] {
  return filled.map(toEntry);
}

function toEntry({ item, mode }: FilledSlot): TradeEntry {
  const value = mode === "permanent" ? item.permanent_value : item.current_value;
  return { id: item.id, name: item.name, value, viewMode: mode };
}
