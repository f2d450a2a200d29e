import { PasswordField } from "#app/features/session/password-field.tsx";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { AddressField, type AddressProps } from "./address-field.tsx";

type SignInFormProps = AddressProps & {
  /** Something else than the password is wanted: a mail of this kind. */
  onAsk: (kind: "link" | "recovery") => void;
};

/** Sign-in checks nothing by itself (5.signup.11): what is wrong, the service says. */
export function SignInForm({ email, onEmail, onAsk }: SignInFormProps) {
  const { form, button, isBusy } = useSessionForm({
    send: (client, { email: typed, password }) =>
      client.auth.signInWithPassword({ email: String(typed).trim(), password: String(password) }),
    done({ data: { session } }) {
      if (!owesSecondFactor(session)) showToast({ title: "Logged in successfully" });
    },
  });
  return (
    <Form {...form} className="grid gap-5">
      <AddressField email={email} onChange={(event) => onEmail(event.target.value)} />
      <PasswordField autoComplete="current-password" />
      <Button {...button} variant="primary">
        {isBusy ? "Signing in…" : "Sign In"}
      </Button>
      <div className="grid justify-items-center gap-1">
        <Button variant="ghost" size="sm" onClick={() => onAsk("link")}>
          Email me a link or code
        </Button>
        <Button variant="ghost" size="sm" onClick={() => onAsk("recovery")}>
          Forgot your password?
        </Button>
      </div>
    </Form>
  );
}
