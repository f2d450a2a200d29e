import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useCaughtFocus } from "#app/routes/admin/shared/use-caught-focus.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { ReportCard } from "./report-card.tsx";
import { readHandledReports, readOpenReports } from "./report-queries.ts";
import { groupReports } from "./reported-message.ts";
import type { Person } from "./silence-dialog.tsx";
import { readSilences } from "./silence-queries.ts";

const STATES = [
  { value: "open", label: "Open" },
  { value: "handled", label: "Handled" },
] as const;
type State = (typeof STATES)[number]["value"];

type ReportsSectionProps = { onSilence(person: Person): void };

/** The messages that people reported: those that wait, or those that were handled. */
export function ReportsSection(props: ReportsSectionProps) {
  const [state, setState] = useState<State>("open");
  return (
    <div className="grid gap-4">
      <SegmentedControl
        label="Reports"
        options={STATES}
        value={state}
        onChange={setState}
        className="justify-self-start"
      />
      <ReportList state={state} {...props} />
    </div>
  );
}

function ReportList({ state, onSilence }: ReportsSectionProps & { state: State }) {
  const reports = useRead(["chat_reports", state], state === "open" ? readOpenReports : readHandledReports);
  const { data: silences = [] } = useRead(["chat_silences"], readSilences);
  const caught = useCaughtFocus(reports.data);

  return (
    <div {...caught}>
      <ReadState read={reports} what="Reports">
        {(data) =>
          data.length === 0 ? (
            <NoReports state={state} />
          ) : (
            <ul className="grid items-start gap-4 lg:grid-cols-2">
              {groupReports(data).map((reported) => (
                <ReportCard
                  key={reported.key}
                  reported={reported}
                  silence={silences.find(({ user_id }) => user_id === reported.userId)}
                  onSilence={onSilence}
                />
              ))}
            </ul>
          )
        }
      </ReadState>
    </div>
  );
}

function NoReports({ state }: { state: State }) {
  if (state === "handled") return <EmptyState title="Nothing was handled yet" level={3} />;
  return (
    <EmptyState title="All quiet in the harbor" level={3}>
      No report waits for you. New ones appear here by themselves.
    </EmptyState>
  );
}
