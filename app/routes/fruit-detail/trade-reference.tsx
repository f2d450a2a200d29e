import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import type { ViewMode } from "#domain/values/view-mode.ts";
import type { ShownMode } from "./shown-mode.ts";

/** What is fair, what to offer and what to ask, by the value of the mode shown. */
export function TradeReference({ guide, mode }: Pick<ShownMode, "guide"> & { mode: ViewMode }) {
  return (
    <Card as="section" aria-labelledby="trade-reference">
      <CardTitle id="trade-reference">Trade Reference Guide</CardTitle>
      {guide ? (
        <dl className="grid gap-3">
          <Stat label="Fair Trade Range">{guide.fair}</Stat>
          <Stat label="Recommended Offer (Buying)">{guide.offer}</Stat>
          <Stat label="Recommended Ask (Selling)">{guide.ask}</Stat>
        </dl>
      ) : (
        <p className="text-muted">There is no {mode} value yet to reckon from.</p>
      )}
    </Card>
  );
}
