import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import type { ShownDemand } from "./shown-demands.ts";

/** When demand and status changed, and why; renders nothing if they never did. */
export function DemandHistory({ demands }: { demands: readonly ShownDemand[] }) {
  if (demands.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="demand-history">
      <CardTitle id="demand-history">Demand History</CardTitle>
      <ol className="steps">
        {demands.map(({ id, day, text, why, by, evidence, picture }) => (
          <li key={id}>
            <p className="figures">{day}</p>
            <p className="step-move">{text}</p>
            <p className="step-why">{why}</p>
            {(by || evidence || picture) && (
              <p className="step-source">
                {by && `${by}. `}
                <EvidenceLink href={evidence} picture={picture} item={text} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
