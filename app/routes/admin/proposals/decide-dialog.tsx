import { useRef, useState } from "react";
import * as v from "valibot";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { atMost } from "#domain/text/text-schema.ts";
import { describeProposal, ProposalDiff, ProposalReason } from "./proposal-diff.tsx";
import { type Decided, decideProposals, type Proposal } from "./proposal-queries.ts";

const note = v.pipe(v.string(), v.trim(), atMost(COLUMN_LIMITS.value_proposals.decision_note));
const SCHEMAS = {
  approve: v.object({ note }),
  reject: v.object({ note: v.pipe(note, v.nonEmpty("Say why in a few words")) }),
};

export type Asked = { decision: "approve" | "reject"; proposals: readonly Proposal[] };
type Refusal = { proposal: Proposal; words: string };

/** Asks for the note of a decision about proposals; a rejection requires one, since the proposers read it. */
export function DecideDialog({ asked, onClose }: { asked: Asked | null; onClose(): void }) {
  return (
    <Dialog open={asked !== null} onClose={onClose} title={asked ? titleOf(asked) : ""}>
      {asked && <Decide {...asked} onClose={onClose} />}
    </Dialog>
  );
}

function titleOf({ decision, proposals }: Asked): string {
  const [first] = proposals;
  const what =
    proposals.length === 1 ? `this change of ${first?.items.name}` : `these ${proposals.length} changes`;
  return `${decision === "reject" ? "Reject" : "Approve"} ${what}?`;
}

const DECIDED = { approve: "approved", reject: "rejected" };

function Decide({ onClose, ...asked }: Asked & { onClose(): void }) {
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  if (refusals.length === 0) return <DecideForm {...asked} onClose={onClose} onRefused={setRefusals} />;
  const done = asked.proposals.length - refusals.length;
  const decided = DECIDED[asked.decision];
  return (
    <div className="grid gap-4">
      <p role="status" className="font-semibold">
        {done === 0
          ? `You ${decided} none of ${asked.proposals.length}:`
          : `You ${decided} ${done} of ${asked.proposals.length}. Not ${decided} by you:`}
      </p>
      <ul className="grid gap-3" aria-label="Not decided">
        {refusals.map(({ proposal, words }) => (
          <li key={proposal.id} className="wrap-anywhere">
            <strong>{proposal.items.name}</strong>, {labelOf(proposal.field)}:{" "}
            <span className="figures">{describeProposal(proposal)}</span>. {words}
          </li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

type DecideFormProps = Asked & { onClose(): void; onRefused(refusals: readonly Refusal[]): void };

function DecideForm({ decision, proposals, onClose, onRefused }: DecideFormProps) {
  const refresh = useRefresh();
  const isApproval = decision === "approve";
  const element = useRef<HTMLFormElement>(null);
  const ids = proposals.map(({ id }) => id);
  const userId = useSession().session?.user.id;
  const forget = useKeptTexts(element, `${decision} ${ids} by ${userId}`);
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: SCHEMAS[decision],
    send: (client, { note: words }) => decideProposals(client, decision, ids, words),
    async done(decided, _input, sent) {
      await refresh("value_proposals", "items");
      const refusals = findRefusals(proposals, decided);
      const [first] = refusals;
      const word = DECIDED[decision];
      if (first && proposals.length === 1) throw new FormError(first.words, { title: `Not ${word}` });
      forget();
      if (first && !sent.isConnected) {
        const done = `${ids.length - refusals.length} ${word}, ${refusals.length} not`;
        throw new FormError(`${done}. ${first.words}`, { title: `Not all ${word}` });
      }
      if (first) return onRefused(refusals);
      if (sent.isConnected) onClose();
      showToast({ title: describeDone(decided) });
    },
  });
  return (
    <Form {...form} ref={element} className="grid gap-4">
      <ul className="grid max-h-[45vh] gap-4 overflow-y-auto">
        {proposals.map((proposal) => (
          <li key={proposal.id} className="grid gap-2">
            <ProposalDiff proposal={proposal} />
            <ProposalReason proposal={proposal} />
          </li>
        ))}
      </ul>
      <TextArea
        label="Note"
        name="note"
        required={!isApproval}
        rows={2}
        hint={isApproval ? "Only editors read it." : "The proposer reads it."}
      />
      <FormActions
        button={button}
        label={isApproval ? "Approve" : "Reject"}
        variant={isApproval ? "primary" : "danger"}
        onCancel={onClose}
      />
    </Form>
  );
}

const DONE: Record<string, string> = {
  published: "Approved and published",
  approved: "Approved: its set publishes it",
  rejected: "Rejected",
};

/** The outcome of one proposal, or the counts of several. */
function describeDone(decided: readonly Decided[]): string {
  const outcomes = new Set(decided.map(({ outcome }) => outcome));
  const [outcome = ""] = outcomes;
  const words = outcomes.size > 1 ? "Approved; sets publish theirs" : (DONE[outcome] ?? "Done");
  return decided.length === 1 ? words : `${decided.length} changes: ${words}`;
}

function findRefusals(proposals: readonly Proposal[], decided: readonly Decided[]): Refusal[] {
  const outcomes = new Map(decided.map((each) => [each.id, each]));
  return proposals.flatMap((proposal) => {
    const { outcome = "gone", why } = outcomes.get(proposal.id) ?? {};
    if (DONE[outcome]) return [];
    return [
      {
        proposal,
        words: outcome === "refused" && why ? `${why}.` : (REFUSALS[outcome] ?? "It was refused."),
      },
    ];
  });
}

const REFUSALS: Record<string, string> = {
  changed_meanwhile: "The value was changed in the meantime. Reject this one, so that it is proposed anew.",
  decided: "This was decided in the meantime.",
  own: "Nobody decides about their own proposal.",
  gone: "Its item is gone.",
};
