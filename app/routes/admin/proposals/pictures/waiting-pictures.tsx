import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { pressDeskKey } from "#app/routes/admin/shared/desk-keys.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { refusePicture } from "#app/routes/admin/shared/refuse-picture.ts";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Card } from "#app/ui/card.tsx";
import { describeProposal } from "../proposal-diff.tsx";
import { allowPicture, readWaitingPictures, WAITING, type WaitingPicture } from "./picture-queries.ts";

/** Screenshots that editors uploaded, visible to editors only so far; nobody approves their own (P151). */
export function WaitingPictures() {
  return (
    <section aria-label="Pictures" className="grid gap-4" onKeyDown={pressDeskKey}>
      <p className="desk-hint">
        <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> show, <kbd>2</kbd> delete
      </p>
      <ReadState read={useRead(["change_pictures", "waiting"], readWaitingPictures)} what="Waiting pictures">
        {(pictures) => (
          <RowList
            rows={pictures}
            empty="No picture waits."
            className="grid gap-3 lg:grid-cols-2"
            label="Waiting pictures"
          >
            {(picture) => <PictureCard key={picture.path} picture={picture} />}
          </RowList>
        )}
      </ReadState>
    </section>
  );
}

function PictureCard({ picture }: { picture: WaitingPicture }) {
  const { session } = useSession();
  const { isBusy, act } = useAct("change_pictures");
  const { path, address, item_name, field, note, changes, uploaded_at, uploaded_by } = picture;

  const allow = () =>
    act((client) => allowPicture(client, picture), "Picture allowed", "Visitors see it with the change.");
  const refuse = () => act((client) => refusePicture(client, WAITING, picture.path), "Picture deleted");

  return (
    <Card as="li" className="desk-case grid content-start gap-3" data-case={path} tabIndex={-1}>
      <a href={address} target="_blank" rel="noopener">
        <img
          src={address}
          alt={`Waiting evidence for ${item_name}, in full size`}
          className="max-h-80 w-full rounded-md object-contain"
        />
      </a>
      <p>
        <strong>{item_name}</strong>, {labelOf(field)}:{" "}
        <span className="figures">{describeProposal(picture)}</span>
        {changes > 1 && ` and ${changes - 1} more`}
      </p>
      <p className="wrap-anywhere">{note}</p>
      <Moment at={uploaded_at} className="block text-muted text-sm" />
      <div
        className="desk-actions"
        role="toolbar"
        aria-label={`What to do about the picture of ${item_name}`}
      >
        {uploaded_by === session?.user.id ? (
          <DeskButton size="sm" press={1} disabled={isBusy} onClick={() => void refuse()}>
            Take back
          </DeskButton>
        ) : (
          <>
            <DeskButton size="sm" press={1} variant="primary" disabled={isBusy} onClick={() => void allow()}>
              Show it
            </DeskButton>
            <DeskButton size="sm" press={2} disabled={isBusy} onClick={() => void refuse()}>
              Delete it
            </DeskButton>
          </>
        )}
      </div>
    </Card>
  );
}
