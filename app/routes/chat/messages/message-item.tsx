import { memo } from "react";
import { Link } from "react-router";
import { initialsOf } from "#app/features/profile/initials.ts";
import type { OpenDialog } from "#app/routes/chat/dialogs/chat-dialogs.tsx";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDateTime } from "#domain/text/dates.ts";
import { MessageText } from "./message-text.tsx";

export type MessageItemProps = {
  message: ChatMessage;
  zone: string;
  /** The day that begins with it, or null. */
  day: string | null;
  startsGroup: boolean;
  isOwn: boolean;
  canDelete: boolean;
  onOpen(dialog: OpenDialog): void;
};

/** A message; drawn again only when something of it changes. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, day, startsGroup, isOwn } = props;
  return (
    <li id={`message-${message.id}`} data-row="" tabIndex={-1} className="chat-item">
      {day && (
        <p className="chat-day">
          <span>{day}</span>
        </p>
      )}
      <div className={classNames("chat-message", isOwn && "chat-own", startsGroup && "chat-first")}>
        {!isOwn && <Avatar message={message} isShown={startsGroup} />}
        <div className="chat-bubble">
          <Writer message={message} isShown={startsGroup} />
          <MessageText text={message.message} />
          <Time message={message} zone={props.zone} />
        </div>
        <Actions {...props} />
      </div>
    </li>
  );
});

function Avatar({ message: { user_id, username }, isShown }: { message: ChatMessage; isShown: boolean }) {
  if (!isShown) return <span className="chat-avatar-space" />;
  return (
    <span aria-hidden="true" className={`chat-avatar chat-tint-${tintOf(user_id)}`}>
      {initialsOf(username)}
    </span>
  );
}

/** In a row of one person's messages the name is seen once, and heard at each. */
function Writer({ message: { username }, isShown }: { message: ChatMessage; isShown: boolean }) {
  if (!isShown) return <span className="sr-only">{username}</span>;
  return (
    <Link to={`/community/${username}`} prefetch="none" tabIndex={-1} className="chat-writer">
      {username}
    </Link>
  );
}

function Time({ message: { created_at }, zone }: { message: ChatMessage; zone: string }) {
  return (
    <time dateTime={created_at} title={formatDateTime(created_at, zone)} className="chat-time figures">
      {formatTime(created_at, zone)}
    </time>
  );
}

function Actions({ message, isOwn, canDelete, onOpen }: MessageItemProps) {
  const whose = isOwn ? "your message" : `${message.username}’s message`;
  return (
    <span className="chat-actions">
      {!isOwn && (
        <Button
          variant="ghost"
          tabIndex={-1}
          aria-label={`Report or mute ${message.username}`}
          onClick={() => onOpen({ what: "person", message })}
        >
          <LineIcon path="M4 9h.01M9 9h.01M14 9h.01" width={3} />
        </Button>
      )}
      {canDelete && (
        <Button
          variant="ghost"
          tabIndex={-1}
          aria-label={`Delete ${whose}`}
          onClick={() => onOpen({ what: "deletion", message, isOwn })}
        >
          <LineIcon path="M3 5h12M7 5V3h4v2M5 5l.7 10h6.600L13 5M7.600 8v4.500M10.400 8v4.500" />
        </Button>
      )}
    </span>
  );
}

/** How many colors there are for people without a picture; the stylesheet has as many. */
const TINTS = 6;

/** The same color for the same person, everywhere: from 0 on. */
function tintOf(userId: string): number {
  return Number.parseInt(userId.slice(0, 8), 16) % TINTS || 0;
}
