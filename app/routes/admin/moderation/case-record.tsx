import { useSession } from "#app/features/session/use-session.ts";
import { useSiteNow } from "#app/features/site/use-site-now.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { wordsOfCode } from "#domain/moderation/report-code.ts";
import type { SanctionKind } from "#domain/moderation/sanction.ts";
import { countOf } from "#domain/text/counts.ts";
import { endOf, isCounting, type PersonRecord, type Sanction } from "./sanction-queries.ts";

const DONE: Record<SanctionKind, string> = {
  message: "Message removed",
  silence: "Silenced",
  rename: "Asked for a new name",
  picture: "Picture removed",
  comment: "Comment removed",
  ban: "Suspended",
};

type CaseRecordProps = {
  record: PersonRecord;
  onLift(sanction: Sanction): void;
  onDeleteNote(id: string): void;
};

/** What is known of a user: strikes, current sanctions, notes, and whether a second opinion is requested. */
export function CaseRecord({ record, onLift, onDeleteNote }: CaseRecordProps) {
  const userId = useSession().session?.user.id;
  const { sanctions, notes, opinion } = record;
  return (
    <div className="grid gap-3 text-sm">
      {opinion && (
        <p className="font-semibold">
          {opinion.asker?.username ?? "Someone"} wants a second opinion: another moderator has to close this
          case.
        </p>
      )}
      {sanctions.length > 0 && (
        <details className="disclosure">
          <summary>{countOf(sanctions.length, "earlier act")}</summary>
          <ul className="grid gap-1.5 wrap-anywhere">
            {sanctions.map((sanction) => (
              <SanctionLine key={sanction.id} {...{ sanction, onLift }} />
            ))}
          </ul>
        </details>
      )}
      {notes.length > 0 && (
        <ul className="grid gap-1 wrap-anywhere" aria-label="Notes">
          {notes.map(({ id, note, author_id, author, created_at }) => (
            <li key={id}>
              <span className="font-semibold">{author?.username ?? "A former moderator"}</span>: {note}{" "}
              <Moment at={created_at} className="text-muted" />{" "}
              {author_id === userId && (
                <Button size="sm" variant="ghost" onClick={() => onDeleteNote(id)}>
                  Delete<span className="sr-only"> this note</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type SanctionLineProps = Pick<CaseRecordProps, "onLift"> & { sanction: Sanction };

/** It can be taken back after its Undo is gone, too. */
function SanctionLine({ sanction, onLift }: SanctionLineProps) {
  const { created_at, lifted_at } = sanction;
  return (
    <li>
      <SanctionWords sanction={sanction} /> <Moment at={created_at} className="text-muted" />{" "}
      {lifted_at ? <Badge>Taken back</Badge> : isCounting(sanction) && <Badge tone="fall">Strike</Badge>}{" "}
      {!lifted_at && (
        <Button size="sm" variant="ghost" onClick={() => onLift(sanction)}>
          Take back
        </Button>
      )}
    </li>
  );
}

type SanctionWordsProps = { sanction: Pick<Sanction, "kind" | "code" | "reason" | "until" | "created_at"> };

/** What was done, until when and why. */
export function SanctionWords({ sanction: { kind, code, reason, until, created_at } }: SanctionWordsProps) {
  return (
    <>
      <span className="font-semibold">{DONE[kind as SanctionKind] ?? kind}</span>
      {until && (until === "infinity" ? " for good" : <> until {<Moment at={until} near={created_at} />}</>)}:{" "}
      {wordsOfCode(code).label}. “{reason}”
    </>
  );
}

/** A user's summary: active strikes and current sanctions. */
export function RecordBadges({ record: { sanctions } }: { record: PersonRecord }) {
  const now = useSiteNow(sanctions.map(({ until }) => endOf(until)));
  const strikes = sanctions.filter(isCounting).length;
  const holds = (kind: string) =>
    sanctions.find((each) => each.kind === kind && each.lifted_at === null && endOf(each.until) > now);
  const isUnnamed = sanctions.some(
    ({ kind, done_at, lifted_at }) => kind === "rename" && done_at === null && lifted_at === null,
  );
  return (
    <>
      {strikes > 0 && <Badge tone={strikes >= 3 ? "fall" : "neutral"}>{countOf(strikes, "strike")}</Badge>}
      {holds("ban") && <Badge tone="fall">Suspended</Badge>}
      {holds("silence") && <Badge tone="fall">Silenced</Badge>}
      {isUnnamed && <Badge>Has to choose a name</Badge>}
    </>
  );
}
