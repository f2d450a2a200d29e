import "./hidden-words.css";
import { memo } from "react";
import { Link } from "react-router";
import { AskForWord } from "#app/features/known-words/ask-for-word.tsx";
import { describeHidden } from "#app/features/known-words/describe-hidden.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import type { OpenDialog } from "#app/routes/chat/dialogs/chat-dialogs.tsx";
import type { ChatItems } from "#app/routes/chat/quick/quick-reads.ts";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Mutes, Face as WriterFace } from "#app/routes/chat/room/people-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { formatTime } from "#domain/chat/chat-time.ts";
import { formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";
import { HIDDEN } from "#domain/words/hidden-words.ts";
import { AnsweredLine, MessageBody, ReactionRow } from "./message-parts.tsx";
import type { Quote } from "./use-quotes.ts";

export type MessageItemProps = {
  message: ChatMessage;
  /** The writer's picture; null for initials. */
  face: WriterFace | null;
  /** The day heading above the message, or null. */
  day: string | null;
  startsGroup: boolean;
  isOwn: boolean;
  canDelete: boolean;
  /** The current user's id. */
  userId: string;
  muted: Mutes;
  items: ChatItems | null;
  /** Hidden words of the user's own message; undefined if unknown. */
  hidden: readonly string[] | undefined;
  /** The message it replies to; undefined while loading. */
  quote: Quote | undefined;
  onReact(messageId: string, emoji: string, isThere: boolean): void;
  onOpen(dialog: OpenDialog): void;
};

/** Memoized: a message re-renders only when it changes. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, day, startsGroup, isOwn, userId, items } = props;
  const isMeant = message.mentions?.includes(userId) === true;
  return (
    <li id={`message-${message.id}`} data-row="" tabIndex={-1} className="chat-item">
      {day && (
        <p className="chat-day">
          <span>{day}</span>
        </p>
      )}
      <div className={classNames("chat-message", isOwn && "chat-own", startsGroup && "chat-first")}>
        {!isOwn && <Face message={message} face={props.face} isShown={startsGroup} />}
        <div className={classNames("chat-bubble", isMeant && "chat-meant")}>
          <Writer message={message} face={props.face} isShown={startsGroup} />
          {isMeant && <span className="sr-only">You were mentioned.</span>}
          {message.reply_to && <AnsweredLine quote={props.quote} />}
          <MessageBody message={message} isOwn={isOwn} items={items} />
          {isOwn && message.message.includes(HIDDEN) && <HiddenWords words={props.hidden ?? []} />}
          <Time message={message} />
          <ReactionRow message={message} userId={userId} muted={props.muted} onReact={props.onReact} />
        </div>
        <Actions {...props} />
      </div>
    </li>
  );
});

type FaceProps = Pick<MessageItemProps, "message" | "face"> & { isShown: boolean };

function Face({ message: { username }, face, isShown }: FaceProps) {
  if (!isShown) return <span className="chat-face w-9 flex-none" />;
  const url = face?.avatar_url ?? null;
  return <Avatar username={username} url={url} size={36} className="chat-face size-9 self-start" />;
}

/** In a group of one person's messages the name is visible once, but read out for each. */
function Writer({ message: { username }, face, isShown }: FaceProps) {
  if (!isShown) return <span className="sr-only">{username}</span>;
  if (!face?.listed)
    return (
      <span className="chat-writer" translate="no">
        {username}
      </span>
    );
  return (
    <Link to={`/community/${username}`} prefetch="none" tabIndex={-1} className="chat-writer" translate="no">
      {username}
    </Link>
  );
}

function Time({ message: { created_at } }: { message: ChatMessage }) {
  return (
    <time
      dateTime={created_at}
      title={formatDateTime(created_at, READERS_ZONE)}
      className="chat-time figures"
    >
      {formatTime(created_at, READERS_ZONE)}
    </time>
  );
}

function Actions({ message, face, isOwn, canDelete, onOpen }: MessageItemProps) {
  const whose = isOwn ? "your message" : `${message.username}’s message`;
  return (
    <span className="chat-actions">
      {!isOwn && (
        <Button
          variant="ghost"
          tabIndex={-1}
          aria-label={`Reply to ${message.username}, react or report`}
          onClick={() => onOpen({ what: "person", message, isListed: face?.listed === true })}
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

/** How many words of one message can be requested. */
const MOST_ASKED = 3;

/** Tells the writer which words of a message are hidden from others. They are unknown after a reload. */
function HiddenWords({ words }: { words: readonly string[] }) {
  return (
    <div className="hidden-words">
      <p role="status">{describeHidden(words)}</p>
      {words.slice(0, MOST_ASKED).map((word) => (
        <AskForWord key={word} word={word} tabIndex={-1} isNamed={words.length > 1} />
      ))}
    </div>
  );
}
