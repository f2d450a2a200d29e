import type { ReactNode } from "react";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Which mail is on its way, and to whom. */
export type SentMail = { kind: "confirmation" | "recovery"; email: string };

/**
 * Says that a mail must be read before going on (decision 25). Nobody learns here whether the address has an account.
 */
export function MailSent({ mail, onBack }: { mail: SentMail; onBack: () => void }) {
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-2">
        <h2 className="text-xl">Look into your mailbox</h2>
        {mail.kind === "confirmation" ? (
          <p>
            Your account is almost ready: open the link in the mail to <Address>{mail.email}</Address>, and
            you are in.
          </p>
        ) : (
          <p>
            If <Address>{mail.email}</Address> has an account, a mail with a link to choose a new password is
            on its way.
          </p>
        )}
      </div>
      <p className="text-muted text-sm">
        No mail after a few minutes? Look among the spam, and check the address.
      </p>
      {mail.kind === "confirmation" && <Resend email={mail.email} />}
      <Button variant="ghost" size="sm" className="justify-self-center" onClick={onBack}>
        Back to Sign In
      </Button>
    </div>
  );
}

function Address({ children }: { children: ReactNode }) {
  return <strong className="break-words">{children}</strong>;
}

function Resend({ email }: { email: string }) {
  const { form, button } = useSubmit({
    read: () => ({ input: email }),
    send: (client) =>
      client.auth.resend({
        type: "signup",
        email,
        options: { emailRedirectTo: window.location.origin },
      }),
    done: () => showToast({ title: "Sent again", description: `Another mail is on its way to ${email}.` }),
  });
  return (
    <form {...form} className="grid">
      <Button {...button}>Send it again</Button>
    </form>
  );
}
