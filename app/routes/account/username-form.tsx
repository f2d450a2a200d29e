import { useState } from "react";
import * as v from "valibot";
import { useKeptText } from "#app/features/browser-storage/use-kept-text.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { NameOffers } from "#app/features/profile/name-offers.tsx";
import { saveUsername } from "#app/features/profile/profile-queries.ts";
import { UsernameField } from "#app/features/profile/username-field.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { usernameSchema } from "#domain/people/username.ts";

/** The name that others see (P12). */
export function UsernameForm({ userId, username }: { userId: string; username: string }) {
  const refresh = useRefresh();
  // Until something is typed, the field follows other tabs: an old name left in it could be saved back.
  const { text, type, forget } = useKeptText(`username by ${userId}`);
  const [isRefused, setRefused] = useState(false);
  const { form, button } = useSessionForm({
    schema: v.object({ username: usernameSchema }),
    async send(client, input) {
      setRefused(false);
      try {
        return await saveUsername(client, userId, input.username);
      } catch (refusal) {
        setRefused(true);
        throw refusal;
      }
    },
    async done(_, input) {
      showToast({ title: "Username saved", description: `Others see you as ${input.username}.` });
      await refresh("profiles");
      forget();
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <UsernameField label="Username" value={text ?? username} onChange={type} />
      {isRefused && <NameOffers onChoose={type} />}
      <Button {...button} className="justify-self-start">
        Save username
      </Button>
    </Form>
  );
}
