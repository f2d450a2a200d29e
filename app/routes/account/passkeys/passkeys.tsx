import type { PasskeyListItem } from "@supabase/supabase-js";
import { useState } from "react";
import * as v from "valibot";
import { DateText } from "#app/features/items/date-text.tsx";
import { SessionButton } from "#app/features/session/session-button.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { usePasskeys } from "#app/features/sign-in/use-passkeys.ts";
import { Removal } from "#app/routes/account/removal.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { OwnRow, Unread } from "../own-list.tsx";

/** Sign-in without a password: the user's passkeys, one per device or keychain. */
export function Passkeys() {
  const [passkeys, readAgain] = usePasskeys();
  const [added, setAdded] = useState<string | null>(null);
  if (passkeys === "off") return <p className="text-muted">Passkeys are turned off right now.</p>;
  return (
    <>
      <p className="text-muted">
        Sign in with your fingerprint, face or screen lock instead of a password. Nobody can trick you into
        typing a passkey.
      </p>
      {(passkeys === "reading" || passkeys === "failed") && (
        <Unread what="passkeys" state={passkeys} readAgain={readAgain} />
      )}
      {Array.isArray(passkeys) && passkeys.length === 0 && <p>You don’t have a passkey yet.</p>}
      {Array.isArray(passkeys) && passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="grid">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              startsRenaming={passkey.id === added}
              onChanged={readAgain}
            />
          ))}
        </ul>
      )}
      {supportsPasskeys() ? (
        <AddPasskey
          onAdded={(id) => {
            setAdded(id);
            return readAgain();
          }}
        />
      ) : (
        <p className="text-muted text-sm">This browser can’t create passkeys at this address.</p>
      )}
      {Array.isArray(passkeys) && passkeys.length === 1 && (
        <p className="text-muted text-sm">
          Add one on another device, too, so that you can get in if you lose this one.
        </p>
      )}
    </>
  );
}

/** Creates a passkey with the browser; it can be named right away. */
function AddPasskey({ onAdded }: { onAdded: (id: string) => void }) {
  return (
    <SessionButton
      icon={<KeyIcon />}
      busy="Waiting for your device…"
      send={async (client) => withReadableError(await client.auth.registerPasskey())}
      done={({ data }) => {
        showToast({ title: "Passkey added", description: "You can sign in with it from now on." });
        if (data) onAdded(data.id);
      }}
    >
      Add a passkey
    </SessionButton>
  );
}

type PasskeyRowProps = { passkey: PasskeyListItem; startsRenaming: boolean; onChanged: () => void };

/** One passkey: its name, when it was created and last used, and its actions. */
function PasskeyRow({ passkey, startsRenaming, onChanged }: PasskeyRowProps) {
  const [isRenaming, setRenaming] = useState(startsRenaming);
  // Until the list has been reloaded.
  const [renamed, setRenamed] = useState<string | null>(null);
  const name = renamed ?? (passkey.friendly_name || "Passkey");
  if (isRenaming) {
    return (
      <li className="border-line border-b py-3">
        <RenamePasskey
          id={passkey.id}
          name={name}
          onRenamed={(chosen) => {
            setRenamed(chosen);
            setRenaming(false);
            onChanged();
          }}
          onCancel={() => setRenaming(false)}
        />
      </li>
    );
  }
  const acts = (
    <div className="flex gap-1">
      <Button variant="ghost" size="sm" onClick={() => setRenaming(true)}>
        Rename<span className="sr-only"> {name}</span>
      </Button>
      <Removal
        name={name}
        remove={(client) => client.auth.passkey.delete({ passkeyId: passkey.id })}
        onRemoved={() => {
          showToast({ title: "Passkey removed" });
          onChanged();
        }}
      >
        It no longer works for signing in. Your device may keep offering it until you delete it there, too.
      </Removal>
    </div>
  );
  return (
    <OwnRow name={name} act={acts}>
      Added <DateText date={passkey.created_at} />
      {passkey.last_used_at ? (
        <>
          , last used <DateText date={passkey.last_used_at} />
        </>
      ) : (
        ", never used"
      )}
    </OwnRow>
  );
}

/** The service's own limit. */
const MAX_LENGTH = 120;

const nameSchema = v.object({
  name: neededText(MAX_LENGTH, "Please enter a name", `The name must be at most ${MAX_LENGTH} characters`),
});

type RenamePasskeyProps = {
  id: string;
  name: string;
  onRenamed: (name: string) => void;
  onCancel: () => void;
};

/** A name by which its owner recognizes the passkey. */
function RenamePasskey({ id, name, onRenamed, onCancel }: RenamePasskeyProps) {
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
