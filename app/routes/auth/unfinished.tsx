import * as v from "valibot";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { NewPasswordField } from "#app/features/sign-in/new-password-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { newPasswordSchema } from "#domain/people/credentials.ts";
import { AuthHeading } from "./auth-heading.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { SignInMethods } from "./sign-in-methods.tsx";

/** What must be finished before going home: the second factor first, then a new password after recovery. */
export default function Unfinished() {
  const { session } = useSession();
  if (session && owesSecondFactor(session)) {
    return (
      <>
        <AuthHeading title="One more step" text="Your account is protected by a second factor." />
        <SecondFactorForm session={session} />
      </>
    );
  }
  return (
    <>
      <AuthHeading
        title="Choose a new password"
        text="It replaces your old one. Check what else opens your account, too."
      />
      {session && <SignInMethods session={session} />}
      <NewPasswordForm />
    </>
  );
}

/** The form that a recovery link opens (4.events.05). */
function NewPasswordForm() {
  const { form, button, isBusy } = useSessionForm({
    schema: v.object({ password: newPasswordSchema }),
    send: (client, input) => client.auth.updateUser(input),
    done: () => showToast({ title: "Password changed", description: "You are logged in." }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <NewPasswordField label="New password" autoFocus />
      <Button {...button} variant="primary">
        {isBusy ? "Saving…" : "Save the new password"}
      </Button>
    </Form>
  );
}
