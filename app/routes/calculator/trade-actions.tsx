import { type ReactNode, useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { formatTrade } from "#domain/trades/trade-url.ts";
import type { TradeControls } from "./use-trade.ts";

type TradeActionsProps = {
  controls: TradeControls;
  /** Actions that only some users have, such as saving. */
  children?: ReactNode;
};

/**
 * Reset Calculator and the link to this trade (2.calc.17, P10), with an undo of what was removed. Labels for which a
 * phone has no room are read out there.
 */
export function TradeActions({ controls, children }: TradeActionsProps) {
  const isEmpty = formatTrade(controls.trade) === "";
  const { undo } = controls;
  const reset = useRef<HTMLButtonElement>(null);
  return (
    <div className="verdict-actions">
      {!isEmpty && (
        <Button onClick={share}>
          <span>
            Share<span className="wide"> this trade</span>
          </span>
        </Button>
      )}
      {!isEmpty && (
        <LinkButton to={`/chat${formatTrade(controls.trade)}`} prefetch="none">
          <span>
            <span className="wide">Send to </span>Chat
          </span>
        </LinkButton>
      )}
      {children}
      {/* Before Reset, which keeps the end: at a second quick tap the finger must not find Undo. */}
      {undo && (
        <Button
          onClick={() => {
            // This button is removed.
            reset.current?.focus();
            undo.run();
          }}
        >
          {undo.label}
        </Button>
      )}
      <Button ref={reset} variant="ghost" aria-disabled={isEmpty} onClick={() => isEmpty || controls.reset()}>
        <span>
          Reset<span className="wide"> Calculator</span>
        </span>
      </Button>
    </div>
  );
}

async function share() {
  const { sharePage } = await import("#app/features/sharing/share-page.ts");
  await sharePage("Anyone with the link can see this trade.");
}
