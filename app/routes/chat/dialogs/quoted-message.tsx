import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";

/** The message that a dialog is about. */
export function QuotedMessage({ message: { username, message } }: { message: ChatMessage }) {
  return (
    <blockquote className="max-h-26 overflow-auto rounded-sm border-line-strong border-l-4 bg-sunken px-3.5 py-2">
      <p className="font-semibold text-sm">{username}</p>
      <p dir="auto" className="chat-text">
        {message}
      </p>
    </blockquote>
  );
}
