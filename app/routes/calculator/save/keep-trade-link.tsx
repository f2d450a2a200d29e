import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { ReturnState } from "#app/features/session/return-path.ts";
import { keepForSignIn } from "#app/features/trade-history/visitor-trades.ts";
import type { Offer } from "#app/features/trades/offer.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { isSavable, toTrade } from "./savable-trade.ts";

/** Lets visitors sign in and come back with the trade (P59). */
export default function KeepTradeLink(offers: { yours: Offer; theirs: Offer }): ReactNode {
  const { pathname, search } = useLocation();
  return (
    <LinkButton
      to="/auth"
      state={{ returnTo: pathname + search } satisfies ReturnState}
      onClick={() => isSavable(offers) && keepForSignIn(search, toTrade(offers))}
    >
      <span>
        Log in to keep<span className="wide"> this trade</span>
      </span>
    </LinkButton>
  );
}
