import { inPlainWords } from "#app/features/session/key-failure.ts";
import { KeyIcon } from "#app/features/session/key-icon.tsx";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Lets the browser make a passkey; its owner may name it right away. */
export function AddPasskey({ onAdded }: { onAdded: (id: string) => void }) {
  const { form, button } = useSubmit({
    read: () => ({ input: null }),
    send: async (client) => inPlainWords(await client.auth.registerPasskey()),
    done({ data }) {
      showToast({ title: "Passkey added", description: "You can sign in with it from now on." });
      if (data) onAdded(data.id);
    },
  });
  return (
    <form {...form}>
      <Button {...button}>
        <KeyIcon />
        {button.disabled ? "Waiting for your device…" : "Add a passkey"}
      </Button>
    </form>
  );
}
