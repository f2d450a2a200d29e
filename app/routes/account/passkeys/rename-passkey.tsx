import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** The service's own limit. */
const MAX_LENGTH = 120;

type RenamePasskeyProps = {
  id: string;
  name: string;
  onRenamed: (name: string) => void;
  onCancel: () => void;
};

/** A name that tells its owner which passkey this is. */
export function RenamePasskey({ id, name, onRenamed, onCancel }: RenamePasskeyProps) {
  const { form, button } = useSubmit({
    read: readName,
    send: (client, friendlyName) => client.auth.passkey.update({ passkeyId: id, friendlyName }),
    done(_, chosen) {
      showToast({ title: "Passkey renamed" });
      onRenamed(chosen);
    },
  });
  return (
    <form {...form} className="grid gap-3">
      <TextField
        label="Name of the passkey"
        name="name"
        required
        autoFocus
        defaultValue={name}
        hint="Such as the device that it is on."
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
    </form>
  );
}

function readName({ name = "" }: Texts): Reading<string> {
  const trimmed = name.trim();
  if (trimmed === "") return { field: "name", message: "Please enter a name" };
  if (trimmed.length > MAX_LENGTH) {
    return { field: "name", message: `The name must have ${MAX_LENGTH} characters at most` };
  }
  return { input: trimmed };
}
