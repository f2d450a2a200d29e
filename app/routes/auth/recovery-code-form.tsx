import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { spendRecoveryCode } from "#app/features/sign-in/recovery-codes.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

const schema = v.object({
  code: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/[a-z0-9]{5}.?[a-z0-9]{5}/i, "Please enter one of your recovery codes"),
  ),
});

/** Asks for a recovery code, for users who lost their second factor. */
export function RecoveryCodeForm() {
  const site = useSiteConfig();
  const { form, button, isBusy } = useSessionForm({
    schema,
    send: (client, { code }) => spendRecoveryCode(client, site, code),
    done: () =>
      showToast({
        title: "Logged in successfully",
        description:
          "That recovery code won’t work again. If you lost your second factor, remove it on your account page.",
      }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <TextField
        label="Recovery code"
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        hint="One of the codes you saved when you set up your second factor, such as abcde-fghjk. Each one works once."
      />
      <Button {...button} variant="primary">
        {isBusy ? "Checking…" : "Continue"}
      </Button>
    </Form>
  );
}
