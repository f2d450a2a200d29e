import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Signs in with a passkey, which identifies its user; the page then continues as after a password. */
export default function PasskeySignIn() {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => withReadableError(await client.auth.signInWithPasskey()),
    done({ data }) {
      if (data?.session && !owesSecondFactor(data.session)) showToast({ title: "Logged in successfully" });
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <Button {...button}>
        <KeyIcon />
        {isBusy ? "Waiting for your device…" : "Sign in with a passkey"}
      </Button>
    </Form>
  );
}
