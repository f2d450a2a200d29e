import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { sendProofCode } from "./prove-identity.ts";

/** For accounts that have no password, or whose owner forgot it. */
export function MailCode({ email, onSent }: { email: string; onSent: () => void }) {
  const { form, button } = useSessionForm({
    send: (client) => sendProofCode(client, email),
    done: onSent,
  });
  return (
    <Form {...form}>
      <Button {...button} variant="ghost" size="sm">
        No password? Mail me a code
      </Button>
    </Form>
  );
}
