import * as v from "valibot";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { changeSession } from "#app/features/session/session-store.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField, digitsSchema } from "#app/features/sign-in/code-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** The kind and recipient of the email. */
export type SentMail = { kind: "confirmation" | "recovery" | "link"; email: string };

/** Accepts the email's code instead of its link, for a mailbox on another device. */
export function MailedCodeForm({ mail: { kind, email } }: { mail: SentMail }) {
  const { form, button, isBusy } = useSessionForm({
    schema: mailedCodeSchema,
    send(client, { code: token }) {
      // This session is for choosing a new password first.
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
    <Form {...form} className="grid gap-4">
      <CodeField label="Code from the email" hint="" />
      <Button {...button} variant="primary">
        {isBusy ? "Checking…" : "Continue with the code"}
      </Button>
    </Form>
  );
}

/** Six digits, or more if the operator configured it. */
const mailedCodeSchema = v.object({
  code: digitsSchema(/^\d{6,10}$/, "Please enter the digits of the code"),
});
