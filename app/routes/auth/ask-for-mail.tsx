import type { AuthError } from "@supabase/supabase-js";
import * as v from "valibot";
import { secondsToWait } from "#app/features/session/retry-after.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { emailSchema } from "#domain/people/credentials.ts";
import { AddressField } from "./address-field.tsx";
import type { SentMail } from "./mailed-code-form.tsx";

type AskForMailProps = {
  kind: "recovery" | "link";
  email: string;
  onMailed: (mail: SentMail) => void;
  onBack: () => void;
};

const WORDS = {
  recovery: {
    why: "Enter your email address and we’ll send you a link to choose a new password.",
    button: "Send the link",
  },
  link: {
    why: "Enter your email address and we’ll send you a link and a code. Either one signs you in without a password.",
    button: "Send a link and code",
  },
};

/** Requests an email that opens the form for a new password (P24), or that signs in directly. */
export default function AskForMail({ kind, email, onMailed, onBack }: AskForMailProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: v.object({ email: emailSchema }),
    send: async (client, input) => inClearWords(await askForMail(client, kind, input.email)),
    done: (_, input) => onMailed({ kind, email: input.email }),
  });
  const { why, button: label } = WORDS[kind];
  return (
    <Form {...form} className="grid gap-5">
      <p className="text-muted">{why}</p>
      <AddressField email={email} autoFocus />
      <Button {...button} variant="primary">
        {isBusy ? "Sending…" : label}
      </Button>
      <Button variant="ghost" size="sm" className="justify-self-center" onClick={onBack}>
        Back to Sign In
      </Button>
    </Form>
  );
}

/** Requests it from the service; the response is the same whether or not the address has an account. */
export function askForMail(
  { auth }: SessionClient,
  kind: AskForMailProps["kind"],
  email: string,
): Promise<{ error: AuthError | null }> {
  if (kind === "recovery") {
    return auth.resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/auth` });
  }
  const options = { shouldCreateUser: false, emailRedirectTo: window.location.origin };
  return auth.signInWithOtp({ email, options });
}

/** Tells users who ask again too soon how long to wait, instead of the service's "for security purposes". */
function inClearWords({ error }: { error: AuthError | null }) {
  const seconds = error && secondsToWait(error);
  if (!seconds) return { error };
  const message = `An email was asked for a moment ago. You can ask for another one in ${seconds} seconds.`;
  return { error: { message } };
}
