import { ItemImage } from "#app/features/items/item-image.tsx";
import type { ChatItems } from "#app/routes/chat/quick/quick-reads.ts";
import { TradeCard } from "#app/routes/chat/quick/trade-card.tsx";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Mutes } from "#app/routes/chat/room/people-queries.ts";
import { MessageText } from "./message-text.tsx";
import type { Quote } from "./use-quotes.ts";

/** The message body: a trade as its card, otherwise the text, with pictures of the items chosen in quick talk. */
export function MessageBody(props: { message: ChatMessage; isOwn: boolean; items: ChatItems | null }) {
  const { message, isOwn, items } = props;
  if (message.trade) {
    return <TradeCard trade={message.trade} isOwn={isOwn} items={items} text={message.message} isInRow />;
  }
  return (
    <>
      {message.items && <Pictures slots={message.items} items={items} />}
      <MessageText text={message.message} />
    </>
  );
}

function Pictures({ slots, items }: { slots: string; items: ChatItems | null }) {
  return (
    <span className="flex flex-wrap gap-1">
      {slots.split(",").map((slot, at) => (
        <ItemImage
          // biome-ignore lint/suspicious/noArrayIndexKey: the same item may occur twice, and rows never move
          key={at}
          src={items?.get(slot.split(".")[0] ?? "")?.image_url}
          size={32}
          className="size-8"
        />
      ))}
    </span>
  );
}

/** A one-line preview of the message being replied to. */
export function AnsweredLine({ quote }: { quote: Quote | undefined }) {
  if (quote === undefined) return <p className="chat-answered">…</p>;
  if (quote === "deleted") return <p className="chat-answered">The message was deleted</p>;
  if (quote === "muted") return <p className="chat-answered">From someone you muted</p>;
  return (
    <p className="chat-answered" dir="auto">
      <b>{quote.username}</b> {quote.message}
    </p>
  );
}

type ReactionRowProps = {
  message: ChatMessage;
  userId: string;
  muted: Mutes;
  onReact(messageId: string, emoji: string, isThere: boolean): void;
};

/** The message's reactions, each a toggle for the user's own. */
export function ReactionRow({ message, userId, muted, onReact }: ReactionRowProps) {
  const signs = Object.entries(message.reactions ?? {}).flatMap(([emoji, people]) => {
    const seen = people.filter((id) => !muted.has(id));
    return seen.length > 0 ? [{ emoji, count: seen.length, isOwn: seen.includes(userId) }] : [];
  });
  if (signs.length === 0) return null;
  return (
    <div className="clear-both flex flex-wrap gap-1.5 pt-1.5">
      {signs.map(({ emoji, count, isOwn }) => (
        <button
          key={emoji}
          type="button"
          tabIndex={-1}
          aria-pressed={isOwn}
          aria-label={`${emoji} ${count}`}
          className="chat-sign figures"
          onClick={() => onReact(message.id, emoji, !isOwn)}
        >
          {emoji} {count}
        </button>
      ))}
    </div>
  );
}
