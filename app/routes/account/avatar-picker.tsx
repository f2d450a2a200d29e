import { type ReactNode, useState } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { AVATAR_COLORS, drawingUrl, readDrawing } from "#domain/people/avatar.ts";
import { type Drawing, listDrawings, saveAvatarUrl } from "./avatar-files.ts";

type AvatarPickerProps = {
  userId: string;
  username: string;
  avatarUrl: string | null;
  onClose: () => void;
  onSaved: (url: string) => void;
};

/** A drawing of the catalogue on a background color (P47): it contains nothing personal, so everyone may have one. */
export function AvatarPicker(props: AvatarPickerProps) {
  const drawings = useRead(["items", "drawings"], listDrawings);
  if (drawings.isPending) return <Skeleton className="h-64" />;
  if (!drawings.data?.length) return <p role="alert">The pictures can't be loaded right now.</p>;
  return <PickerForm {...props} drawings={drawings.data} />;
}

function PickerForm({
  userId,
  username,
  avatarUrl,
  onClose,
  onSaved,
  drawings,
}: AvatarPickerProps & { drawings: readonly Drawing[] }) {
  const before = readDrawing(avatarUrl);
  const [picture, setPicture] = useState(before?.picture ?? drawings[0]?.image_url ?? "");
  const [color, setColor] = useState(before?.color ?? AVATAR_COLORS[0]);
  const url = drawingUrl(picture, color);
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    send: (client) => saveAvatarUrl(client, userId, url),
    close: onClose,
    done: () => onSaved(url),
    // Only the answer may have been lost.
    failed: () => void refresh("profiles"),
  });
  return (
    <Form {...form} className="grid gap-4">
      <div className="sticky -top-5 z-10 -mx-5 -mt-5 flex items-center justify-between gap-4 bg-surface px-5 py-3">
        <Avatar username={username} url={url} size={64} />
        <Button {...button} variant="primary">
          Save picture
        </Button>
      </div>
      <fieldset>
        <legend className="field-label">Color</legend>
        <div className="flex flex-wrap gap-1">
          {AVATAR_COLORS.map((each) => (
            <Tile key={each} name="color" label={each} checked={each === color} onPick={() => setColor(each)}>
              <span
                data-color={each}
                className="size-8 rounded-full bg-(--behind) forced-color-adjust-none"
              />
            </Tile>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="field-label">Picture</legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(3.5rem,1fr))] gap-1.5">
          {drawings.map(({ name, image_url: drawing }) => (
            <Tile
              key={drawing}
              name="picture"
              label={name}
              checked={drawing === picture}
              onPick={() => setPicture(drawing)}
            >
              <ItemImage src={drawing} size={44} />
            </Tile>
          ))}
        </div>
      </fieldset>
    </Form>
  );
}

type TileProps = { name: string; label: string; checked: boolean; onPick(): void; children: ReactNode };

/** A radio with its picture as label. */
function Tile({ name, label, checked, onPick, children }: TileProps) {
  return (
    <label className="relative grid min-h-11 min-w-11 cursor-pointer place-items-center rounded-xl border-2 border-transparent has-checked:border-focus has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={checked}
        onChange={onPick}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  );
}
