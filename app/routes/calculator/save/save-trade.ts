import { notifyOtherTabs } from "#app/features/live/other-tabs.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { insertTrade } from "#app/features/trade-history/trade-queries.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { type Sides, toTrade } from "./savable-trade.ts";

type Saving = Sides & { partner: string };

/**
 * Saves the trade. The slots stay as they are in any case.
 * @throws FormError with the reason why it was not saved (8.error.03 to .06)
 */
export async function saveTrade(client: SessionClient, { yours, theirs, partner }: Saving): Promise<void> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw new FormError(FAILED);
  if (!session) throw signedOut();
  if (yours.sum.filled === 0 || theirs.sum.filled === 0) {
    throw invalid("Both sides must have at least one item");
  }
  const [unknown] = [...yours.unknown, ...theirs.unknown];
  if (unknown) throw invalid(`There's no item called ${unknown}`);
  const trade = { ...toTrade({ yours, theirs }), trade_partner_email: partner.trim() || null };
  const { error, status } = await insertTrade(client, session.user.id, trade);
  if (isSignedOutStatus(status)) {
    await endSession(client);
    throw signedOut();
  }
  if (error) throw new FormError(explain(error));
  notifyOtherTabs("trade_history");
}

const FAILED = "Failed to save trade";

const invalid = (sentence: string) => new FormError(sentence, { title: "Invalid Trade" });

const signedOut = () =>
  new FormError("Please sign in to save trade history", { title: "Authentication Required" });

/**
 * The database explains a full history in a sentence; other constraint violations it names in developers' terms only.
 */
function explain({ code, message }: { code: string; message: string }): string {
  const isSentence = code === "23514" && !message.includes("violates");
  return isSentence ? `${FAILED}. ${message}.` : FAILED;
}
