import { useEffect, useRef, useState } from "react";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { removeAvatar } from "./avatar-files.ts";
import { AvatarPicker } from "./avatar-picker.tsx";
import { UploadForm } from "./upload-form.tsx";

type AvatarFormProps = { userId: string; username: string; avatarUrl: string | null };

/** The avatar that others see beside the name (P12, P47). */
export function AvatarForm({ userId, username, avatarUrl }: AvatarFormProps) {
  const choice = useRef<HTMLButtonElement>(null);
  const { takesUploads } = useSiteConfig();
  const [picked, setPicked] = useState<string | null>();
  const [isPicking, setPicking] = useState(false);
  const url = picked === undefined ? avatarUrl : picked;
  const removing = useSessionForm({
    send: (client) => removeAvatar(client, userId),
    done() {
      setPicked(null);
      showToast({ title: "Picture removed" });
    },
  });

  // The pressed button was removed.
  useEffect(() => {
    if (picked === null) choice.current?.focus();
  }, [picked]);

  function show(saved: string): void {
    setPicked(saved);
    setPicking(false);
    showToast({ title: "Picture saved", description: "Others see it next to your username." });
  }

  return (
    <section aria-label="Picture" className="grid grid-cols-[auto_1fr] items-center gap-4">
      <Avatar username={username} url={url} size={80} className="size-20" />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <Button ref={choice} onClick={() => setPicking(true)}>
            Pick a picture
          </Button>
          {url && (
            <Form {...removing.form}>
              <Button {...removing.button} variant="ghost" aria-label="Remove picture">
                Remove
              </Button>
            </Form>
          )}
        </div>
        {takesUploads && <UploadForm userId={userId} />}
      </div>
      <Dialog open={isPicking} onClose={() => setPicking(false)} title="Pick a picture" size="wide">
        <AvatarPicker {...{ userId, username }} avatarUrl={url} onSaved={show} />
      </Dialog>
    </section>
  );
}
