import { describeProposal } from "#app/routes/admin/proposals/proposal-diff.tsx";
import type { Proposal } from "#app/routes/admin/proposals/proposal-queries.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { countOf } from "#domain/text/counts.ts";

type SetValuesProps = {
  values: readonly Proposal[];
  canTakeOut?(value: Proposal): boolean;
  onTakeOut?(value: Proposal): void;
};

/** From this many values on, a set among others shows only their number until it is opened. */
const MANY = 6;

/** The values of a set among others. */
export function FoldedValues({ values }: Pick<SetValuesProps, "values">) {
  if (values.length < MANY) return <SetValues values={values} />;
  return (
    <Disclosure question={countOf(values.length, "value", "values")}>
      <SetValues values={values} />
    </Disclosure>
  );
}

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
