import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField, codeSchema } from "#app/features/sign-in/code-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** A factor that becomes active with its first code: its key as text and as a QR code. */
export type NewApp = { id: string; key: string; picture: string };

/** Shows the key for an authenticator app, and asks for its first code. */
export function EnrollApp({ app, onEnd }: { app: NewApp; onEnd: () => void }) {
  const { form, button } = useSessionForm({
    schema: codeSchema,
    send: (client, { code }) => client.auth.mfa.challengeAndVerify({ factorId: app.id, code }),
    done() {
      showToast({
        title: "Second factor is on",
        description: "You’ll be asked for a code when you sign in.",
      });
      onEnd();
    },
  });
  const cancel = useSessionForm({
    send: (client) => client.auth.mfa.unenroll({ factorId: app.id }),
    done: onEnd,
  });
  return (
    <div className="grid gap-4">
      <p>Scan this with your authenticator app, then enter the code it shows.</p>
      <img
        src={app.picture}
        alt="QR code with the key below"
        width={192}
        height={192}
        className="rounded-md bg-white p-2"
      />
      <p className="text-sm">
        Can’t scan it? Enter this key instead: <code className="break-all font-semibold">{app.key}</code>
      </p>
      <p className="text-muted text-sm">
        Keep the key in a safe place. You can use it to set up the app again if you lose your phone.
      </p>
      <Form {...form} className="grid gap-4">
        <CodeField />
        <Button {...button} variant="primary" className="justify-self-start">
          Turn it on
        </Button>
      </Form>
      <Form {...cancel.form}>
        <Button {...cancel.button} variant="ghost" size="sm">
          Cancel
        </Button>
      </Form>
    </div>
  );
}
