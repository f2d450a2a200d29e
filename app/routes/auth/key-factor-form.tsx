import type { Factor } from "@supabase/supabase-js";
import { inPlainWords } from "#app/features/session/key-failure.ts";
import { KeyIcon } from "#app/features/session/key-icon.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Asks for any security key of the account; the browser's own window does the rest. */
export function KeyFactorForm({ factor }: { factor: Factor }) {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) =>
      inPlainWords(await client.auth.mfa.webauthn.authenticate({ factorId: factor.id })),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <p className="text-muted">Have one of your security keys at hand: your browser asks for it.</p>
      <Button {...button} variant="primary" autoFocus>
        <KeyIcon />
        {isBusy ? "Waiting for your key…" : "Use my security key"}
      </Button>
    </Form>
  );
}
