import { ChangeText } from "#app/features/items/change-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { VIEW_MODE_LABELS } from "#domain/values/view-mode.ts";
import type { HistoryStep } from "./history-steps.ts";

/** How many changes are visible below a chart; older ones expand on demand. */
const OPEN = 4;

/** A value's changes, newest first, each with its reason and source. */
export function StepList({ steps }: { steps: readonly HistoryStep[] }) {
  const older = steps.slice(OPEN);
  return (
    <>
      <Steps steps={steps.slice(0, OPEN)} hasTargets />
      {older.length > 0 && (
        <details className="disclosure">
          <summary>{older.length === 1 ? "1 older change" : `${older.length} older changes`}</summary>
          <Steps steps={older} hasTargets />
        </details>
      )}
    </>
  );
}

/** `hasTargets`: includes the anchors to which the chart's marks link without scripts; only once per page. */
export function Steps({
  steps,
  hasTargets = false,
}: {
  steps: readonly HistoryStep[];
  hasTargets?: boolean;
}) {
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step.id} id={hasTargets ? `change-${step.id}` : undefined}>
          <p className="figures">
            <time dateTime={new Date(step.time).toISOString()}>{step.date}</time>{" "}
            <span className="step-mode">{VIEW_MODE_LABELS[step.mode]}</span>
          </p>
          <p className="figures step-move">
            {step.from === null ? (
              "First known value: "
            ) : (
              <>
                <FigureText text={step.from} /> <span aria-hidden="true">→</span>
                <span className="sr-only">to</span>{" "}
              </>
            )}
            <strong>
              <FigureText text={step.to} />
            </strong>{" "}
            {step.change && <ChangeText {...step.change} />}
          </p>
          <p className="step-why">{step.why}</p>
          <p className="step-source">
            Source: {step.source}.{" "}
            <EvidenceLink href={step.evidence} picture={step.picture} item={`${step.to} on ${step.date}`} />
          </p>
        </li>
      ))}
    </ol>
  );
}
