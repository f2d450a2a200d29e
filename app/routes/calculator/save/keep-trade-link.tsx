import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import type { ReturnState } from "#app/features/session/return-path.ts";
import { keepForSignIn } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { draftOf, interrupted, isSavable, toTrade } from "./savable-trade.ts";

/** Lets visitors sign in and come back with the trade (P59). */
export default function KeepTradeLink(offers: { yours: Offer; theirs: Offer }): ReactNode {
  const { pathname, search } = useLocation();
  return (
    <LinkButton
      to="/auth"
      state={{ returnTo: pathname + search } satisfies ReturnState}
      onClick={() => {
        if (!isSavable(offers)) return;
        const { userId } = interrupted;
        const partner = userId && readPartner(userId);
        const trade = { ...toTrade(offers), trade_partner_email: partner };
        if (keepForSignIn(search, trade, userId ?? undefined) && userId)
          writeKept("typedTexts", null, draftOf(userId));
      }}
    >
      <span>
        Log in to keep<span className="wide"> this trade</span>
      </span>
    </LinkButton>
  );
}

/** What the user whose session ended here typed into "Traded with"; it goes with the trade instead of into the form. */
function readPartner(userId: string): string | null {
  const kept = readKeptJson("typedTexts", draftOf(userId)) as { partner?: string } | null;
  return kept?.partner?.trim() || null;
}
