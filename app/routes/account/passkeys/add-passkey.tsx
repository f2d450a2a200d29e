import { inPlainWords } from "#app/features/session/key-failure.ts";
import { KeyIcon } from "#app/features/session/key-icon.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Lets the browser make a passkey; its owner may name it right away. */
export function AddPasskey({ onAdded }: { onAdded: (id: string) => void }) {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => inPlainWords(await client.auth.registerPasskey()),
    done({ data }) {
      showToast({ title: "Passkey added", description: "You can sign in with it from now on." });
      if (data) onAdded(data.id);
    },
  });
  return (
    <Form {...form}>
      <Button {...button}>
        <KeyIcon />
        {isBusy ? "Waiting for your device…" : "Add a passkey"}
      </Button>
    </Form>
  );
}
