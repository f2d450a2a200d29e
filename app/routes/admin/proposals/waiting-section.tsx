import { memo, useCallback, useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useActsInTurn } from "#app/routes/admin/shared/use-act.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/card.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { type Asked, DecideDialog } from "./decide-dialog.tsx";
import { describeProposal, ProposalDiff, ProposalReason } from "./proposal-diff.tsx";
import { type Names, type Proposal, readWaiting } from "./proposal-queries.ts";

/** Proposals that wait for a second person, decided on one or several at a time, by keyboard or touch. */
export function WaitingSection() {
  const userId = useSession().session?.user.id;
  const waiting = useRead(["value_proposals", "waiting"], readWaiting);
  const { act, once } = useActsInTurn("value_proposals", "items");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<number>>(new Set());
  const caught = useFocusFallback(waiting.data, asked);
  // What someone else decided meanwhile is no longer selected.
  const others = (waiting.data?.proposals ?? []).filter(({ proposed_by }) => proposed_by !== userId);
  const chosen = others.filter(({ id }) => chosenIds.has(id));

  const decide = useCallback(
    (decision: Decision, proposal: Proposal) => {
      if (decision !== "withdraw") return setAsked({ decision, proposals: [proposal] });
      const { id } = proposal;
      void once(String(id), () =>
        act((client) => client.rpc("withdraw_proposals", { ids: [id] }).throwOnError(), "Withdrawn"),
      );
    },
    [act, once],
  );

  const choose = useCallback((id: number, isChosen: boolean) => {
    setChosenIds((now) => new Set(isChosen ? [...now, id] : [...now].filter((each) => each !== id)));
  }, []);

  return (
    <section aria-label="Proposals" className="grid gap-4" onKeyDown={pressDeskKey}>
      <p className="desk-hint">
        <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> approve, <kbd>2</kbd> reject; <kbd>x</kbd>{" "}
        choose several, <kbd>a</kbd> approve and <kbd>r</kbd> reject them
      </p>
      <div {...caught}>
        {others.length > 1 && (
          <ChosenBar
            chosen={chosen}
            count={others.length}
            onChooseAll={(isChosen) => setChosenIds(new Set(isChosen ? others.map(({ id }) => id) : []))}
            onDecide={(decision) => setAsked({ decision, proposals: chosen })}
          />
        )}
        <ReadState read={waiting} what="Proposals">
          {({ proposals, names }) =>
            proposals.length === 0 ? (
              <EmptyState title="Nothing waits" level={3}>
                Large changes, those of dear items and those of new editors appear here.
              </EmptyState>
            ) : (
              <ul className="grid items-start gap-4 lg:grid-cols-2">
                {proposals.map((proposal) => (
                  <ProposalCard
                    key={proposal.id}
                    {...{ proposal, names }}
                    isOwn={proposal.proposed_by === userId}
                    isChosen={chosenIds.has(proposal.id)}
                    onChoose={choose}
                    onDecide={decide}
                  />
                ))}
              </ul>
            )
          }
        </ReadState>
      </div>
      <DecideDialog asked={asked} onClose={() => setAsked(null)} />
    </section>
  );
}

type ChosenBarProps = {
  chosen: readonly Proposal[];
  /** The number of selectable proposals. */
  count: number;
  onChooseAll(isChosen: boolean): void;
  onDecide(decision: Asked["decision"]): void;
};

/** The number of selected proposals, and the actions on all of them. */
function ChosenBar({ chosen, count, onChooseAll, onDecide }: ChosenBarProps) {
  const isIdle = chosen.length === 0;
  return (
    <div
      className="sticky top-0 z-1 mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 bg-surface py-1"
      role="toolbar"
      aria-label="What to do about the chosen proposals"
    >
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

const WHY: Record<string, string> = {
  large: "Large change",
  dear: "One of the dearest items",
  new_editor: "New editor",
};

type Decision = "approve" | "reject" | "withdraw";

type ProposalCardProps = {
  proposal: Proposal;
  names: Names;
  /** Nobody approves their own. */
  isOwn: boolean;
  /** Whether it is selected for a common decision. */
  isChosen: boolean;
  onChoose(id: number, isChosen: boolean): void;
  onDecide(decision: Decision, proposal: Proposal): void;
};

/** One proposal: what, why, by whom, and the available actions; `memo`: a dialog changes none of them. */
const ProposalCard = memo(function ProposalCard(props: ProposalCardProps) {
  const { proposal, names, isOwn, isChosen, onChoose, onDecide } = props;
  const { id, why, proposed_by, proposed_as, proposed_at, items: item, set_id } = proposal;
  const by = names.get(proposed_by ?? "") ?? "Somebody whose account is gone";
  return (
    <Card
      as="li"
      className="desk-case grid content-start gap-3"
      data-case={id}
      tabIndex={-1}
      aria-label={`${item.name}, ${labelOf(proposal.field)}: ${describeProposal(proposal)}`}
    >
      {!isOwn && (
        <label className="inline-flex min-h-11 cursor-pointer items-center gap-2 justify-self-start">
          <input
            type="checkbox"
            className="size-5 accent-accent-text"
            data-key="x"
            aria-keyshortcuts="x"
            aria-label={`Choose ${item.name}, ${labelOf(proposal.field)}`}
            checked={isChosen}
            onChange={({ target }) => onChoose(id, target.checked)}
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
          <DeskButton size="sm" press={1} onClick={() => onDecide("withdraw", proposal)}>
            Withdraw
          </DeskButton>
        ) : (
          <>
            <DeskButton size="sm" press={1} variant="primary" onClick={() => onDecide("approve", proposal)}>
              Approve
            </DeskButton>
            <DeskButton size="sm" press={2} onClick={() => onDecide("reject", proposal)}>
              Reject
            </DeskButton>
          </>
        )}
      </div>
    </Card>
  );
});
