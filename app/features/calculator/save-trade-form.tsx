import { type MouseEvent, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import type { ReturnState } from "#app/features/session/return-path.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Offer } from "./offer.ts";
import { saveTrade } from "./save-trade.ts";

type SaveTradeProps = { yours: Offer; theirs: Offer };

/** Save Trade with whom it was with (2.calc.18, decision 35); a visitor gets the way to sign in and back here instead. */
export function SaveTradeForm(offers: SaveTradeProps) {
  const { pathname, search } = useLocation();
  if (useSession().session) return <SignedInForm {...offers} />;
  return (
    <Link
      to="/auth"
      state={{ returnTo: pathname + search } satisfies ReturnState}
      className="verdict-login link"
    >
      Log in to keep this trade
    </Link>
  );
}

/** As long as a saved trade's button rests, so that an impatient second press does not save it again. */
const REST_MS = 700;

function SignedInForm({ yours, theirs }: SaveTradeProps) {
  const backend = useSiteConfig();
  const { search } = useLocation();
  const [partner, setPartner] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const isUnderWay = useRef(false);

  async function save(event: MouseEvent) {
    // The second press of a double click is no second trade.
    if (isUnderWay.current || event.detail > 1) return;
    isUnderWay.current = true;
    setBusy(true);
    const isSaved = await saveTrade({ backend, yours, theirs, partner });
    if (isSaved) {
      setPartner("");
      setSaved(search);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
    isUnderWay.current = false;
    setBusy(false);
  }

  return (
    <>
      <TextField
        label="Traded with"
        name="partner"
        autoComplete="off"
        maxLength={PARTNER_MAX}
        value={partner}
        onChange={(event) => setPartner(event.target.value)}
      />
      <Button variant="primary" aria-disabled={isBusy} onClick={save}>
        Save Trade
      </Button>
      {saved === search && (
        <Link to="/history" className="verdict-login link">
          Saved. See it in your history
        </Link>
      )}
    </>
  );
}
