import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";

/** The message that a dialog is about. */
export function QuotedMessage({ message: { username, message } }: { message: ChatMessage }) {
  return (
    <blockquote className="chat-quote">
      <p className="font-semibold text-sm">{username}</p>
      <p dir="auto" className="chat-text">
        {message}
      </p>
    </blockquote>
  );
}
