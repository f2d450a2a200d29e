import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { notifyOtherTabs } from "#app/features/live/other-tabs.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { type AttemptId, useAttemptId } from "#app/features/session/use-attempt-id.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { insertTradeOnce, PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { movedTrades } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { Form } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextField } from "#app/ui/form/text-field.tsx";
import { useStore } from "#app/ui/store.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { draftOf, interrupted, type Sides, toTrade } from "./savable-trade.ts";
import type { SaveState } from "./save-button.tsx";

type SaveTradeFormProps = {
  /** The id by which its button references it. */
  id: string;
  userId: string;
  yours: Offer;
  theirs: Offer;
  /** Called when the form is ready, and when it starts or stops saving; null when it unmounts. */
  onState: (state: SaveState | null) => void;
};

/** How long the button is disabled after saving, so that an impatient second press does not save again. */
const REST_MS = 700;

/** Saves the trade, with the optional partner (2.calc.18, P35), when the strip's Save Trade is pressed. */
export default function SaveTradeForm({ id, userId, yours, theirs, onState }: SaveTradeFormProps): ReactNode {
  const { search } = useLocation();
  const [saved, setSaved] = useState<string | null>(null);
  const isMoved = useStore(movedTrades).has(search);
  const isSaved = isMoved || saved === search;
  // After a visit to another page, the same trade is another one.
  const attempt = useAttemptId();
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, draftOf(userId));
  const { form, isBusy } = useSessionForm({
    send: (client, { partner }) => saveTrade(client, { yours, theirs, partner: String(partner) }, attempt),
    async done(_answer, _input, sent) {
      sent.reset();
      forget();
      setSaved(search);
      showToast({ title: "Success", description: "Trade saved to history" });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    },
  });
  useEffect(() => {
    onState({ isBusy, isSaved });
    return () => onState(null);
  }, [isBusy, isSaved, onState]);

  useEffect(() => {
    interrupted.userId = null;
    return () => {
      const { session, isLeaving } = currentSession();
      if (!session && !isLeaving) interrupted.userId = userId;
    };
  }, [userId]);

  return (
    <Form {...form} ref={element} id={id} className="verdict-saving">
      <TextField label="Traded with" name="partner" autoComplete="off" maxLength={PARTNER_MAX} />
      {isSaved && (
        <Link to="/history" className="text-center text-[0.9375rem] link">
          Saved. See it in your history
        </Link>
      )}
    </Form>
  );
}

type Saving = Sides & { partner: string };

/**
 * Saves the trade. The slots stay as they are in any case.
 * @throws FormError with the reason why it was not saved (8.error.03 to .06)
 */
async function saveTrade(
  client: SessionClient,
  { yours, theirs, partner }: Saving,
  attempt: AttemptId,
): Promise<void> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw new FormError(FAILED);
  if (!session) throw signedOut();
  if (yours.sum.filled === 0 || theirs.sum.filled === 0) {
    throw invalid("Both sides must have at least one item");
  }
  const [unknown] = [...yours.unknown, ...theirs.unknown];
  if (unknown) throw invalid(`There's no item called ${unknown}`);
  const trade = { ...toTrade({ yours, theirs }), trade_partner_email: partner.trim() || null };
  const tradeId = attempt.idOf([session.user.id, trade]);
  const { error, status } = await insertTradeOnce(client, session.user.id, tradeId, trade);
  if (isSignedOutStatus(status)) {
    await endSession(client);
    throw signedOut();
  }
  if (error) throw new FormError(explain(error));
  attempt.forget();
  notifyOtherTabs("trade_history");
}

const FAILED = "Failed to save trade";

const invalid = (sentence: string) => new FormError(sentence, { title: "Invalid Trade" });

const signedOut = () =>
  new FormError("Please sign in to save trade history", { title: "Authentication Required" });

/** The database explains a full history in a sentence; other violations it names in developers' terms only. */
function explain({ code, message }: { code: string; message: string }): string {
  const isSentence = code === "23514" && !message.includes("violates");
  return isSentence ? `${FAILED}. ${message}.` : FAILED;
}
