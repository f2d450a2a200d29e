import { classNames } from "#app/ui/class-names.ts";
import type { TradeResult } from "#domain/trade-result.ts";
import { formatNumber } from "#domain/value-text.ts";

const TONES: Record<TradeResult["result"], string> = {
  Profit: "text-rise",
  Loss: "text-fall",
  "Fair Trade": "text-medium",
  "Not judged": "text-muted",
};

/** A result with its difference, without a sign (2.history.07 to .09): `Profit 30M`. */
export function TradeResultText({ result, className }: { result: TradeResult; className?: string }) {
  return (
    <span className={classNames(TONES[result.result], className)}>
      {result.result}
      {result.difference !== null && result.difference > 0 && (
        <span className="figures"> {formatNumber(result.difference)}</span>
      )}
    </span>
  );
}
