import { saveUsername } from "#app/features/profile/profile-queries.ts";
import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { findUsernameFault } from "#domain/username.ts";

/** The name that others see (decision 12). */
export function UsernameForm({ userId, username }: { userId: string; username: string }) {
  const { form, button } = useSubmit({
    read: readUsername,
    send: (client, name) => saveUsername(client, userId, name),
    done: (_, name) => showToast({ title: "Username saved", description: `Others see you as ${name}.` }),
  });
  return (
    <form {...form} className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={username}
        hint="3 to 20 letters, digits or underscores. Please not your real name."
      />
      <Button {...button} className="justify-self-start">
        Save username
      </Button>
    </form>
  );
}

function readUsername({ username = "" }: Texts): Reading<string> {
  const message = findUsernameFault(username.trim());
  return message ? { field: "username", message } : { input: username.trim() };
}
