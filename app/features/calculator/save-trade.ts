import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import { type BackendAddress, openSession } from "#app/features/session/open-session.ts";
import { tellOtherTabs } from "#app/features/trade-history/trade-news.ts";
import { insertTrade } from "#app/features/trade-history/trade-queries.ts";
import { showToast } from "#app/ui/toast-store.ts";
import type { TradeEntry } from "#domain/trade-lines.ts";
import type { FilledSlot, Offer } from "./offer.ts";

type Saving = { backend: BackendAddress; yours: Offer; theirs: Offer; partner: string };

/**
 * Saves the trade and says what came of it (5.save.01, 8.error.03 to .06). The slots stay as they are whatever happens.
 * True when it is stored.
 */
export async function saveTrade({ backend, yours, theirs, partner }: Saving): Promise<boolean> {
  try {
    const client = await openSession(backend);
    const { session, isUnreachable } = await readLiveSession(client);
    if (isUnreachable) return refuse(FAILED);
    if (!session) return refuse(SIGNED_OUT);
    if (yours.sum.filled === 0 || theirs.sum.filled === 0) return refuse(ONE_SIDED);
    const { error, status } = await insertTrade(client, session.user.id, {
      your_items: toEntries(yours),
      their_items: toEntries(theirs),
      your_total: yours.sum.total,
      their_total: theirs.sum.total,
      trade_partner_email: partner.trim() || null,
    });
    if (isSignedOutStatus(status)) {
      await endSession(client);
      return refuse(SIGNED_OUT);
    }
    if (error) return refuse(explain(error));
  } catch {
    return refuse(FAILED);
  }
  showToast({ title: "Success", description: "Trade saved to history" });
  tellOtherTabs({ saved: true });
  return true;
}

const FAILED = { title: "Error", description: "Failed to save trade" };
const SIGNED_OUT = {
  title: "Authentication Required",
  description: "Please sign in to save trade history",
};
const ONE_SIDED = { title: "Invalid Trade", description: "Both sides must have at least one item" };

/** The database says in a sentence when there is no room for more; its other rules it names in words for developers. */
function explain({ code, message }: { code: string; message: string }) {
  const isSentence = code === "23514" && !message.includes("violates");
  return isSentence ? { ...FAILED, description: `${FAILED.description}. ${message}.` } : FAILED;
}

function refuse(notice: { title: string; description: string }): false {
  showToast({ ...notice, variant: "destructive" });
  return false;
}

function toEntries({ slots }: Offer): TradeEntry[] {
  return slots.filter((slot) => slot !== null).map(toEntry);
}

function toEntry({ item, mode }: FilledSlot): TradeEntry {
  const value = mode === "permanent" ? item.permanent_value : item.current_value;
  return { id: item.id, name: item.name, value, viewMode: mode };
}
