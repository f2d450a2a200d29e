import { PASSWORD_HINT, PasswordField } from "#app/features/session/password-field.tsx";
import { readNewPassword } from "#app/features/session/read-new-password.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** What a recovery link opens (4.events.05). */
export function NewPasswordForm() {
  const { form, button } = useSubmit({
    read: readNewPassword,
    send: (client, password) => client.auth.updateUser({ password }),
    done: () => showToast({ title: "Password changed", description: "You are logged in." }),
  });
  return (
    <form {...form} className="grid gap-5">
      <PasswordField label="New password" autoComplete="new-password" autoFocus hint={PASSWORD_HINT} />
      <Button {...button} variant="primary">
        {button.disabled ? "Saving…" : "Save the new password"}
      </Button>
    </form>
  );
}
