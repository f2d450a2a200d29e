import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { Button } from "#app/ui/button.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { REACTIONS } from "#domain/chat/reactions.ts";
import { QuotedMessage } from "./quoted-message.tsx";
import type { Muting } from "./use-mutes.ts";

type PersonPanelProps = {
  message: ChatMessage;
  /** Whether the writer has a public trader page. */
  isListed: boolean;
  mutes: Muting;
  onReact(emoji: string): void;
  onReply(): void;
  onReport(kind: "message" | "name"): void;
  onClose(): void;
};

/** Actions on another person's message. */
export function PersonPanel(props: PersonPanelProps) {
  const { message, isListed, mutes, onReact, onReply, onReport, onClose } = props;
  const { user_id, username } = message;
  return (
    <div className="grid grid-cols-1 gap-3">
      <QuotedMessage message={message} />
      <fieldset className="grid grid-cols-4 gap-2">
        <legend className="sr-only">React</legend>
        {REACTIONS.map(([emoji, name]) => (
          <button
            key={emoji}
            type="button"
            aria-label={name}
            className="min-h-12 rounded-md border border-line bg-sunken text-2xl hover:bg-raised"
            onClick={() => onReact(emoji)}
          >
            {emoji}
          </button>
        ))}
      </fieldset>
      <Button variant="primary" onClick={onReply}>
        Reply
      </Button>
      <Button variant="danger" onClick={() => onReport("message")}>
        Report to the moderators
      </Button>
      <Button onClick={() => onReport("name")}>Report the name {username}</Button>
      <Button
        onClick={() => {
          onClose();
          void mutes.mute(user_id, username);
        }}
      >
        Mute {username}
      </Button>
      {isListed && (
        <LinkButton to={`/community/${username}`} variant="ghost">
          See {username}’s ratings
        </LinkButton>
      )}
    </div>
  );
}
