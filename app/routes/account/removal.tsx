import { type ReactNode, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";

type RemovalProps = {
  name: string;
  /** The consequences, as sentences. */
  children: ReactNode;
  remove(
    client: SessionClient,
  ): PromiseLike<{ error: { message: string; code?: string | undefined } | null }>;
  onRemoved(): void;
};

/** A button that confirms before a sign-in method is removed. */
export function Removal({ name, children, remove, onRemoved }: RemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const { form, button, isBusy } = useSessionForm({
    send: (client) => remove(client),
    done() {
      setAsking(false);
      onRemoved();
    },
  });
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        Remove<span className="sr-only"> {name}</span>
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Remove “${name}”?`}>
        <Form {...form} className="grid gap-5">
          <p>{children}</p>
          <FormActions
            button={button}
            label={isBusy ? "Removing…" : "Yes, remove it"}
            variant="danger"
            onCancel={() => setAsking(false)}
            cancel="Keep it"
          />
        </Form>
      </Dialog>
    </>
  );
}
