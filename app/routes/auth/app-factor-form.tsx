import type { Factor } from "@supabase/supabase-js";
import { CodeField, codeSchema } from "#app/features/session/code-field.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Asks for the six digits of an authenticator app. */
export function AppFactorForm({ factor }: { factor: Factor }) {
  const { form, button, isBusy } = useSessionForm({
    schema: codeSchema,
    send: (client, { code }) => client.auth.mfa.challengeAndVerify({ factorId: factor.id, code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <CodeField autoFocus />
      <Button {...button} variant="primary">
        {isBusy ? "Checking…" : "Continue"}
      </Button>
    </Form>
  );
}
