import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { markFocus } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { SILENCE_LENGTHS, silenceSchema } from "#domain/chat/silence.ts";
import { silencePerson } from "./silence-queries.ts";

const LENGTHS = SILENCE_LENGTHS.map((length) => ({ value: length, label: length }));

export type Person = { id: string; username: string };

type SilenceDialogProps = { person: Person | null; onClose(): void };

/** Asks how long and why, and silences the person. */
export function SilenceDialog({ person, onClose }: SilenceDialogProps) {
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Silence ${person?.username ?? ""}`}>
      {person && <SilenceForm person={person} onClose={onClose} />}
    </Dialog>
  );
}

function SilenceForm({ person, onClose }: SilenceDialogProps & { person: Person }) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: silenceSchema,
    send: (client, input) => silencePerson(client, person.id, input),
    done(_, { length }) {
      const span = length === "Forever" ? "until an admin lifts it" : `for ${length}`;
      showToast({
        title: "Person silenced",
        description: `${person.username} can't write in the chat ${span}.`,
      });
      onClose();
      void refresh("chat_silences");
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p className="text-muted">Reading the chat and the rest of the site stay open.</p>
      <SelectField ref={markFocus} label="How long" name="length" required options={LENGTHS} />
      <TextField
        label="Reason"
        name="reason"
        required
        autoComplete="off"
        hint="The person reads it: short, kind and clear."
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button {...button} variant="danger">
          Silence
        </Button>
      </div>
    </Form>
  );
}
