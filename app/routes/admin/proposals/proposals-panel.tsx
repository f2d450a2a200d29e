import "#app/routes/admin/shared/desk.css";
import { useRead } from "#app/features/live/use-read.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { WaitingPictures } from "./pictures/waiting-pictures.tsx";
import { describeProposal } from "./proposal-diff.tsx";
import { type Names, type Proposal, readDecided } from "./proposal-queries.ts";
import { PublicName } from "./public-name.tsx";
import { PublishedSection } from "./sets/published-section.tsx";
import { SetsSection } from "./sets/sets-section.tsx";
import { WaitingSection } from "./waiting-section.tsx";

const SECTIONS = [
  ["Waiting for a Second Person", WaitingSection],
  ["Pictures as Evidence", WaitingPictures],
  ["Sets", SetsSection],
  ["Published Lately", PublishedSection],
  ["Decided", DecidedSection],
  ["Your Public Name", PublicName],
] as const;

/** What waits for a second person, sets, what was published lately, and one's public name (P110–P112, P150). */
export default function ProposalsPanel() {
  return (
    <div className="grid grid-cols-1 gap-5">
      {SECTIONS.map(([title, Section]) => (
        <SectionCard key={title} title={title}>
          <Section />
        </SectionCard>
      ))}
    </div>
  );
}

const STATES: Record<string, string> = {
  published: "Approved and published",
  approved: "Approved",
  rejected: "Rejected",
  withdrawn: "Withdrawn",
  rolled_back: "Approved, published and taken back",
};

/** The latest decisions, with their notes. */
function DecidedSection() {
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
      <strong>{item.name}</strong> <span className="text-muted text-sm">{labelOf(proposal.field)}</span>{" "}
      <span className="figures">{describeProposal(proposal)}</span>{" "}
      <span className="text-muted">
        {STATES[state] ?? state}
        {by && ` by ${by}`}
        {decision_note && `: ${decision_note}`}
      </span>
    </li>
  );
}
