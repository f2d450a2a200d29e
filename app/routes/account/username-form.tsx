import * as v from "valibot";
import { saveUsername } from "#app/features/profile/profile-queries.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { usernameSchema } from "#domain/people/username.ts";

/** The name that others see (P12). */
export function UsernameForm({ userId, username }: { userId: string; username: string }) {
  const { form, button } = useSessionForm({
    schema: v.object({ username: usernameSchema }),
    send: (client, input) => saveUsername(client, userId, input.username),
    done: (_, input) =>
      showToast({ title: "Username saved", description: `Others see you as ${input.username}.` }),
  });
  return (
    <Form {...form} className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={username}
        hint="3 to 20 letters, digits or underscores. Please don't use your real name."
      />
      <Button {...button} className="justify-self-start">
        Save username
      </Button>
    </Form>
  );
}
