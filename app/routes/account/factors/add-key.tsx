import { inPlainWords } from "#app/features/session/key-failure.ts";
import { KeyIcon } from "#app/features/session/key-icon.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { freeName } from "./free-name.ts";

/** Lets the browser ask for a security key, which counts at once. */
export function AddKey() {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => inPlainWords(await register(client, "Security key")),
    done: () =>
      showToast({ title: "Security key added", description: "You’ll be asked for it when you sign in." }),
  });
  return (
    <Form {...form}>
      <Button {...button}>
        <KeyIcon />
        {isBusy ? "Waiting for your key…" : "Add a security key"}
      </Button>
    </Form>
  );
}

async function register(client: SessionClient, name: string) {
  const { mfa } = client.auth;
  const listed = await mfa.listFactors();
  if (listed.error) return listed;
  const { all } = listed.data;
  // What an earlier try left when the browser's window was closed.
  const left = all.filter(({ factor_type, status }) => factor_type === "webauthn" && status === "unverified");
  for (const { id } of left) await mfa.unenroll({ factorId: id });
  const taken = all.filter((factor) => !left.includes(factor)).map(({ friendly_name }) => friendly_name);
  return mfa.webauthn.register({ friendlyName: freeName(name, taken) });
}
