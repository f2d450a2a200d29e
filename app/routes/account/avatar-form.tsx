import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareAvatar, removeAvatar, saveAvatar } from "./avatar-files.ts";

type AvatarFormProps = { userId: string; username: string; avatarUrl: string | null };

const pictureSchema = v.objectAsync({
  picture: v.pipeAsync(
    v.file(),
    v.transformAsync(prepareAvatar),
    v.instance(Blob, "Please choose a JPEG, PNG or WebP picture"),
  ),
});

/** The picture that others see beside the name (P12). Saved as soon as it is chosen. */
export function AvatarForm({ userId, username, avatarUrl }: AvatarFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const choice = useRef<HTMLButtonElement>(null);
  const [url, setUrl] = useState(avatarUrl);
  const [isRemoved, setRemoved] = useState(false);
  const saving = useSessionForm({
    schema: pictureSchema,
    send: (client, { picture }) => saveAvatar(client, userId, picture),
    done(saved) {
      setUrl(saved);
      setRemoved(false);
      showToast({ title: "Picture saved", description: "Others see it beside your username." });
    },
  });
  const removing = useSessionForm({
    send: (client) => removeAvatar(client, userId),
    done() {
      setUrl(null);
      setRemoved(true);
      showToast({ title: "Picture removed" });
    },
  });
  const isBusy = saving.isBusy || removing.isBusy;

  // The button that was pressed is gone.
  useEffect(() => {
    if (isRemoved) choice.current?.focus();
  }, [isRemoved]);

  return (
    <section aria-label="Picture" className="grid grid-cols-[auto_1fr] items-center gap-4">
      <Avatar username={username} url={url} size={80} className="size-20" />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <Form {...saving.form}>
            <input
              ref={input}
              type="file"
              name="picture"
              accept="image/jpeg,image/png,image/webp"
              hidden
              onChange={({ target }) => {
                if (target.files?.length) target.form?.requestSubmit();
                // The same file can be chosen again after it was refused.
                target.value = "";
              }}
            />
            <Button ref={choice} aria-disabled={isBusy} onClick={() => isBusy || input.current?.click()}>
              {isBusy ? "Saving…" : url ? "Change picture" : "Choose picture"}
            </Button>
          </Form>
          {url && (
            <Form {...removing.form}>
              <Button {...removing.button} variant="ghost" aria-label="Remove picture">
                Remove
              </Button>
            </Form>
          )}
        </div>
        <p className="text-muted text-sm">JPEG, PNG or WebP. Please don't use a photo of yourself.</p>
      </div>
    </section>
  );
}
