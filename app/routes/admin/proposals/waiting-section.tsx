import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useCaughtFocus } from "#app/routes/admin/shared/use-caught-focus.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { DecideDialog } from "./decide-dialog.tsx";
import { type Decision, ProposalCard } from "./proposal-card.tsx";
import { type Proposal, readWaiting, withdrawProposals } from "./proposal-queries.ts";

/** What waits for a second person, approved or rejected with a note, by keyboard and by thumb. */
export function WaitingSection() {
  const userId = useSession().session?.user.id;
  const waiting = useRead(["value_proposals", "waiting"], readWaiting);
  const { isBusy, act } = useAct("value_proposals", "items");
  const [asked, setAsked] = useState<{ decision: "approve" | "reject"; proposal: Proposal } | null>(null);
  const caught = useCaughtFocus(waiting.data, asked);

  function decide(decision: Decision, proposal: Proposal) {
    if (decision !== "withdraw") return setAsked({ decision, proposal });
    void act(async (client) => {
      await withdrawProposals(client, [proposal.id]);
      showToast({ title: "Withdrawn" });
    });
  }

  return (
    <section aria-label="Proposals" className="desk" onKeyDown={pressDeskKey}>
      <p className="desk-hint">
        <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> approve, <kbd>2</kbd> reject
      </p>
      <div {...caught}>
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
