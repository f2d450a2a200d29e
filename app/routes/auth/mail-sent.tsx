import type { ReactNode } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { SendAgain } from "#app/features/sign-in/send-again.tsx";
import { Button } from "#app/ui/button.tsx";
import { focusNow } from "#app/ui/form/focus-now.ts";
import { askForMail } from "./ask-for-mail.tsx";
import { MailedCodeForm, type SentMail } from "./mailed-code-form.tsx";

/**
 * Says that an email must be opened before continuing (P25), and accepts its code from users who read it on another
 * device. Does not reveal whether the address has an account.
 */
export default function MailSent({ mail, onBack }: { mail: SentMail; onBack: () => void }) {
  return (
    <div className="grid gap-5">
      {/* The form that had the focus is gone, and on a phone the page may be scrolled to where its button was. */}
      <div ref={focusNow} tabIndex={-1} className="grid gap-2">
        <h2 className="text-xl">Check your inbox</h2>
        <p>{describe(mail)}</p>
      </div>
      <MailedCodeForm mail={mail} />
      <p className="text-muted text-sm">
        No email after a few minutes? Check your spam folder and the address above.
      </p>
      <SendAgain email={mail.email} send={(client) => sendMail(mail, client)} />
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
        Your account is almost ready. Open the link in the email we sent to {address}, or enter the code from
        it here.
      </>
    );
  }
  const what =
    kind === "recovery" ? "a link and a code to choose a new password" : "a link and a code to sign in";
  return (
    <>
      If {address} has an account, an email with {what} is on its way.
    </>
  );
}

/** Requests the same email again. */
function sendMail({ kind, email }: SentMail, client: SessionClient) {
  if (kind !== "confirmation") return askForMail(client, kind, email);
  const options = { emailRedirectTo: window.location.origin };
  return client.auth.resend({ type: "signup", email, options });
}
