import { useRef } from "react";
import { Link } from "react-router";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { NewPasswordField } from "#app/features/sign-in/new-password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { signUpSchema } from "#domain/people/credentials.ts";
import { AddressField, type AddressProps } from "./address-field.tsx";

type SignUpFormProps = AddressProps & {
  /** Called if the account waits for its confirmation link. */
  onMailed: (email: string) => void;
};

/** Sign-up: with a session at once if the backend requires no confirmation, else with an email (P25). */
export default function SignUpForm({ email, onEmail, onMailed }: SignUpFormProps) {
  const unanswered = useRef<string>(null);
  const { form, button, isBusy } = useSessionForm({
    schema: signUpSchema,
    async send(client, input) {
      const options = { emailRedirectTo: window.location.origin };
      const answer = await client.auth.signUp({ ...input, options });
      const sent = JSON.stringify(input);
      if (answer.error && isUnanswered(answer.error)) unanswered.current = sent;
      if (answer.error?.code !== "user_already_exists" || unanswered.current !== sent) return answer;
      // The attempt without an answer may have created it.
      const entry = await client.auth.signInWithPassword(input);
      return entry.error ? answer : entry;
    },
    done({ data: { session } }, input) {
      if (session) showToast({ title: "Success!", description: "Account created. You can now log in." });
      else onMailed(input.email);
    },
  });
  return (
    <Form {...form} className="grid gap-5">
      <AddressField
        email={email}
        onChange={(event) => onEmail(event.target.value)}
        hint="Never shown to other players."
      />
      <NewPasswordField />
      <Button {...button} variant="primary">
        {isBusy ? "Signing up…" : "Sign Up"}
      </Button>
      <p className="text-muted text-sm">
        By signing up you agree to the{" "}
        <Link to="/terms" className="link">
          Terms of Service
        </Link>
        . The{" "}
        <Link to="/privacy" className="link">
          Privacy Policy
        </Link>{" "}
        says what we keep.{" "}
        <Link to="/parents" className="link">
          For parents
        </Link>
      </p>
    </Form>
  );
}
