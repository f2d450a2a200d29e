import { useRef } from "react";
import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareAvatar, readWaiting, saveAvatar, takeBack } from "./avatar-files.ts";

const pictureSchema = v.objectAsync({
  picture: v.pipeAsync(
    v.file(),
    v.transformAsync(prepareAvatar),
    v.instance(Blob, "Please choose a JPEG, PNG or WebP picture"),
  ),
});

/** Uploads an avatar, if the operator allows it: it waits until a moderator approved it. */
export function UploadForm({ userId }: { userId: string }) {
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
