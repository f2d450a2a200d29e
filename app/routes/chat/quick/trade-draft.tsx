import { useSearchParams } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { formatTrade, parseTrade, type Trade } from "#domain/trades/trade-url.ts";
import type { ChatItems } from "./quick-reads.ts";
import { TradeCard } from "./trade-card.tsx";

/** The trade that the calculator passed in the URL, without empty slots; null if there is none. */
export function useTradeDraft(): { trade: string | null; drop(): void } {
  const [params, setParams] = useSearchParams();
  const { you, them } = parseTrade(params);
  const packed: Trade = { you: you.filter(Boolean), them: them.filter(Boolean) };
  return {
    trade: formatTrade(packed).slice(1) || null,
    drop: () => setParams({}, { replace: true, preventScrollReset: true }),
  };
}

type TradeDraftProps = { trade: string; items: ChatItems | null; onSend(): void; onDrop(): void };

/** Asks for confirmation before everyone sees it. */
export function TradeDraft({ trade, items, onSend, onDrop }: TradeDraftProps) {
  return (
    <section className="chat-trade-draft" aria-label="Your trade">
      <TradeCard trade={trade} isOwn items={items} text="Your trade" />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={onDrop}>
          Not now
        </Button>
        <Button variant="primary" onClick={onSend}>
          Send this trade
        </Button>
      </div>
    </section>
  );
}
