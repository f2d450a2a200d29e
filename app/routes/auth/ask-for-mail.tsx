import type { SessionClient } from "#app/features/session/session-client.ts";
import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { findEmailFault } from "#domain/credentials.ts";
import type { SentMail } from "./sent-mail.ts";

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

/** Asks for a mail that opens the form for a new password (decision 24), or that signs in by itself. */
export function AskForMail({ kind, email, onMailed, onBack }: AskForMailProps) {
  const { form, button } = useSubmit({
    read: readAddress,
    send: (client, address) => askers[kind](client, address),
    done: (_, address) => onMailed({ kind, email: address }),
  });
  const { why, button: label } = WORDS[kind];
  return (
    <form {...form} className="grid gap-5">
      <p className="text-muted">{why}</p>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoFocus
        required
        defaultValue={email}
      />
      <Button {...button} variant="primary">
        {button.disabled ? "Sending…" : label}
      </Button>
      <Button variant="ghost" size="sm" className="justify-self-center" onClick={onBack}>
        Back to Sign In
      </Button>
    </form>
  );
}

type Asker = (client: SessionClient, email: string) => Promise<{ error: { message: string } | null }>;

const askers: Record<AskForMailProps["kind"], Asker> = {
  recovery: ({ auth }, email) =>
    auth.resetPasswordForEmail(email, { redirectTo: `${window.location.origin}/auth` }),
  link: ({ auth }, email) =>
    auth.signInWithOtp({
      email,
      options: { shouldCreateUser: false, emailRedirectTo: window.location.origin },
    }),
};

function readAddress({ email = "" }: Texts): Reading<string> {
  const message = findEmailFault(email.trim());
  return message ? { field: "email", message } : { input: email.trim() };
}
