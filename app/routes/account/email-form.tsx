import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { findEmailFault } from "#domain/credentials.ts";

/** The address changes when the mailed links are opened; at once where the backend asks for none. */
export function EmailForm({ email }: { email: string }) {
  const { form, button } = useSubmit({
    read: readAddress,
    send: (client, address) =>
      client.auth.updateUser({ email: address }, { emailRedirectTo: `${window.location.origin}/account` }),
    done({ data: { user } }, address, element) {
      const isChanged = user?.email === address.toLowerCase();
      element.reset();
      showToast(isChanged ? { title: "Email changed" } : CONFIRM);
    },
  });
  return (
    <form {...form} className="grid gap-4">
      <p>
        Now: <strong className="wrap-anywhere">{email}</strong>
      </p>
      <TextField label="New email" name="email" type="email" autoComplete="email" required />
      <Button {...button} className="justify-self-start">
        Change email
      </Button>
    </form>
  );
}

const CONFIRM = {
  title: "Look into your mailbox",
  description:
    "The change needs the links that we mailed to confirm it, to your old address too where one came there.",
};

function readAddress({ email = "" }: Texts): Reading<string> {
  const message = findEmailFault(email.trim());
  return message ? { field: "email", message } : { input: email.trim() };
}
