import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { prepareAvatar, removeAvatar, saveAvatar } from "#app/features/profile/avatar-files.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure, showInvalidInput } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

type AvatarFormProps = { userId: string; username: string; avatarUrl: string | null };

/** The picture that others see beside the name (decision 12). Saved as soon as it is chosen. */
export function AvatarForm({ userId, username, avatarUrl }: AvatarFormProps) {
  const site = useSiteConfig();
  const input = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState(avatarUrl);
  const [isBusy, setBusy] = useState(false);
  const [isRemoved, setRemoved] = useState(false);

  async function work(change: () => Promise<void>): Promise<void> {
    setBusy(true);
    await change().catch(showFailure);
    setBusy(false);
  }

  async function save(file: File): Promise<void> {
    const picture = await prepareAvatar(file);
    if (!picture) return showInvalidInput("Please choose a JPEG, PNG or WebP picture");
    setUrl(await saveAvatar(await openSession(site), userId, picture));
    setRemoved(false);
    showToast({ title: "Picture saved", description: "Others see it beside your username." });
  }

  async function remove(): Promise<void> {
    await removeAvatar(await openSession(site), userId);
    setUrl(null);
    setRemoved(true);
    showToast({ title: "Picture removed" });
  }

  // The button that was pressed is gone.
  useEffect(() => {
    if (isRemoved && !isBusy) input.current?.parentElement?.querySelector("button")?.focus();
  }, [isRemoved, isBusy]);

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    if (file) void work(() => save(file));
    // The same file can be chosen again after it was refused.
    target.value = "";
  }

  return (
    <section aria-label="Picture" className="grid grid-cols-[auto_1fr] items-center gap-4">
      <Avatar username={username} url={url} size={80} className="size-20" />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            name="picture"
            accept="image/jpeg,image/png,image/webp"
            hidden
            onChange={choose}
          />
          <Button disabled={isBusy} onClick={() => input.current?.click()}>
            {isBusy ? "Saving…" : url ? "Change picture" : "Choose picture"}
          </Button>
          {url && (
            <Button
              variant="ghost"
              disabled={isBusy}
              aria-label="Remove picture"
              onClick={() => work(remove)}
            >
              Remove
            </Button>
          )}
        </div>
        <p className="text-muted text-sm">JPEG, PNG or WebP. Please not a photo of yourself.</p>
      </div>
    </section>
  );
}
