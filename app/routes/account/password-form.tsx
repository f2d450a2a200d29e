import { PASSWORD_HINT, PasswordField } from "#app/features/session/password-field.tsx";
import { readNewPassword } from "#app/features/session/read-new-password.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** A new password; the address goes with it unseen, so that password managers know whose it is. */
export function PasswordForm({ email }: { email: string }) {
  const { form, button } = useSubmit({
    read: readNewPassword,
    send: (client, password) => client.auth.updateUser({ password }),
    done(_, __, element) {
      element.reset();
      showToast({ title: "Password changed", description: "Your sessions in other places have ended." });
    },
  });
  return (
    <form {...form} className="grid gap-4">
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="New password" autoComplete="new-password" hint={PASSWORD_HINT} />
      <Button {...button} className="justify-self-start">
        Change password
      </Button>
    </form>
  );
}
