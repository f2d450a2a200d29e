import { PASSWORD_HINT, PasswordField } from "#app/features/session/password-field.tsx";
import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { type Credentials, findSignUpFault } from "#domain/credentials.ts";
import type { AddressProps } from "./address.ts";

type SignUpFormProps = AddressProps & {
  /** The account waits until a mailed link is opened. */
  onMailed: (email: string) => void;
};

/** Sign-up: with a session at once where the backend confirms by itself, else with a mail (decision 25). */
export function SignUpForm({ email, onEmail, onMailed }: SignUpFormProps) {
  const { form, button } = useSubmit({
    read: readSignUp,
    send: (client, input) =>
      client.auth.signUp({ ...input, options: { emailRedirectTo: window.location.origin } }),
    done({ data: { session } }, input) {
      if (session) showToast({ title: "Success!", description: "Account created. You can now log in." });
      else onMailed(input.email);
    },
  });
  return (
    <form {...form} className="grid gap-5">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={email}
        onChange={(event) => onEmail(event.target.value)}
        hint="Never shown to other players."
      />
      <PasswordField autoComplete="new-password" hint={PASSWORD_HINT} />
      <Button {...button} variant="primary">
        {button.disabled ? "Signing up…" : "Sign Up"}
      </Button>
    </form>
  );
}

function readSignUp({ email = "", password = "" }: Texts): Reading<Credentials> {
  const input = { email: email.trim(), password };
  return findSignUpFault(input) ?? { input };
}
