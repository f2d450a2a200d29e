import { useState } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { usePasskeys } from "#app/features/sign-in/use-passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { Unread } from "../own-list.tsx";
import { PasskeyRow } from "./passkey-row.tsx";

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
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => withReadableError(await client.auth.registerPasskey()),
    done({ data }) {
      showToast({ title: "Passkey added", description: "You can sign in with it from now on." });
      if (data) onAdded(data.id);
    },
  });
  return (
    <Form {...form}>
      <Button {...button}>
        <KeyIcon />
        {isBusy ? "Waiting for your device…" : "Add a passkey"}
      </Button>
    </Form>
  );
}
