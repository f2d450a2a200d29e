import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { findEmailFault } from "#domain/credentials.ts";

type ForgottenPasswordFormProps = { email: string; onMailed: (email: string) => void; onBack: () => void };

/** Asks for a mail whose link opens the form for a new password (decision 24). */
export function ForgottenPasswordForm({ email, onMailed, onBack }: ForgottenPasswordFormProps) {
  const { form, button } = useSubmit({
    read: readAddress,
    send: (client, address) =>
      client.auth.resetPasswordForEmail(address, { redirectTo: `${window.location.origin}/auth` }),
    done: (_, address) => onMailed(address),
  });
  return (
    <form {...form} className="grid gap-5">
      <p className="text-muted">
        Tell us your email address, and we send you a link to choose a new password.
      </p>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoFocus
        required
        defaultValue={email}
      />
      <Button {...button} variant="primary">
        {button.disabled ? "Sending…" : "Send the link"}
      </Button>
      <Button variant="ghost" size="sm" className="justify-self-center" onClick={onBack}>
        Back to Sign In
      </Button>
    </form>
  );
}

function readAddress({ email = "" }: Texts): Reading<string> {
  const message = findEmailFault(email.trim());
  return message ? { field: "email", message } : { input: email.trim() };
}
