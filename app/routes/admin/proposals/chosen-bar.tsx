import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import type { Asked } from "./decide-dialog.tsx";
import type { Proposal } from "./proposal-queries.ts";

type ChosenBarProps = {
  chosen: readonly Proposal[];
  /** How many there are to choose from. */
  count: number;
  isBusy: boolean;
  onChooseAll(isChosen: boolean): void;
  onDecide(decision: Asked["decision"]): void;
};

/** How many proposals are chosen, and what can be done about all of them at once. */
export function ChosenBar({ chosen, count, isBusy, onChooseAll, onDecide }: ChosenBarProps) {
  const isIdle = isBusy || chosen.length === 0;
  return (
    <div className="chosen-bar" role="toolbar" aria-label="What to do about the chosen proposals">
      <CheckboxField
        label={`${chosen.length} of ${count} chosen`}
        aria-label="Choose all"
        checked={chosen.length === count}
        onChange={({ target }) => onChooseAll(target.checked)}
      />
      <DeskButton size="sm" press="a" variant="primary" disabled={isIdle} onClick={() => onDecide("approve")}>
        Approve chosen
      </DeskButton>
      <DeskButton size="sm" press="r" disabled={isIdle} onClick={() => onDecide("reject")}>
        Reject chosen
      </DeskButton>
    </div>
  );
}
