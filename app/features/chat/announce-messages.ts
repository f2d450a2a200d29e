import type { ChatMessage } from "./chat-message.ts";

/** What a listener is told of others' messages since a moment: one in full, several as their number, none not at all. */
export function announceMessages(
  messages: readonly ChatMessage[],
  since: string,
  userId: string,
): string | null {
  const fresh = messages.filter((each) => each.created_at > since && each.user_id !== userId);
  const [first] = fresh;
  if (!first) return null;
  return fresh.length === 1 ? `${first.username}: ${first.message}` : `${fresh.length} new messages`;
}
