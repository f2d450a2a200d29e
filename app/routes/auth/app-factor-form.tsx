import type { Factor } from "@supabase/supabase-js";
import { CodeField, readCode } from "#app/features/session/code-field.tsx";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Asks for the six digits of an authenticator app. */
export function AppFactorForm({ factor }: { factor: Factor }) {
  const { form, button } = useSubmit({
    read: readCode,
    send: (client, code) => client.auth.mfa.challengeAndVerify({ factorId: factor.id, code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <form {...form} className="grid gap-5">
      <CodeField autoFocus />
      <Button {...button} variant="primary">
        {button.disabled ? "Checking…" : "Continue"}
      </Button>
    </form>
  );
}
