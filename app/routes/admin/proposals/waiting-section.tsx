import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { type Asked, DecideDialog } from "./decide-dialog.tsx";
import { type Decision, ProposalCard } from "./proposal-card.tsx";
import { type Proposal, readWaiting, withdrawProposals } from "./proposal-queries.ts";

/**
 * Proposals that wait for a second person, approved or rejected with a note, one or several at a time, by keyboard or
 * touch.
 */
export function WaitingSection() {
  const userId = useSession().session?.user.id;
  const waiting = useRead(["value_proposals", "waiting"], readWaiting);
  const { isBusy, act } = useAct("value_proposals", "items");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<number>>(new Set());
  const caught = useFocusFallback(waiting.data, asked);
  // What someone else decided meanwhile is no longer selected.
  const others = (waiting.data?.proposals ?? []).filter(({ proposed_by }) => proposed_by !== userId);
  const chosen = others.filter(({ id }) => chosenIds.has(id));

  function decide(decision: Decision, proposal: Proposal) {
    if (decision !== "withdraw") return setAsked({ decision, proposals: [proposal] });
    void act((client) => withdrawProposals(client, [proposal.id]), "Withdrawn");
  }

  function choose(id: number, isChosen: boolean) {
    setChosenIds((now) => new Set(isChosen ? [...now, id] : [...now].filter((each) => each !== id)));
  }

  return (
    <section aria-label="Proposals" className="grid gap-4" onKeyDown={pressDeskKey}>
      <p className="desk-hint">
        <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> approve, <kbd>2</kbd> reject; <kbd>x</kbd>{" "}
        choose several, <kbd>a</kbd> approve and <kbd>r</kbd> reject them
      </p>
      <div {...caught}>
        {others.length > 1 && (
          <ChosenBar
            {...{ chosen, isBusy }}
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
                    {...{ proposal, names, isBusy }}
                    isOwn={proposal.proposed_by === userId}
                    isChosen={chosenIds.has(proposal.id)}
                    onChoose={(isChosen) => choose(proposal.id, isChosen)}
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
  isBusy: boolean;
  onChooseAll(isChosen: boolean): void;
  onDecide(decision: Asked["decision"]): void;
};

/** The number of selected proposals, and the actions on all of them. */
function ChosenBar({ chosen, count, isBusy, onChooseAll, onDecide }: ChosenBarProps) {
  const isIdle = isBusy || chosen.length === 0;
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
