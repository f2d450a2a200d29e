import { useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";
import type { ReturnState } from "#app/features/session/return-path.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { keepForSignIn, movedTrades, subscribeToMoved } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { isSavable, saveTrade, toTrade } from "./save-trade.ts";

type SaveTradeProps = { yours: Offer; theirs: Offer };

/** Save Trade with whom it was with (2.calc.18, P35); a visitor gets the way to sign in and back here instead, with it (P59). */
export function SaveTradeForm(offers: SaveTradeProps) {
  const { pathname, search } = useLocation();
  if (useSession().session) return <SignedInForm {...offers} />;
  return (
    <Link
      to="/auth"
      state={{ returnTo: pathname + search } satisfies ReturnState}
      className="verdict-login link"
      onClick={() => isSavable(offers) && keepForSignIn(search, toTrade(offers))}
    >
      Log in to keep this trade
    </Link>
  );
}

/** As long as a saved trade's button rests, so that an impatient second press does not save it again. */
const REST_MS = 700;

function SignedInForm({ yours, theirs }: SaveTradeProps) {
  const { search } = useLocation();
  const [saved, setSaved] = useState<string | null>(null);
  const isMoved = useSyncExternalStore(subscribeToMoved, movedTrades, movedTrades).has(search);
  const { form, button } = useSessionForm({
    send: (client, { partner }) => saveTrade(client, { yours, theirs, partner: String(partner) }),
    async done(_answer, _input, element) {
      element.reset();
      setSaved(search);
      showToast({ title: "Success", description: "Trade saved to history" });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    },
  });

  return (
    <Form {...form} className="contents">
      <TextField label="Traded with" name="partner" autoComplete="off" maxLength={PARTNER_MAX} />
      <Button {...button} variant="primary">
        Save Trade
      </Button>
      {(saved === search || isMoved) && (
        <Link to="/history" className="verdict-login link">
          Saved. See it in your history
        </Link>
      )}
    </Form>
  );
}
