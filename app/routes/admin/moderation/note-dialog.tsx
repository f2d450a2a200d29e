import * as v from "valibot";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { LIMITS } from "#domain/text/limits.ts";
import { neededText } from "#domain/text/text-schema.ts";
import type { CasePerson } from "./cases.ts";
import { addNote } from "./sanction-queries.ts";

const noteSchema = v.object({ note: neededText(LIMITS.caseNote.max, "Note is required") });

/** Asks for a note for other moderators, which the user does not see. */
export function NoteDialog({ person, onClose }: { person: CasePerson | null; onClose(): void }) {
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Note about ${person?.username ?? ""}`}>
      {person && <NoteForm person={person} onClose={onClose} />}
    </Dialog>
  );
}

function NoteForm({ person, onClose }: { person: CasePerson; onClose(): void }) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: noteSchema,
    send: (client, { note }) => addNote(client, person.id, note),
    done() {
      onClose();
      void refresh("case_notes");
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <TextArea label="Note" name="note" required rows={3} hint="Only moderators can read it." />
      <FormActions button={button} label="Keep note" onCancel={onClose} />
    </Form>
  );
}
