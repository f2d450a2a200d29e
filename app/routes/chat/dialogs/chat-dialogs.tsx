import { Link } from "react-router";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { DateText } from "#app/features/items/date-text.tsx";
import { ReportForm } from "#app/features/reports/report-form.tsx";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { readPeople } from "#app/routes/chat/room/people-queries.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { Button } from "#app/ui/button.tsx";
import { Choice } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { useForm } from "#app/ui/form/use-form.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { REPORT_KINDS } from "#domain/moderation/report-code.ts";
import { PersonPanel } from "./person-panel.tsx";
import { QuotedMessage } from "./quoted-message.tsx";
import type { Muting } from "./use-mutes.ts";

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
  /** Closes the dialog, too. */
  onReply(message: ChatMessage): void;
  onChange(dialog: OpenDialog): void;
  onClose(): void;
};

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
          onReply={() => onReply(dialog.message)}
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
  const caught = useFocusFallback(list);
  return (
    <div {...caught}>
      {list.length === 0 ? (
        <p className="text-muted">You haven’t muted anyone.</p>
      ) : (
        <ul className="grid gap-2">
          {list.map((mute) => {
            const name = mute.username ?? "A hidden trader";
            return (
              <li key={mute.userId} className="flex flex-wrap items-center justify-between gap-3">
                <span>
                  <span className="font-semibold">{name}</span>{" "}
                  <span className="text-muted text-sm">
                    since <DateText date={mute.since} />
                  </span>
                </span>
                <Button size="sm" aria-label={`Unmute ${name}`} onClick={() => unmute(mute)}>
                  Unmute
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** How many people are named; a larger crowd adds a count of the rest. */
const MOST_NAMES = 100;

/** The people in the room by their names in the database: a client's own claim is not trusted. */
function PeopleHere({ here }: { here: readonly string[] }) {
  const asked = here.slice(0, MOST_NAMES).toSorted().join();
  const [people, readAgain] = useOwnRead((client) => readPeople(client, asked.split(",")), { of: asked });
  if (people === "reading") return <p className="text-muted">Checking who’s online…</p>;
  if (people === "failed")
    return <RetryNotice onRetry={readAgain}>The names can’t be loaded right now.</RetryNotice>;
  const others = here.length - people.length;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {people.map(({ id, username }) => (
        <li key={id}>
          <Link to={`/community/${username}`} className="link inline-flex min-h-9 items-center">
            {username}
          </Link>
        </li>
      ))}
      {others > 0 && (
        <li className="flex min-h-9 items-center text-muted">
          {people.length > 0 ? `and ${others} more` : others}
        </li>
      )}
    </ul>
  );
}

type DeletionPanelProps = { room: Room; message: ChatMessage; isOwn: boolean; onClose(): void };

/** Asks for confirmation: everyone sees a deletion, and it cannot be undone. */
function DeletionPanel({ room, message, isOwn, onClose }: DeletionPanelProps) {
  const { form, button } = useForm({
    async send() {
      const failure = await room.remove(message.id);
      if (failure) throw new FormError(failure.sentence, { title: "Failed to delete message" });
    },
    close: onClose,
    done() {
      const description = isOwn ? "Your message has been removed" : "The message has been removed";
      showToast({ title: "Message Deleted", description });
    },
    failed(sent) {
      if (sent.isConnected) onClose();
    },
  });

  return (
    <Form {...form} className="grid gap-5">
      <QuotedMessage message={message} />
      <FormActions button={button} label="Delete" variant="danger" onCancel={onClose} cancel="Keep it" />
    </Form>
  );
}

type ReportPanelProps = {
  mutes: Muting;
  message: ChatMessage;
  /** Whether the message or its writer's name is reported. */
  kind: "message" | "name";
  onClose(): void;
};

/** Reports a message or a name to the moderators (P13), and offers to mute the writer. */
function ReportPanel({ mutes, message, kind, onClose }: ReportPanelProps) {
  const { id, user_id, username } = message;
  return (
    <ReportForm
      target={{ kind, subjectId: kind === "message" ? id : user_id }}
      onClose={onClose}
      onSent={async (wantsMute) => {
        if (!wantsMute) return "";
        const isMuted = await mutes.mute(user_id, username);
        return isMuted
          ? `You no longer see messages from ${username}.`
          : `But ${username} could not be muted: please try that again.`;
      }}
      quote={
        kind === "message" ? <QuotedMessage message={message} /> : <p className="font-semibold">{username}</p>
      }
    >
      <Choice type="checkbox" name="mute">
        Mute {username} too
      </Choice>
    </ReportForm>
  );
}
