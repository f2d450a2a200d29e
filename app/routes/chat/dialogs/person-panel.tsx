import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { Button } from "#app/ui/button.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { QuotedMessage } from "./quoted-message.tsx";
import type { Muting } from "./use-mutes.ts";

type PersonPanelProps = { message: ChatMessage; mutes: Muting; onReport(): void; onClose(): void };

/** What one can do about someone else's message. */
export function PersonPanel({ message, mutes, onReport, onClose }: PersonPanelProps) {
  const { user_id, username } = message;
  return (
    <div className="grid gap-3">
      <QuotedMessage message={message} />
      <Button variant="danger" onClick={onReport}>
        Report to the admins
      </Button>
      <Button
        onClick={() => {
          onClose();
          void mutes.mute(user_id, username);
        }}
      >
        Mute {username}
      </Button>
      <LinkButton to={`/community/${username}`} variant="ghost">
        See {username}’s ratings
      </LinkButton>
    </div>
  );
}
