import type { NewTrade } from "#app/features/trade-history/trade-queries.ts";
import type { FilledSlot, Offer } from "#app/features/trades/offer.ts";
import type { TradeEntry } from "#domain/trades/trade-lines.ts";

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
