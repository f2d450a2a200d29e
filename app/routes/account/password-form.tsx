import { useRef, useState } from "react";
import * as v from "valibot";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField } from "#app/features/sign-in/code-field.tsx";
import { NewPasswordField } from "#app/features/sign-in/new-password-field.tsx";
import { PasswordField } from "#app/features/sign-in/password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { newPasswordSchema } from "#domain/people/credentials.ts";
import { changePassword, repeatChange, type WantedProof } from "./change-password.ts";

/**
 * A new password; the email address is included in a hidden field, so that password managers know the account. If the
 * service requires proof of identity, the form asks for it.
 */
export function PasswordForm({ email }: { email: string }) {
  const [wanted, setWanted] = useState<WantedProof | null>(null);
  /** The password last sent without a response: it may be stored. */
  const unanswered = useRef("");
  const { form, button } = useSessionForm({
    schema: changeSchema,
    async send(client, change, isProved) {
      const isRepeat = unanswered.current === change.password;
      const answer = await (isRepeat ? repeatChange : changePassword)(client, change, isProved);
      if (answer.error && isUnanswered(answer.error)) unanswered.current = change.password;
      return answer;
    },
    done(answer, _, element) {
      if (answer.wanted) {
        setWanted(answer.wanted);
        return showToast(ASKED[answer.wanted]);
      }
      element.reset();
      setWanted(null);
      showToast({ title: "Password changed", description: "You’re signed out everywhere else." });
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" />
      {wanted === "nonce" && (
        <CodeField name="nonce" label="Code from the email" hint={`We sent it to ${email}.`} autoFocus />
      )}
      {wanted === "current" && (
        <PasswordField label="Current password" name="current" autoComplete="current-password" autoFocus />
      )}
      <Button {...button} className="justify-self-start">
        Change password
      </Button>
    </Form>
  );
}

const ASKED = {
  nonce: { title: "Check your inbox", description: "Enter the code we emailed you." },
  current: { title: "One more thing", description: "Enter your current password, too." },
};

const changeSchema = v.object({
  password: newPasswordSchema,
  nonce: v.optional(
    v.pipe(
      v.string(),
      v.transform((code) => code.replace(/\s/g, "")),
    ),
    "",
  ),
  current: v.optional(v.string(), ""),
});
