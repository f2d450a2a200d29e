import { useState } from "react";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { AgeBandDialog } from "./age-band-dialog.tsx";
import { CaseCard } from "./case-card.tsx";
import { readReports } from "./case-queries.ts";
import { type Case, type CasePerson, groupCases } from "./cases.ts";
import { FindPersonForm } from "./find-person-form.tsx";
import { NoteDialog } from "./note-dialog.tsx";
import { SanctionDialog } from "./sanction-dialog.tsx";
import { useDeskActs } from "./use-desk-acts.ts";

const STATES = [
  { value: "open", label: "Open" },
  { value: "handled", label: "Handled" },
] as const;
type State = (typeof STATES)[number]["value"];

/** Reports by user: open cases, or handled ones; and a search for any user. */
export function DeskSection() {
  const [state, setState] = useState<State>("open");
  const [found, setFound] = useState<CasePerson | null>(null);
  const refresh = useRefresh();
  const reports = useRead(["reports", state], (client) => readReports(client, state));
  const acts = useDeskActs();
  const caught = useFocusFallback(reports.data, acts.asked);
  const shown = (cases: Case[]) =>
    found ? [cases.find(({ person }) => person.id === found.id) ?? { person: found, evidence: [] }] : cases;

  return (
    <section aria-label="Cases" className="grid gap-4" onKeyDown={pressDeskKey}>
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl label="Reports" options={STATES} value={state} onChange={setState} />
        {acts.last && (
          <DeskButton press="u" size="sm" disabled={acts.isBusy} onClick={acts.undo}>
            Undo: {acts.last.what}
          </DeskButton>
        )}
        <p className="desk-hint">
          <kbd>j</kbd> <kbd>k</kbd> next and previous case, <kbd>1</kbd>–<kbd>9</kbd> act, <kbd>u</kbd> undo
        </p>
      </div>
      <FindPersonForm found={found} onFound={setFound} />
      <div {...caught}>
        <ReadState read={reports} what="Reports">
          {(data) => {
            const cases = shown(groupCases(data));
            if (cases.length === 0) return <NoReports state={state} />;
            return (
              <ul className="grid items-start gap-4 lg:grid-cols-2">
                {cases.map((each) => (
                  <CaseCard key={each.person.id} case={each} isBusy={acts.isBusy} onChoose={acts.choose} />
                ))}
              </ul>
            );
          }}
        </ReadState>
      </div>
      <SanctionDialog
        asked={acts.asked}
        onClose={acts.close}
        onDone={(what, id) => {
          acts.remember(what, id);
          void refresh("reports", "sanctions", "avatars");
        }}
      />
      <NoteDialog person={acts.noting} onClose={acts.close} />
      <AgeBandDialog person={acts.aging} onClose={acts.close} />
    </section>
  );
}

function NoReports({ state }: { state: State }) {
  if (state === "handled") return <EmptyState title="Nothing has been handled yet" level={3} />;
  return (
    <EmptyState title="All quiet in the harbor" level={3}>
      No reports are waiting. New ones appear here on their own.
    </EmptyState>
  );
}
