import type { ReactNode } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { MailedCodeForm, type SentMail } from "./mailed-code-form.tsx";

/**
 * Says that a mail must be read before going on (P25), and takes its code from who reads it on another device.
 * Nobody learns here whether the address has an account.
 */
export function MailSent({ mail, onBack }: { mail: SentMail; onBack: () => void }) {
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-2">
        <h2 className="text-xl">Look into your mailbox</h2>
        <p>{describe(mail)}</p>
      </div>
      <MailedCodeForm mail={mail} />
      <p className="text-muted text-sm">
        No email after a few minutes? Check your spam folder, and check the address.
      </p>
      {mail.kind === "confirmation" && <Resend email={mail.email} />}
      <Button variant="ghost" size="sm" className="justify-self-center" onClick={onBack}>
        Back to Sign In
      </Button>
    </div>
  );
}

function describe({ kind, email }: SentMail): ReactNode {
  const address = <strong className="wrap-anywhere">{email}</strong>;
  if (kind === "confirmation") {
    return (
      <>
        Your account is almost ready: open the link in the mail to {address}, and you are in. Or type in the
        code from it here.
      </>
    );
  }
  const what =
    kind === "recovery" ? "a link and a code to choose a new password" : "a link and a code to sign in";
  return (
    <>
      If {address} has an account, a mail with {what} is on its way.
    </>
  );
}

function Resend({ email }: { email: string }) {
  const { form, button } = useSessionForm({
    send: (client) =>
      client.auth.resend({
        type: "signup",
        email,
        options: { emailRedirectTo: window.location.origin },
      }),
    done: () => showToast({ title: "Sent again", description: `Another mail is on its way to ${email}.` }),
  });
  return (
    <Form {...form} className="grid">
      <Button {...button}>Send it again</Button>
    </Form>
  );
}
