import { type KeyboardEvent, useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { refusePicture } from "#app/routes/admin/shared/refuse-picture.ts";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { allowPicture, type Picture, readPictures, readWaitingPictures, WAITING } from "./picture-queries.ts";

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
    act((client) => client.storage.from("avatars").throwOnError().remove([picture.name]), "Picture removed");

  return (
    <li className="flex items-center gap-3">
      <Avatar username={username} url={address} size={56} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{username}</p>
        <Moment at={addedAt} className="block text-muted text-sm" />
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

const AT_ONCE = 12;

/** Uploaded avatars that wait for approval, oldest first: A approves the focused one, R rejects it. */
export function WaitingPictures() {
  const waiting = useRead(["avatars", "waiting"], (client) => readWaitingPictures(client, AT_ONCE));
  const caught = useFocusFallback(waiting.data);
  return (
    <div {...caught}>
      <ReadState read={waiting} what="Waiting pictures">
        {({ pictures, hasMore }) =>
          pictures.length === 0 ? (
            <p className="text-muted">No picture waits.</p>
          ) : (
            <>
              <p className="text-muted text-sm">
                {hasMore ? `${AT_ONCE} or more are waiting.` : `${pictures.length} waiting.`} Keys: A allows,
                R refuses.
              </p>
              <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
                {pictures.map((picture) => (
                  <WaitingPicture key={picture.name} picture={picture} />
                ))}
              </ul>
            </>
          )
        }
      </ReadState>
    </div>
  );
}

function WaitingPicture({ picture }: { picture: Picture }) {
  const { isBusy, act } = useAct("avatars");
  const { username, address, addedAt } = picture;

  const allow = () =>
    act((client) => allowPicture(client, picture), "Picture allowed", `Others see it next to ${username}.`);
  const refuse = () => act((client) => refusePicture(client, WAITING, picture.name), "Picture refused");

  function press(event: KeyboardEvent) {
    if (isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "a") void allow();
    if (event.key === "r") void refuse();
  }

  return (
    <li className="flex items-center gap-3" onKeyDown={press}>
      <img
        src={address}
        alt={`Waiting, by ${username}`}
        width={96}
        height={96}
        className="size-24 rounded-md object-cover"
      />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="truncate font-semibold">{username}</p>
        <Moment at={addedAt} className="block text-muted text-sm" />
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            disabled={isBusy}
            aria-label={`Allow the picture of ${username}`}
            onClick={() => void allow()}
          >
            Allow
          </Button>
          <Button
            size="sm"
            variant="ghost"
            disabled={isBusy}
            aria-label={`Refuse the picture of ${username}`}
            onClick={() => void refuse()}
          >
            Refuse
          </Button>
        </div>
      </div>
    </li>
  );
}
