import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { lengthOf } from "#domain/text/limits.ts";

/** The service's own limit. */
const MAX_LENGTH = 120;

const nameSchema = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Please enter a name"),
    v.check((text) => lengthOf(text) <= MAX_LENGTH, `The name must be at most ${MAX_LENGTH} characters`),
  ),
});

type RenamePasskeyProps = {
  id: string;
  name: string;
  onRenamed: (name: string) => void;
  onCancel: () => void;
};

/** A name that tells its owner which passkey this is. */
export function RenamePasskey({ id, name, onRenamed, onCancel }: RenamePasskeyProps) {
  const { form, button } = useSessionForm({
    schema: nameSchema,
    send: (client, input) => client.auth.passkey.update({ passkeyId: id, friendlyName: input.name }),
    done(_, input) {
      showToast({ title: "Passkey renamed" });
      onRenamed(input.name);
    },
  });
  return (
    <Form {...form} className="grid gap-3">
      <TextField
        label="Name of the passkey"
        name="name"
        required
        autoFocus
        defaultValue={name}
        hint="For example, the device it’s on."
        onFocus={(event) => event.target.select()}
      />
      <div className="flex gap-3">
        <Button {...button} size="sm">
          Save name
        </Button>
        <Button variant="ghost" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
