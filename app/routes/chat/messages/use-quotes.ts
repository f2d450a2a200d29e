import { useEffect, useMemo, useState } from "react";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

/** The message being replied to, or why it is not shown. */
export type Quote = ChatMessage | "deleted" | "muted";

/** Delay before a failed read is retried, in milliseconds. */
const PAUSE = 3000;

/** Resolves the messages that replies quote; those not in the list are fetched. */
export function useQuotes(room: Room, { messages, gone, muted }: RoomView) {
  const [read, setRead] = useState<ReadonlyMap<string, ChatMessage | null>>(new Map());
  const listed = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages]);
  const wanted = new Set(messages.flatMap(({ reply_to }) => (reply_to ? [reply_to] : [])));
  const missing = [...wanted].filter((id) => !listed.has(id) && !read.has(id) && !gone.has(id)).join();

  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!missing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ids = missing.split(",");
    room.readMessages(ids).then(
      (found) => {
        const byId = new Map(found.map((message) => [message.id, message]));
        setRead((before) => new Map([...before, ...ids.map((id) => [id, byId.get(id) ?? null] as const)]));
      },
      () => {
        if (!isOver) timer = setTimeout(() => setTries(tries + 1), PAUSE);
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [room, missing, tries]);

  return (id: string): Quote | undefined => {
    if (gone.has(id)) return "deleted";
    const message = listed.get(id) ?? read.get(id);
    if (message && muted.has(message.user_id)) return "muted";
    return message === null ? "deleted" : message;
  };
}
