import * as v from "valibot";
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
    why: "Tell us your email address, and we send you a link to choose a new password.",
    button: "Send the link",
  },
  link: {
    why: "Tell us your email address, and we send you a link and a code. Either signs you in, without a password.",
    button: "Send link and code",
  },
};

/** Asks for a mail that opens the form for a new password (P24), or that signs in by itself. */
export function AskForMail({ kind, email, onMailed, onBack }: AskForMailProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: v.object({ email: emailSchema }),
    send: (client, input) => askers[kind](client, input.email),
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

type Asker = (
  client: SessionClient,
  email: string,
) => Promise<{ error: { message: string; code?: string | undefined } | null }>;

const askers: Record<AskForMailProps["kind"], Asker> = {
  recovery: ({ auth }, email) =>
    auth.resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/auth` }),
  link: ({ auth }, email) =>
    auth.signInWithOtp({
      email,
      options: { shouldCreateUser: false, emailRedirectTo: window.location.origin },
    }),
};
