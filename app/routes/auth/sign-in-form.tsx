import { useNavigate } from "react-router";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { PasswordField } from "#app/features/sign-in/password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { AddressField, type AddressProps } from "./address-field.tsx";

type SignInFormProps = AddressProps & {
  /** Called when the user wants an email of this kind instead of a password. */
  onAsk: (kind: "link" | "recovery") => void;
};

/** The appeal link that suspended users receive with the reason (supabase/schemas/moderation/bans.sql). */
const APPEAL = / To appeal: (\/appeal\?key=[0-9a-f-]{36})$/;

/** Sends suspended users to the page that explains why, and removes the link from the message. */
async function withoutAppeal<T extends { error: { message: string } | null }>(
  signingIn: Promise<T>,
  lead: (path: string) => void,
): Promise<T> {
  const answer = await signingIn;
  const path = answer.error && APPEAL.exec(answer.error.message)?.[1];
  if (answer.error && path) {
    answer.error.message = answer.error.message.replace(APPEAL, "");
    lead(path);
  }
  return answer;
}

/** The sign-in form validates nothing itself (5.signup.11): the service says what is wrong. */
export function SignInForm({ email, onEmail, onAsk }: SignInFormProps) {
  const navigate = useNavigate();
  const { form, button, isBusy } = useSessionForm({
    send: (client, { email: typed, password }) =>
      withoutAppeal(
        client.auth.signInWithPassword({ email: String(typed).trim(), password: String(password) }),
        (path) => void navigate(path),
      ),
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
