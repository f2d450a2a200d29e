import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { movedTrades } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { useStore } from "#app/ui/store.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { SaveState } from "./save-button.tsx";
import { saveTrade } from "./save-trade.ts";

type SaveTradeFormProps = {
  /** The id by which its button references it. */
  id: string;
  yours: Offer;
  theirs: Offer;
  /** Called when the form is ready, and when it starts or stops saving; null when it unmounts. */
  onState: (state: SaveState | null) => void;
};

/** How long the button is disabled after saving, so that an impatient second press does not save again. */
const REST_MS = 700;

/** Saves the trade, with the optional partner (2.calc.18, P35), when the strip's Save Trade is pressed. */
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
