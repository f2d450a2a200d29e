import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { changeSession } from "#app/features/session/session-store.ts";
import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import type { SentMail } from "./sent-mail.ts";

/** The mail's code in place of its link, for a mailbox on another device. */
export function MailedCodeForm({ mail: { kind, email } }: { mail: SentMail }) {
  const { form, button } = useSubmit({
    read: readMailedCode,
    send(client, token) {
      // The session that this brings is for choosing a new password first.
      if (kind === "recovery") changeSession({ awaitsRecovery: true });
      return client.auth.verifyOtp({ email, token, type: kind === "recovery" ? "recovery" : "email" });
    },
    done({ data: { session } }) {
      changeSession({ awaitsRecovery: false });
      if (kind === "recovery" || owesSecondFactor(session)) return;
      if (kind === "link") showToast({ title: "Logged in successfully" });
      else showToast({ title: "Email confirmed", description: "You are logged in." });
    },
  });
  return (
    <form {...form} className="grid gap-4">
      <TextField
        label="Code from the mail"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        required
      />
      <Button {...button} variant="primary">
        {button.disabled ? "Checking…" : "Continue with the code"}
      </Button>
    </form>
  );
}

/** Six digits, or as many more as the operator wants. */
function readMailedCode({ code = "" }: Texts): Reading<string> {
  const digits = code.replace(/\s/g, "");
  if (/^\d{6,10}$/.test(digits)) return { input: digits };
  return { field: "code", message: "Please enter the digits of the code" };
}
