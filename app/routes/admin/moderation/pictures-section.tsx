import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { type Picture, readPictures, removePicture } from "./picture-queries.ts";

const STEP = 24;

/** The users' avatars, newest first; inappropriate ones can be removed. */
export function PicturesSection() {
  const [limit, setLimit] = useState(STEP);
  const pictures = useRead(["avatars", limit], (client) => readPictures(client, limit), {
    keepsPrevious: true,
  });
  return (
    <ReadState read={pictures} what="Pictures">
      {({ pictures: rows, hasMore }) => (
        <div className="grid gap-4">
          <RowList
            rows={rows}
            empty="Nobody has a picture."
            className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-3"
          >
            {(picture) => <PictureEntry key={picture.name} picture={picture} />}
          </RowList>
          {hasMore && (
            <Button className="justify-self-start" onClick={() => setLimit(limit + STEP)}>
              Show older pictures
            </Button>
          )}
        </div>
      )}
    </ReadState>
  );
}

function PictureEntry({ picture }: { picture: Picture }) {
  const { isBusy, act } = useAct("avatars");
  const { username, address, addedAt } = picture;

  const remove = () =>
    act((client) => removePicture(client, picture), "Picture removed", `${username} shows initials now.`);

  return (
    <li className="flex items-center gap-3">
      <Avatar username={username} url={address} size={56} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{username}</p>
        <p className="text-muted text-sm">
          <Moment at={addedAt} />
        </p>
      </div>
      <Button
        size="sm"
        disabled={isBusy}
        aria-label={`Remove the picture of ${username}`}
        onClick={() => void remove()}
      >
        Remove
      </Button>
    </li>
  );
}
