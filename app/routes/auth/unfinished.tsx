import type { Session, UserIdentity } from "@supabase/supabase-js";
import * as v from "valibot";
import { DateText } from "#app/features/items/date-text.tsx";
import { listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { linkedOf, nameOf } from "#app/features/sign-in/linked-identities.ts";
import { NewPasswordField } from "#app/features/sign-in/new-password-field.tsx";
import { usePasskeys } from "#app/features/sign-in/use-passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { newPasswordSchema } from "#domain/people/credentials.ts";
import { AuthHeading } from "./auth-heading.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";

/** What must be finished before going home: the second factor first, then a new password after recovery. */
export default function Unfinished() {
  const { session, isHalf } = useSession();
  if (session && isHalf) {
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

/** The account's sign-in methods, for users who had to recover it: what stays, and what the new password ends. */
function SignInMethods({ session: { user } }: { session: Session }) {
  const [passkeys] = usePasskeys();
  const factors = listVerifiedFactors({ user });
  const linked = linkedOf(user);
  // A provider with the same email address, which was just verified.
  const vouches = ({ identity_data: data }: UserIdentity) =>
    data?.email === user.email && data?.email_verified === true;
  const removed = Array.isArray(passkeys) ? passkeys : [];
  return (
    <div className="grid gap-3 text-sm">
      <div>
        <h2 className="font-semibold">Stays</h2>
        <ul className="list-disc pl-5">
          <li className="wrap-anywhere">Your email: {user.email}</li>
          {linked.filter(vouches).map(({ provider }) => (
            <li key={provider}>Signing in with {nameOf(provider)}</li>
          ))}
          {factors.map(({ id, friendly_name, created_at }) => (
            <li key={id} className="wrap-anywhere">
              Second factor “{friendly_name}”, added <DateText date={created_at} />
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2 className="font-semibold">Ends when you save</h2>
        <ul className="list-disc pl-5">
          <li>Your old password, every other session, and the access of applications</li>
          {linked
            .filter((identity) => !vouches(identity))
            .map(({ provider }) => (
              <li key={provider}>Signing in with {nameOf(provider)}</li>
            ))}
          {removed.map(({ id, friendly_name, created_at }) => (
            <li key={id} className="wrap-anywhere">
              Passkey “{friendly_name || "Passkey"}”, added <DateText date={created_at} />
            </li>
          ))}
          {passkeys === "failed" && <li>Every passkey on the account</li>}
        </ul>
        {removed.length > 0 && <p className="text-muted">You can add your own passkeys again afterward.</p>}
      </div>
    </div>
  );
}
