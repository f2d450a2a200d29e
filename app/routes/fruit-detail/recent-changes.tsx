import { ChangeText } from "#app/features/items/change-text.tsx";
import { DateText } from "#app/features/items/date-text.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { formatStep, latestSteps } from "#app/features/items/history/describe-history.ts";
import type { ValueSeries } from "#app/features/items/history/value-series.ts";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { valueChange } from "#domain/value-change.ts";
import { VIEW_MODE_LABELS } from "#domain/view-mode.ts";

const SHOWN = 6;

/** The latest changes from the ledger, both modes, newest first. */
export function RecentChanges({ history }: { history: ValueSeries }) {
  const steps = latestSteps(history, SHOWN);
  if (steps.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="recent-changes">
      <CardTitle id="recent-changes">Recent Changes</CardTitle>
      <ol className="figures grid gap-2.5 text-sm">
        {steps.map((step) => (
          <li key={`${step.mode} ${step.time}`} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
            <span className="text-muted">
              <DateText date={new Date(step.time).toISOString()} />
            </span>
            <span className="text-right">{VIEW_MODE_LABELS[step.mode]}</span>
            <span>
              <FigureText text={formatStep(step.from)} /> <span aria-hidden="true">→</span>
              <span className="sr-only">to</span>{" "}
              <strong>
                <FigureText text={formatStep(step.to)} />
              </strong>
            </span>
            <span className="text-right font-semibold">
              <ChangeText change={valueChange(step.to, step.from)} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
