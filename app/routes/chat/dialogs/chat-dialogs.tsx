import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { REPORT_KINDS } from "#domain/moderation/report-code.ts";
import { formatDate } from "#domain/text/dates.ts";
import { DeletionPanel } from "./deletion-panel.tsx";
import { PeopleHere } from "./people-here.tsx";
import { PersonPanel } from "./person-panel.tsx";
import { ReportPanel } from "./report-panel.tsx";
import type { Muting } from "./use-mutes.ts";

/** The open dialog. */
export type OpenDialog =
  | { what: "deletion"; message: ChatMessage; isOwn: boolean }
  | { what: "person"; message: ChatMessage; isListed: boolean }
  | { what: "report"; message: ChatMessage; kind: "message" | "name" }
  | { what: "people here" }
  | { what: "muted people" };

export type ChatDialogsProps = {
  room: Room;
  mutes: Muting;
  /** The ids of the people in the room. */
  here: readonly string[];
  dialog: OpenDialog | null;
  onReact(messageId: string, emoji: string, isThere: boolean): void;
  onReply(message: ChatMessage): void;
  onChange(dialog: OpenDialog): void;
  onClose(): void;
};

/** The dialogs of the room. */
export function ChatDialogs(props: ChatDialogsProps) {
  const { dialog, onClose } = props;
  return (
    <Dialog open={dialog !== null} onClose={onClose} title={dialog ? titleOf(dialog) : ""}>
      {dialog && <Panel {...props} dialog={dialog} />}
    </Dialog>
  );
}

function titleOf(dialog: OpenDialog): string {
  switch (dialog.what) {
    case "deletion":
      return "Delete this message?";
    case "person":
      return `${dialog.message.username}’s message`;
    case "report":
      return `Report ${REPORT_KINDS[dialog.kind]}`;
    case "people here":
      return "Who is online";
    case "muted people":
      return "Muted people";
  }
}

function Panel({
  room,
  mutes,
  here,
  dialog,
  onReact,
  onReply,
  onChange,
  onClose,
}: ChatDialogsProps & { dialog: OpenDialog }) {
  switch (dialog.what) {
    case "deletion":
      return <DeletionPanel {...{ room, onClose }} message={dialog.message} isOwn={dialog.isOwn} />;
    case "person":
      return (
        <PersonPanel
          message={dialog.message}
          isListed={dialog.isListed}
          mutes={mutes}
          onReact={(emoji) => {
            onClose();
            onReact(dialog.message.id, emoji, true);
          }}
          onReply={() => {
            onClose();
            onReply(dialog.message);
          }}
          onReport={(kind) => onChange({ what: "report", message: dialog.message, kind })}
          onClose={onClose}
        />
      );
    case "report":
      return <ReportPanel {...{ mutes, onClose }} message={dialog.message} kind={dialog.kind} />;
    case "people here":
      return <PeopleHere here={here} />;
    case "muted people":
      return <MutedPeople mutes={mutes} />;
  }
}

/** Muted people, each with an unmute button. */
function MutedPeople({ mutes: { list, unmute } }: { mutes: Muting }) {
  if (list.length === 0) return <p className="text-muted">You haven’t muted anyone.</p>;
  return (
    <ul className="grid gap-2">
      {list.map((mute) => {
        const name = mute.username ?? "A hidden trader";
        return (
          <li key={mute.userId} className="flex flex-wrap items-center justify-between gap-3">
            <span>
              <span className="font-semibold">{name}</span>{" "}
              <span className="text-muted text-sm">since {formatDate(mute.since)}</span>
            </span>
            <Button size="sm" aria-label={`Unmute ${name}`} onClick={() => unmute(mute)}>
              Unmute
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
