import type { Factor } from "@supabase/supabase-js";
import { inPlainWords } from "#app/features/session/key-failure.ts";
import { KeyIcon } from "#app/features/session/key-icon.tsx";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Asks for any security key of the account; the browser's own window does the rest. */
export function KeyFactorForm({ factor }: { factor: Factor }) {
  const { form, button } = useSubmit({
    read: () => ({ input: factor.id }),
    send: async (client, factorId) => inPlainWords(await client.auth.mfa.webauthn.authenticate({ factorId })),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <form {...form} className="grid gap-5">
      <p className="text-muted">Have one of your security keys at hand: your browser asks for it.</p>
      <Button {...button} variant="primary" autoFocus>
        <KeyIcon />
        {button.disabled ? "Waiting for your key…" : "Use my security key"}
      </Button>
    </form>
  );
}
