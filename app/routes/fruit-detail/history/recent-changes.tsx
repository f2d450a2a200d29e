import { ChangeText, NotEnoughData } from "#app/features/items/change-text.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { formatChange, valueChange } from "#domain/values/value-change.ts";
import { VIEW_MODE_LABELS } from "#domain/values/view-mode.ts";
import { formatStep, type HistoryStep } from "./describe-history.ts";

/** Changes from the ledger, newest first: day, mode, from what to what, and by how much. */
export function RecentChanges({ steps }: { steps: readonly HistoryStep[] }) {
  return (
    <ol className="figures grid gap-2.5 text-sm">
      {steps.map((step) => (
        <li key={`${step.mode} ${step.time}`} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
          <time dateTime={new Date(step.time).toISOString()} className="text-muted">
            {formatDate(step.time)}
          </time>
          <span className="text-right">{VIEW_MODE_LABELS[step.mode]}</span>
          <span>
            <FigureText text={formatStep(step.from)} /> <span aria-hidden="true">→</span>
            <span className="sr-only">to</span>{" "}
            <strong>
              <FigureText text={formatStep(step.to)} />
            </strong>
          </span>
          <span className="text-right font-semibold">
            <StepChange step={step} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function StepChange({ step }: { step: HistoryStep }) {
  const change = valueChange(step.to, step.from);
  return change ? <ChangeText trend={change.trend} text={formatChange(change.change)} /> : <NotEnoughData />;
}
