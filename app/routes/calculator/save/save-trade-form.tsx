import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { movedTrades } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { Form } from "#app/ui/form/form.tsx";
import { useStore } from "#app/ui/store.ts";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { SaveState } from "./save-button.tsx";
import { saveTrade } from "./save-trade.ts";

type SaveTradeFormProps = {
  /** By which its button knows it. */
  id: string;
  yours: Offer;
  theirs: Offer;
  /** Told that the form is there for its button, and when it is at work; null when it is gone. */
  onState: (state: SaveState | null) => void;
};

/** As long as a saved trade's button rests, so that an impatient second press does not save it again. */
const REST_MS = 700;

/** Saves the trade, with whom it was with (2.calc.18, P35), at the press of the strip's Save Trade. */
export function SaveTradeForm({ id, yours, theirs, onState }: SaveTradeFormProps) {
  const { search } = useLocation();
  const [saved, setSaved] = useState<string | null>(null);
  const isMoved = useStore(movedTrades).has(search);
  const { form, isBusy } = useSessionForm({
    send: (client, { partner }) => saveTrade(client, { yours, theirs, partner: String(partner) }),
    async done(_answer, _input, element) {
      element.reset();
      setSaved(search);
      showToast({ title: "Success", description: "Trade saved to history" });
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    },
  });
  useEffect(() => {
    onState({ isBusy });
    return () => onState(null);
  }, [isBusy, onState]);

  return (
    <Form {...form} id={id} className="verdict-saving">
      <TextField label="Traded with" name="partner" autoComplete="off" maxLength={PARTNER_MAX} />
      {(saved === search || isMoved) && (
        <Link to="/history" className="verdict-saved link">
          Saved. See it in your history
        </Link>
      )}
    </Form>
  );
}
