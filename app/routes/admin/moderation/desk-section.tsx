import { useMemo, useRef, useState } from "react";
import * as v from "valibot";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { type AttemptId, useAttemptId } from "#app/features/session/use-attempt-id.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextArea, TextField } from "#app/ui/form/text-field.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { AGE_BANDS, bandSchema } from "#domain/people/age-bands.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { CaseCard } from "./case-card.tsx";
import { findPerson, readReports } from "./case-queries.ts";
import { type CasePerson, groupCases } from "./cases.ts";
import { SanctionDialog } from "./sanction-dialog.tsx";
import { addNote, readRecords } from "./sanction-queries.ts";
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
  const all = useMemo(() => groupCases(reports.data ?? []), [reports.data]);
  const cases = found
    ? [all.find(({ person }) => person.id === found.id) ?? { person: found, evidence: [] }]
    : all;
  const ids = cases.map(({ person }) => person.id);
  const records = useRead(["sanctions", ...ids], (client) => readRecords(client, ids), {
    keepsPrevious: true,
  });

  return (
    <section aria-label="Cases" className="grid grid-cols-1 gap-4" onKeyDown={pressDeskKey}>
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl label="Reports" options={STATES} value={state} onChange={setState} />
        {acts.last && (
          <DeskButton press="u" size="sm" onClick={acts.undo}>
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
          {() =>
            cases.length === 0 ? (
              <NoReports state={state} />
            ) : (
              <ul className="grid items-start gap-4 lg:grid-cols-2">
                {cases.map((each) => (
                  <CaseCard
                    key={each.person.id}
                    case={each}
                    record={records.data?.get(each.person.id)}
                    onChoose={acts.choose}
                    onLift={acts.lift}
                    onDeleteNote={acts.deleteNote}
                  />
                ))}
              </ul>
            )
          }
        </ReadState>
      </div>
      <SanctionDialog
        asked={acts.asked}
        onClose={acts.close}
        onDone={(...done) => {
          acts.remember(...done);
          void refresh("reports", "sanctions", "avatars");
        }}
        onFailed={() => void refresh("reports", "sanctions")}
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

const noteSchema = v.object({ note: neededText(LIMITS.caseNote.max, "Note is required") });

/** Asks for a note for other moderators, which the user does not see. */
function NoteDialog({ person, onClose }: { person: CasePerson | null; onClose(): void }) {
  // Outlives the form, which may be opened again after a lost answer.
  const attempt = useAttemptId();
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Note about ${person?.username ?? ""}`}>
      {person && <NoteForm person={person} attempt={attempt} onClose={onClose} />}
    </Dialog>
  );
}

type NoteFormProps = { person: CasePerson; attempt: AttemptId; onClose(): void };

function NoteForm({ person, attempt, onClose }: NoteFormProps) {
  const refresh = useRefresh();
  const userId = useSession().session?.user.id;
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, `note ${person.id} by ${userId}`);
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: noteSchema,
    send: (client, { note }) => addNote(client, attempt.idOf([person.id, note]), person.id, note),
    close: onClose,
    done() {
      forget();
      attempt.forget();
      void refresh("case_notes");
    },
  });
  return (
    <Form {...form} ref={element} className="grid gap-4">
      <TextArea label="Note" name="note" required rows={3} hint="Only moderators can read it." />
      <FormActions button={button} label="Keep note" onCancel={onClose} />
    </Form>
  );
}

/** Corrects a user's age group. Moderators are not told which group it was. */
function AgeBandDialog({ person, onClose }: { person: CasePerson | null; onClose(): void }) {
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Age group of ${person?.username ?? ""}`}>
      {person && <AgeBandForm person={person} onClose={onClose} />}
    </Dialog>
  );
}

function AgeBandForm({ person, onClose }: { person: CasePerson; onClose(): void }) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: bandSchema("Choose an age group"),
    send: (client, { band }) => client.rpc("set_age_band", { person: person.id, band }),
    close: onClose,
    done() {
      showToast({
        title: "Age group changed",
        description: "Who changed it is on the list, not to which group.",
      });
      void refresh("reports", "admin_acts");
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>
        For somebody who said it wrong. Below the site’s age limit they get a new name, leave the community’s
        list and have quick talk only, until a parent allows more.
      </p>
      <ChoiceGroup legend="Age group" name="band" options={AGE_BANDS} />
      <FormActions button={button} label="Change age group" onCancel={onClose} />
    </Form>
  );
}

const UNKNOWN = "Nobody has this username";

const usernameSchema = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty(UNKNOWN)) });

type FindPersonFormProps = { found: CasePerson | null; onFound(person: CasePerson | null): void };

/** Looks up any user by name, even one whom nobody reported. */
function FindPersonForm({ found, onFound }: FindPersonFormProps) {
  const { form, button } = useSessionForm({
    schema: usernameSchema,
    invalidTitle: undefined,
    async send(client, { username }) {
      const person = await findPerson(client, username);
      if (!person) throw new FormError(UNKNOWN, { title: null, fields: ["username"] });
      return person;
    },
    done: ({ id, username, avatar_url }) => onFound({ id, username, avatarUrl: avatar_url }),
  });
  return (
    <Form {...form} className="flex flex-wrap items-start gap-3" aria-label="Look somebody up">
      <TextField
        label="Username"
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-room-40 flex-1 sm:max-w-80"
      />
      <Button {...button} className="mt-[1.9375rem]">
        Look up
      </Button>
      {found && (
        <Button className="sm:mt-[1.9375rem]" variant="ghost" onClick={() => onFound(null)}>
          Show all cases
        </Button>
      )}
    </Form>
  );
}
