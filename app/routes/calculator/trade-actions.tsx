import { type ReactNode, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { formatTrade, type Trade } from "#domain/trades/trade-url.ts";
import type { TradeControls } from "./use-trade.ts";

type TradeActionsProps = {
  controls: TradeControls;
  /** What only some people may do with a trade, such as saving it. */
  children?: ReactNode;
};

/** Reset Calculator with a way back, and the link to this trade (2.calc.17, P10). */
export function TradeActions({ controls, children }: TradeActionsProps) {
  const [cleared, setCleared] = useState<Trade | null>(null);
  const isEmpty = formatTrade(controls.trade) === "";

  function reset() {
    if (isEmpty) return;
    setCleared(controls.trade);
    controls.reset();
  }

  return (
    <div className="verdict-actions">
      {children}
      {!isEmpty && (
        <Button onClick={async () => (await import("./share-trade.ts")).shareTrade()}>
          Share this trade
        </Button>
      )}
      {isEmpty && cleared && <Button onClick={() => controls.restore(cleared)}>Undo reset</Button>}
      <Button variant="ghost" aria-disabled={isEmpty} onClick={reset}>
        Reset Calculator
      </Button>
    </div>
  );
}
