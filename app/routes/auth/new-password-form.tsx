import * as v from "valibot";
import { PASSWORD_HINT, PasswordField } from "#app/features/session/password-field.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { newPasswordSchema } from "#domain/people/credentials.ts";

/** What a recovery link opens (4.events.05). */
export function NewPasswordForm() {
  const { form, button, isBusy } = useSessionForm({
    schema: v.object({ password: newPasswordSchema }),
    send: (client, input) => client.auth.updateUser(input),
    done: () => showToast({ title: "Password changed", description: "You are logged in." }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <PasswordField label="New password" autoComplete="new-password" autoFocus hint={PASSWORD_HINT} />
      <Button {...button} variant="primary">
        {isBusy ? "Saving…" : "Save the new password"}
      </Button>
    </Form>
  );
}
