import { changeSession } from "#app/features/session/session-store.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { AuthHeading } from "./auth-heading.tsx";

/** Where an email's undo link leads. It requires a press, since many mail services open links automatically. */
export default function UndoAccountChange({ token }: { token: string }) {
  const { form, button, isBusy } = useSessionForm({
    send(client) {
      // This session is for choosing a new password first.
      changeSession({ awaitsRecovery: true });
      return client.auth.verifyOtp({ token_hash: token, type: "recovery" });
    },
    done: () => changeSession({ awaitsRecovery: false, undoToken: null }),
  });
  return (
    <>
      <AuthHeading
        title="Take your account back"
        text="Did someone change how you sign in, and it wasn’t you? This restores your email address, ends all sessions, removes what was added since, and lets you choose a new password."
      />
      <Form {...form} className="grid gap-3">
        <Button {...button} variant="primary">
          {isBusy ? "Taking it back…" : "Take my account back"}
        </Button>
        <Button variant="ghost" size="sm" onClick={() => changeSession({ undoToken: null })}>
          It was me, change nothing
        </Button>
      </Form>
    </>
  );
}
