import { describeProposal } from "#app/routes/admin/proposals/proposal-diff.tsx";
import type { Proposal } from "#app/routes/admin/proposals/proposal-queries.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";

type SetValuesProps = {
  values: readonly Proposal[];
  canTakeOut?(value: Proposal): boolean;
  onTakeOut?(value: Proposal): void;
};

/** The values of a set, before and after. */
export function SetValues({ values, canTakeOut, onTakeOut }: SetValuesProps) {
  if (values.length === 0) return <p className="text-muted">No values yet.</p>;
  return (
    <ul className="grid gap-1" aria-label="Values">
      {values.map((value) => (
        <li key={value.id} className="wrap-anywhere">
          <strong>{value.items.name}</strong>{" "}
          <span className="text-muted text-sm">{labelOf(value.field)}</span>{" "}
          <span className="figures">{describeProposal(value)}</span>{" "}
          {value.state === "waiting" && <Badge tone="accent">Waits for a second person</Badge>}
          {canTakeOut?.(value) && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Take out ${value.items.name}`}
              onClick={() => onTakeOut?.(value)}
            >
              Take out
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
