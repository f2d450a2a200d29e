import { useRef, useState } from "react";
import * as v from "valibot";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField } from "#app/features/sign-in/code-field.tsx";
import { NewPasswordField } from "#app/features/sign-in/new-password-field.tsx";
import { PasswordField } from "#app/features/sign-in/password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { newPasswordSchema } from "#domain/people/credentials.ts";

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
      const answer = await changePassword(client, change, isProved);
      const { error } = answer;
      if (error?.code === "same_password" && unanswered.current === change.password) return { error: null };
      if (error && isUnanswered(error)) unanswered.current = change.password;
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

type PasswordChange = { password: string; nonce: string; current: string };

/** What the service requires besides the new password: a mailed code, or the current password. */
type WantedProof = "nonce" | "current";

type Answer = { error: { message: string; code?: string | undefined } | null; wanted?: WantedProof };

/** Saves the password, or returns what is still required; a code is then on its way. */
async function changePassword(
  client: SessionClient,
  change: PasswordChange,
  isProved: boolean,
): Promise<Answer> {
  const { error } = await client.auth.updateUser({
    password: change.password,
    ...(change.nonce && { nonce: change.nonce }),
    ...(change.current && { current_password: change.current }),
  });
  if (error?.code === "current_password_required") return { error: null, wanted: "current" };
  if (error?.code !== "reauthentication_needed") return { error };
  // If it is still refused after a proof, the service wants a mailed code.
  if (!isProved) return { error };
  const asked = await client.auth.reauthenticate();
  return asked.error ? asked : { error: null, wanted: "nonce" };
}
