import { useId } from "react";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDateTime } from "#domain/text/dates.ts";
import type { TradeResult } from "#domain/trades/trade-result.ts";
import { formatNumber } from "#domain/values/value-text.ts";
import type { SavedTrade } from "./saved-trade.ts";
import { TradeSide } from "./trade-side.tsx";

type TradeCardProps = {
  trade: SavedTrade;
  configuration: PageConfiguration;
  /** Called with the trade to delete, for the question to name it. */
  onDelete: (trade: SavedTrade) => void;
};

/** A saved trade: partner and date, both offers, the result, and the result by today's values (2.history.03 to .10). */
export function TradeCard({ trade, configuration, onDelete }: TradeCardProps) {
  const id = useId();
  return (
    <li className="trade-card card card-pad">
      <article className="grid min-w-0 gap-4" aria-labelledby={`${id}-partner ${id}-time`}>
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b-4 border-double pb-3">
          <div className="min-w-0">
            <h2 id={`${id}-partner`} className="text-xl wrap-anywhere">
              {trade.partner || "Trade Calculation"}
            </h2>
            <p id={`${id}-time`} className="text-sm text-muted">
              <time dateTime={trade.savedAt}>{formatDateTime(trade.savedAt, ZONE)}</time>
            </p>
          </div>
          <p className="trade-result font-bold font-display text-[1.375rem]/[1.2]">
            <span className="sr-only">Result: </span>
            <TradeResultText result={trade.result} />
          </p>
        </header>
        <div className="trade-sides">
          <TradeSide title="Your Offer" side={trade.yours} configuration={configuration} />
          <TradeSide title="Their Offer" side={trade.theirs} configuration={configuration} />
        </div>
        <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t-2 border-dotted pt-3">
          {trade.today && (
            <p>
              By today’s values: <TradeResultText result={trade.today} className="font-bold" />
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            {trade.query && (
              <LinkButton size="sm" to={`/calculator${trade.query}`} prefetch="intent">
                Open in Calculator
              </LinkButton>
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-describedby={`${id}-partner ${id}-time`}
              onClick={() => onDelete(trade)}
            >
              Delete
            </Button>
          </div>
        </footer>
      </article>
    </li>
  );
}

/** The list is rendered in the browser only, so there is no server time zone to agree with (P36). */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const TONES: Record<TradeResult["result"], string> = {
  Profit: "text-rise",
  Loss: "text-fall",
  "Fair Trade": "text-medium",
  "Not judged": "text-muted",
};

/** A result with its difference, without a sign (2.history.07 to .09): `Profit 30M`. */
function TradeResultText({ result, className }: { result: TradeResult; className?: string }) {
  return (
    <span className={classNames(TONES[result.result], className)}>
      {result.result}
      {result.difference !== null && result.difference > 0 && (
        <span className="figures"> {formatNumber(result.difference)}</span>
      )}
    </span>
  );
}
