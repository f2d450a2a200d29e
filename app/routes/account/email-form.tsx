import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { emailSchema } from "#domain/people/credentials.ts";

/** The address changes when the mailed links are opened, or at once if the backend requires no confirmation. */
export function EmailForm({ email }: { email: string }) {
  const { form, button } = useSessionForm({
    schema: v.object({
      email: v.pipe(
        emailSchema,
        v.check((typed) => !isSame(typed, email), SAME),
      ),
    }),
    send: (client, input) =>
      client.auth.updateUser(input, { emailRedirectTo: `${window.location.origin}/account` }),
    done({ data: { user } }, input, element) {
      const isChanged = isSame(user?.email ?? "", input.email);
      element.reset();
      showToast(isChanged ? { title: "Email changed" } : CONFIRM);
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>
        Now: <strong className="wrap-anywhere">{email}</strong>
      </p>
      <TextField label="New email" name="email" type="email" autoComplete="email" required />
      <Button {...button} className="justify-self-start">
        Change email
      </Button>
    </Form>
  );
}

const CONFIRM = {
  title: "Check your inbox",
  description:
    "Open the link we emailed you to confirm the change. If your old address got one too, open both.",
};

const SAME = "This is already your email";

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
