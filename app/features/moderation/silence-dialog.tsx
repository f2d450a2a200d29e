import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { SILENCE_LENGTHS, silenceSchema } from "#domain/silence.ts";
import { markFocus } from "../admin/confirm-dialog.tsx";
import { parseForm } from "../admin/parse-form.ts";
import { useAdminForm } from "../admin/use-admin-form.ts";
import { silencePerson } from "./silence-queries.ts";

const LENGTHS = SILENCE_LENGTHS.map((length) => ({ value: length, label: length }));

export type Person = { id: string; username: string };

type SilenceDialogProps = { person: Person | null; onSilenced(): void; onClose(): void };

/** Asks how long and why, and silences the person. */
export function SilenceDialog({ person, onSilenced, onClose }: SilenceDialogProps) {
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Silence ${person?.username ?? ""}`}>
      {person && <SilenceForm person={person} onSilenced={onSilenced} onClose={onClose} />}
    </Dialog>
  );
}

function SilenceForm({ person, onSilenced, onClose }: SilenceDialogProps & { person: Person }) {
  const { form, faults, isBusy } = useAdminForm({
    read: (data) => parseForm(silenceSchema, Object.fromEntries(data)),
    save: (client, input) => silencePerson(client, person.id, input),
    done({ length }) {
      const span = length === "Forever" ? "until an admin lifts it" : `for ${length}`;
      showToast({
        title: "Person silenced",
        description: `${person.username} can't write in the chat ${span}.`,
      });
      onClose();
      onSilenced();
    },
  });
  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted">Reading the chat and the rest of the site stay open.</p>
      <SelectField
        ref={markFocus}
        label="How long"
        name="length"
        required
        options={LENGTHS}
        error={faults.length}
      />
      <TextField
        label="Reason"
        name="reason"
        required
        autoComplete="off"
        error={faults.reason}
        hint="The person reads it: short, kind and clear."
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={isBusy}>
          Silence
        </Button>
      </div>
    </form>
  );
}
