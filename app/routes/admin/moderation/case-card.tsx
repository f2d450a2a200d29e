import { memo, useId } from "react";
import { Link } from "react-router";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import type { SanctionKind } from "#domain/moderation/sanction.ts";
import { CaseRecord, RecordBadges } from "./case-record.tsx";
import { type Case, isHandled } from "./cases.ts";
import { EvidenceItem } from "./evidence-item.tsx";
import type { PersonRecord, Sanction } from "./sanction-queries.ts";

export type Choice = SanctionKind | "dismiss" | "reopen" | "note" | "opinion" | "age";

type CaseCardProps = {
  case: Case;
  /** Undefined until it is read. */
  record: PersonRecord | undefined;
  onChoose(choice: Choice, of: Case): void;
  onLift(sanction: Sanction): void;
  onDeleteNote(id: string): void;
};

/** All reports about one user, what is known of them, and the available actions; `memo`: a dialog changes no case. */
export const CaseCard = memo(function CaseCard({ case: of, record, onChoose, ...acts }: CaseCardProps) {
  const { person, evidence } = of;
  const nameId = useId();
  return (
    <Card
      as="li"
      className="desk-case grid content-start gap-4"
      data-case={person.id}
      tabIndex={-1}
      aria-labelledby={nameId}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Avatar username={person.username} url={person.avatarUrl} size={40} />
        <h3 id={nameId} className="text-base">
          <Link to={`/community/${person.username}`} className="link inline-flex min-h-11 items-center">
            {person.username}
          </Link>
        </h3>
        {record && <RecordBadges record={record} />}
      </div>
      {evidence.length > 0 && (
        <ul className="grid gap-4">
          {evidence.map((each) => (
            <EvidenceItem key={each.key} evidence={each} person={person} />
          ))}
        </ul>
      )}
      {record && <CaseRecord record={record} {...acts} />}
      <Actions of={of} onChoose={(choice) => onChoose(choice, of)} />
    </Card>
  );
});

type Action = { choice: Choice; label: string; isOffered(of: Case): boolean; isGrave?: boolean };

const has = (kind: string) => (of: Case) => of.evidence.some((each) => each.kind === kind);

/** In the order of their number keys, from 1 on; there are nine digits. */
const ACTIONS: readonly Action[] = [
  { choice: "dismiss", label: "Dismiss", isOffered: (of) => of.evidence.length > 0 && !isHandled(of) },
  {
    choice: "message",
    label: "Remove message",
    isOffered: (of) => of.evidence.some(({ messageId }) => messageId !== null),
  },
  { choice: "silence", label: "Silence", isOffered: () => true },
  { choice: "rename", label: "New name", isOffered: () => true },
  { choice: "picture", label: "Remove picture", isOffered: (of) => of.person.avatarUrl !== null },
  {
    choice: "comment",
    label: "Remove comment",
    isOffered: (of) => has("rating")(of) || has("answer")(of),
  },
  { choice: "ban", label: "Suspend", isOffered: () => true, isGrave: true },
  { choice: "note", label: "Note", isOffered: () => true },
  { choice: "opinion", label: "Second opinion", isOffered: (of) => of.evidence.length > 0 && !isHandled(of) },
  { choice: "age", label: "Age group", isOffered: () => true },
];

function Actions({ of, onChoose }: { of: Case; onChoose(choice: Choice): void }) {
  return (
    <div className="desk-actions" role="toolbar" aria-label={`What to do about ${of.person.username}`}>
      {ACTIONS.map(({ choice, label, isOffered, isGrave }, index) =>
        isOffered(of) ? (
          <DeskButton
            key={choice}
            press={index < 9 ? index + 1 : undefined}
            size="sm"
            variant={isGrave ? "danger" : choice === "dismiss" ? "ghost" : "secondary"}
            onClick={() => onChoose(choice)}
          >
            {label}
          </DeskButton>
        ) : null,
      )}
      {of.evidence.length > 0 && isHandled(of) && (
        <Button size="sm" variant="ghost" onClick={() => onChoose("reopen")}>
          Open again
        </Button>
      )}
    </div>
  );
}
