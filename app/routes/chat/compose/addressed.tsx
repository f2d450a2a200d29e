import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Person } from "#app/routes/chat/room/people-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";

/** The message being replied to and the people mentioned. */
export type Address = { reply: ChatMessage | null; mentions: readonly Person[] };

export const NOBODY: Address = { reply: null, mentions: [] };

/** The next message's reply and mentions, each with a remove button. */
export function Addressed({ address, onChange }: { address: Address; onChange(address: Address): void }) {
  const { reply, mentions } = address;
  if (!reply && mentions.length === 0) return null;
  return (
    <div className="chat-addressed">
      {reply && (
        <div className="flex min-w-0 flex-[1_1_100%] items-center gap-2">
          <p className="chat-answered mb-0! flex-1">
            Replying to <b>{reply.username}</b> {reply.message}
          </p>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Don’t reply"
            onClick={() => onChange({ ...address, reply: null })}
          >
            <LineIcon path="m3 3 12 12M15 3 3 15" width={2.25} />
          </Button>
        </div>
      )}
      {mentions.map((person) => (
        <Button
          key={person.id}
          size="sm"
          aria-label={`Don’t mention ${person.username}`}
          onClick={() => onChange({ ...address, mentions: mentions.filter((each) => each.id !== person.id) })}
        >
          @{person.username} <span aria-hidden="true">×</span>
        </Button>
      ))}
    </div>
  );
}
