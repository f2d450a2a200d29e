import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { tradeGuide } from "#domain/trade-guide.ts";
import { formatNumber } from "#domain/value-text.ts";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/view-mode.ts";

/** What is fair, what to offer and what to ask, by the value of the mode shown. */
export function TradeReference({ value, mode }: { value: number | null; mode: ViewMode }) {
  const guide = tradeGuide(value);
  return (
    <Card as="section" aria-labelledby="trade-reference">
      <CardTitle id="trade-reference">Trade Reference Guide</CardTitle>
      {guide ? (
        <dl className="grid gap-3">
          <Stat label="Fair Trade Range">
            {formatNumber(guide.fairLow)} to {formatNumber(guide.fairHigh)}
          </Stat>
          <Stat label="Recommended Offer (Buying)">{formatNumber(guide.offer)}</Stat>
          <Stat label="Recommended Ask (Selling)">{formatNumber(guide.ask)}</Stat>
        </dl>
      ) : (
        <p className="text-muted">
          There is no {VIEW_MODE_LABELS[mode].toLowerCase()} value yet to reckon from.
        </p>
      )}
    </Card>
  );
}
