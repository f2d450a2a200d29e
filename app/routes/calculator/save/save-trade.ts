import { tellOtherTabs } from "#app/features/live/other-tabs.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { insertTrade, type NewTrade } from "#app/features/trade-history/trade-queries.ts";
import type { FilledSlot, Offer } from "#app/features/trades/offer.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import type { TradeEntry } from "#domain/trades/trade-lines.ts";

type Sides = { yours: Offer; theirs: Offer };
type Saving = Sides & { partner: string };

/**
 * Saves the trade. The slots stay as they are whatever happens.
 * @throws FormError which says why it was not saved (8.error.03 to .06)
 */
export async function saveTrade(client: SessionClient, { yours, theirs, partner }: Saving): Promise<void> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw new FormError(FAILED);
  if (!session) throw signedOut();
  if (yours.sum.filled === 0 || theirs.sum.filled === 0) {
    throw invalid("Both sides must have at least one item");
  }
  const [unknown] = [...yours.unknown, ...theirs.unknown];
  if (unknown) throw invalid(`We know no item called ${unknown}`);
  const trade = { ...toTrade({ yours, theirs }), trade_partner_email: partner.trim() || null };
  const { error, status } = await insertTrade(client, session.user.id, trade);
  if (isSignedOutStatus(status)) {
    await endSession(client);
    throw signedOut();
  }
  if (error) throw new FormError(explain(error));
  tellOtherTabs("trade_history");
}

/** Whether the trade could be saved as it stands, by somebody who is signed in. */
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

const FAILED = "Failed to save trade";

const invalid = (sentence: string) => new FormError(sentence, { title: "Invalid Trade" });

const signedOut = () =>
  new FormError("Please sign in to save trade history", { title: "Authentication Required" });

/** The database says in a sentence when there is no room for more; its other rules it names in words for developers. */
function explain({ code, message }: { code: string; message: string }): string {
  const isSentence = code === "23514" && !message.includes("violates");
  return isSentence ? `${FAILED}. ${message}.` : FAILED;
}

function toEntries({ filled }: Offer): TradeEntry[] {
  return filled.map(toEntry);
}

function toEntry({ item, mode }: FilledSlot): TradeEntry {
  const value = mode === "permanent" ? item.permanent_value : item.current_value;
  return { id: item.id, name: item.name, value, viewMode: mode };
}
