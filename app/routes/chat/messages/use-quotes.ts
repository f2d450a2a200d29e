import { useMemo } from "react";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { useLookUp } from "./use-look-up.ts";

/** The message being replied to, or why it is not shown. */
export type Quote = ChatMessage | "deleted" | "muted";

/** Resolves the messages that replies quote; those not in the list are fetched. */
export function useQuotes(room: Room, view: RoomView) {
  const { messages, gone, muted } = view;
  const listed = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages]);
  const wanted = new Set(messages.flatMap(({ reply_to }) => (reply_to ? [reply_to] : [])));
  const missing = [...wanted].filter((id) => !listed.has(id) && !gone.has(id));
  const read = async (ids: readonly string[]) =>
    new Map((await room.readMessages(ids)).map((message) => [message.id, message]));
  const fetchedOf = useLookUp(read, view, missing);

  return (id: string): Quote | undefined => {
    if (gone.has(id)) return "deleted";
    const message = listed.get(id) ?? fetchedOf(id);
    if (message && muted.has(message.user_id)) return "muted";
    return message === null ? "deleted" : message;
  };
}
