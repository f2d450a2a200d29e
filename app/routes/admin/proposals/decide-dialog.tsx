import * as v from "valibot";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextArea } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { lengthOf } from "#domain/text/limits.ts";
import { ProposalDiff, ProposalReason } from "./proposal-diff.tsx";
import { approveProposals, type Proposal, rejectProposals } from "./proposal-queries.ts";

const MAX = COLUMN_LIMITS.value_proposals.decision_note;
const note = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => lengthOf(text) <= MAX, `At most ${MAX} characters`),
);
const SCHEMAS = {
  approve: v.object({ note }),
  reject: v.object({ note: v.pipe(note, v.nonEmpty("Say why in a few words")) }),
};

type Asked = { decision: "approve" | "reject"; proposal: Proposal };

/** Asks for the note of a decision: a no needs one, since the proposer reads it. */
export function DecideDialog({ asked, onClose }: { asked: Asked | null; onClose(): void }) {
  const name = asked?.proposal.items.name ?? "";
  const title =
    asked?.decision === "reject" ? `Reject this change of ${name}?` : `Approve this change of ${name}?`;
  return (
    <Dialog open={asked !== null} onClose={onClose} title={title}>
      {asked && <DecideForm {...asked} onClose={onClose} />}
    </Dialog>
  );
}

function DecideForm({ decision, proposal, onClose }: Asked & { onClose(): void }) {
  const refresh = useRefresh();
  const isApproval = decision === "approve";
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: SCHEMAS[decision],
    async send(client, { note: words }) {
      if (!isApproval) {
        await rejectProposals(client, [proposal.id], words);
        return "rejected";
      }
      const [outcome = "decided"] = await approveProposals(client, [proposal.id], words);
      return outcome;
    },
    async done(outcome) {
      await refresh("value_proposals", "items");
      const refusal = REFUSALS[outcome];
      if (refusal) throw new FormError(refusal, { title: "Nothing was published" });
      onClose();
      showToast({ title: DONE[outcome] ?? "Done" });
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <ProposalDiff proposal={proposal} />
      <ProposalReason proposal={proposal} />
      <TextArea
        label="Note"
        name="note"
        required={!isApproval}
        rows={2}
        hint={isApproval ? "Only editors read it." : "The proposer reads it."}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button {...button} variant={isApproval ? "primary" : "danger"}>
          {isApproval ? "Approve" : "Reject"}
        </Button>
      </div>
    </Form>
  );
}

const DONE: Record<string, string> = {
  published: "Approved and published",
  approved: "Approved: its set publishes it",
  rejected: "Rejected",
};

const REFUSALS: Record<string, string> = {
  changed_meanwhile: "The value was changed in the meantime. Reject this one, so that it is proposed anew.",
  decided: "This was decided in the meantime.",
};
