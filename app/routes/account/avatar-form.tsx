import { useRef, useState } from "react";
import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { SessionButton } from "#app/features/session/session-button.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareAvatar, readWaiting, saveAvatar, saveAvatarUrl, takeBack } from "./avatar-files.ts";
import { AvatarPicker } from "./avatar-picker.tsx";
import { useShowProfile } from "./use-show-profile.ts";

type AvatarFormProps = { userId: string; username: string; avatarUrl: string | null };

/** The avatar that others see beside the name (P12, P47). */
export function AvatarForm({ userId, username, avatarUrl }: AvatarFormProps) {
  const choice = useRef<HTMLButtonElement>(null);
  const { takesUploads } = useSiteConfig();
  const refresh = useRefresh();
  const show = useShowProfile();
  const [isPicking, setPicking] = useState(false);
  const caught = useFocusFallback(avatarUrl);

  return (
    <section aria-label="Picture" className="flex flex-wrap items-center gap-4">
      <Avatar username={username} url={avatarUrl} size={80} className="size-20" />
      <div className="grid gap-2">
        <div {...caught} className="flex flex-wrap gap-2">
          <Button ref={choice} onClick={() => setPicking(true)}>
            Pick a picture
          </Button>
          {avatarUrl && (
            <SessionButton
              variant="ghost"
              aria-label="Remove picture"
              // Initials are shown again.
              send={(client) => saveAvatarUrl(client, userId, null)}
              done={() => {
                // The pressed button is removed.
                choice.current?.focus();
                show({ avatar_url: null });
                showToast({ title: "Picture removed" });
              }}
              failed={() => void refresh("profiles")}
            >
              Remove
            </SessionButton>
          )}
        </div>
        {takesUploads && <UploadForm userId={userId} />}
      </div>
      <Dialog open={isPicking} onClose={() => setPicking(false)} title="Pick a picture" size="wide">
        <AvatarPicker
          {...{ userId, username, avatarUrl }}
          onClose={() => setPicking(false)}
          onSaved={(saved) => {
            show({ avatar_url: saved });
            showToast({ title: "Picture saved", description: "Others see it next to your username." });
          }}
        />
      </Dialog>
    </section>
  );
}

const pictureSchema = v.objectAsync({
  picture: v.pipeAsync(
    v.file(),
    v.transformAsync(prepareAvatar),
    v.instance(Blob, "This can’t be read as a picture. Please choose a JPEG, PNG or WebP"),
  ),
});

/** Uploads an avatar, if the operator allows it: it waits until a moderator approved it. */
function UploadForm({ userId }: { userId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const refresh = useRefresh();
  const { form, isBusy } = useSessionForm({
    schema: pictureSchema,
    send: (client, { picture }) => saveAvatar(client, userId, picture),
    done() {
      showToast({ title: "Picture sent", description: "A moderator will look at it before others see it." });
      void refresh("avatars");
    },
  });
  return (
    <div className="grid gap-2">
      <Form {...form}>
        <input
          ref={input}
          type="file"
          name="picture"
          accept="image/jpeg,image/png,image/webp"
          hidden
          onChange={({ target }) => {
            if (target.files?.length) target.form?.requestSubmit();
            // Allows choosing the same file again after it was refused.
            target.value = "";
          }}
        />
        <Button aria-disabled={isBusy} onClick={() => isBusy || input.current?.click()}>
          {isBusy ? "Saving…" : "Upload a picture"}
        </Button>
      </Form>
      <Waiting userId={userId} />
      <p className="text-muted text-sm">JPEG, PNG or WebP. Please don’t use a photo of yourself.</p>
    </div>
  );
}

/** The waiting picture, visible only to its owner. */
function Waiting({ userId }: { userId: string }) {
  const refresh = useRefresh();
  const { data: waiting } = useRead(["avatars", "waiting"], (client) => readWaiting(client, userId));
  const { form, button } = useSessionForm({
    send: (client) => takeBack(client, waiting?.map(({ name }) => name) ?? []),
    done: () => void refresh("avatars"),
  });
  const newest = waiting?.at(-1);
  if (!newest) return null;
  return (
    <Form {...form} className="flex items-center gap-3">
      <img src={newest.address} alt="Waiting" width={44} height={44} className="rounded-full" />
      <span>Waiting for a moderator.</span>
      <Button {...button} size="sm" variant="ghost">
        Take back
      </Button>
    </Form>
  );
}
