import { PasswordField } from "#app/features/session/password-field.tsx";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import type { AddressProps } from "./address.ts";

type SignInFormProps = AddressProps & {
  /** Something else than the password is wanted: a mail of this kind. */
  onAsk: (kind: "link" | "recovery") => void;
};

/** Sign-in checks nothing by itself (5.signup.11): what is wrong, the service says. */
export function SignInForm({ email, onEmail, onAsk }: SignInFormProps) {
  const { form, button } = useSubmit({
    read: ({ email = "", password = "" }) => ({ input: { email: email.trim(), password } }),
    send: (client, input) => client.auth.signInWithPassword(input),
    done({ data: { session } }) {
      if (!owesSecondFactor(session)) showToast({ title: "Logged in successfully" });
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
      />
      <PasswordField autoComplete="current-password" />
      <Button {...button} variant="primary">
        {button.disabled ? "Signing in…" : "Sign In"}
      </Button>
      <div className="grid justify-items-center gap-1">
        <Button variant="ghost" size="sm" onClick={() => onAsk("link")}>
          Email me a link or code
        </Button>
        <Button variant="ghost" size="sm" onClick={() => onAsk("recovery")}>
          Forgot your password?
        </Button>
      </div>
    </form>
  );
}
