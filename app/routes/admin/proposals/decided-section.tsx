import { useRead } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { describeProposal } from "./proposal-diff.tsx";
import { type Names, type Proposal, readDecided } from "./proposal-queries.ts";

const STATES: Record<string, string> = {
  published: "Approved and published",
  approved: "Approved",
  rejected: "Rejected",
  withdrawn: "Withdrawn",
  rolled_back: "Approved, published and taken back",
};

/** The latest decisions, with their notes. */
export function DecidedSection() {
  return (
    <ReadState read={useRead(["value_proposals", "decided"], readDecided)} what="Decided proposals">
      {({ proposals, names }) => (
        <RowList
          rows={proposals}
          empty="Nothing has been decided yet."
          className="grid gap-2"
          label="Decided proposals"
        >
          {(proposal) => <Decided key={proposal.id} {...{ proposal, names }} />}
        </RowList>
      )}
    </ReadState>
  );
}

function Decided({ proposal, names }: { proposal: Proposal; names: Names }) {
  const { state, decided_by, decision_note, items: item } = proposal;
  const by = names.get(decided_by ?? "");
  return (
    <li className="wrap-anywhere">
      <strong>{item.name}</strong> <span className="figures">{describeProposal(proposal)}</span>{" "}
      <span className="text-muted">
        {STATES[state] ?? state}
        {by && ` by ${by}`}
        {decision_note && `: ${decision_note}`}
      </span>
    </li>
  );
}
