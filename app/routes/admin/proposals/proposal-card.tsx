import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/card.tsx";
import { ProposalDiff, ProposalReason } from "./proposal-diff.tsx";
import type { Names, Proposal } from "./proposal-queries.ts";

const WHY: Record<string, string> = {
  large: "Large change",
  dear: "One of the dearest items",
  new_editor: "New editor",
};

export type Decision = "approve" | "reject" | "withdraw";

type ProposalCardProps = {
  proposal: Proposal;
  names: Names;
  /** Nobody approves their own. */
  isOwn: boolean;
  isBusy: boolean;
  /** Whether it is selected for a common decision. */
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
  onDecide(decision: Decision, proposal: Proposal): void;
};

/** One proposal: what, why, by whom, and the available actions. */
export function ProposalCard(props: ProposalCardProps) {
  const { proposal, names, isOwn, isBusy, isChosen, onChoose, onDecide } = props;
  const { id, why, proposed_by, proposed_as, proposed_at, items: item, set_id } = proposal;
  const by = names.get(proposed_by ?? "") ?? "Somebody whose account is gone";
  return (
    <Card as="li" className="desk-case grid content-start gap-3" data-case={id} tabIndex={-1}>
      {!isOwn && (
        <label className="inline-flex min-h-11 cursor-pointer items-center gap-2 justify-self-start">
          <input
            type="checkbox"
            className="size-5 accent-accent-text"
            data-key="x"
            aria-keyshortcuts="x"
            aria-label={`Choose ${item.name}, ${labelOf(proposal.field)}`}
            checked={isChosen}
            onChange={({ target }) => onChoose(target.checked)}
          />
          <span aria-hidden="true">
            <span className="desk-key">x</span>Choose
          </span>
        </label>
      )}
      <ProposalDiff proposal={proposal} />
      <ProposalReason proposal={proposal} />
      <p className="text-muted text-sm">
        {isOwn ? "By you" : by}
        {proposed_as && `, ${proposed_as}`}, <Moment at={proposed_at} />
        {set_id && ", in a set"}
      </p>
      {why && (
        <div>
          <Badge tone="accent">{WHY[why]}</Badge>
        </div>
      )}
      <div className="desk-actions" role="toolbar" aria-label={`What to do about ${item.name}`}>
        {isOwn ? (
          <DeskButton size="sm" press={1} disabled={isBusy} onClick={() => onDecide("withdraw", proposal)}>
            Withdraw
          </DeskButton>
        ) : (
          <>
            <DeskButton
              size="sm"
              press={1}
              variant="primary"
              disabled={isBusy}
              onClick={() => onDecide("approve", proposal)}
            >
              Approve
            </DeskButton>
            <DeskButton size="sm" press={2} disabled={isBusy} onClick={() => onDecide("reject", proposal)}>
              Reject
            </DeskButton>
          </>
        )}
      </div>
    </Card>
  );
}
