import { ChangeText, NotEnoughData, TrendMark } from "#app/features/items/change-text.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import type { ShownMode } from "./shown-mode.ts";

/** What the value did since the previous one, in the mode shown. */
export function ValueAnalysis({ change }: Pick<ShownMode, "change">) {
  return (
    <Card as="section" aria-labelledby="value-analysis">
      <CardTitle id="value-analysis">Value Change Analysis</CardTitle>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-6">
        <Stat size="big" label="Change">
          {change ? <ChangeText trend={change.trend} text={change.amount} /> : <NotEnoughData />}
        </Stat>
        <Stat size="big" label="Percentage">
          {change ? change.percentage : <NotEnoughData />}
        </Stat>
        <Stat size="big" label="Trend">
          {change ? (
            <>
              <TrendMark trend={change.trend} /> {change.trend}
            </>
          ) : (
            <NotEnoughData />
          )}
        </Stat>
      </dl>
    </Card>
  );
}
