import type { Client } from "#app/features/site/client.ts";
import {
  type Addition,
  type ChatMessage,
  comparePlaces,
  type MessageRow,
  type Place,
  type Reaction,
  toChatMessage,
} from "./chat-message.ts";

const COLUMNS =
  "id, user_id, username, message, created_at, phrase, items, trade, reply_to, mentions" as const;

/** Oldest first; `isWhole` unless the answer was cut off at its limit. */
type MessagePage = { messages: ChatMessage[]; isWhole: boolean };

/** The newest messages of people this user did not mute, from a position on, oldest first (P15). */
export async function readNewest(client: Client, limit: number, from: Place | null): Promise<MessagePage> {
  if (!from) return readPage(messagesOf(client), limit);
  const { messages, isWhole } = await readPage(messagesOf(client).gte("created_at", from.created_at), limit);
  return { messages: messages.filter((each) => comparePlaces(from, each) <= 0), isWhole };
}

/** The messages just before a position, oldest first. Keyset pagination: the cost does not grow with depth. */
export function readOlder(client: Client, { created_at, id }: Place, limit: number): Promise<MessagePage> {
  const before = messagesOf(client)
    .lte("created_at", created_at)
    .or(`created_at.lt."${created_at}",id.lt.${id}`);
  return readPage(before, limit);
}

const messagesOf = (client: Client) => client.from("shown_chat_messages").select(`${COLUMNS}, reactions`);

async function readPage(query: ReturnType<typeof messagesOf>, limit: number): Promise<MessagePage> {
  const { data } = await query
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(limit)
    .retry(false)
    .overrideTypes<MessageRow[], { merge: false }>()
    .throwOnError();
  return { messages: data.map(toChatMessage).reverse(), isWhole: data.length < limit };
}

/** Messages by id, including those of muted people, since replies quote them. */
export async function readMessages(client: Client, ids: readonly string[]): Promise<ChatMessage[]> {
  const { data } = await client.from("chat_messages").select(COLUMNS).in("id", ids).throwOnError();
  return data.map((row) => toChatMessage(row as MessageRow));
}

export type NewMessage = Pick<ChatMessage, "id" | "user_id" | "username" | "message"> & Addition;

/** Stores a message under an id of ours. The database sets name, time (P12) and the text of quick talk. */
export async function sendMessage(client: Client, { mentions, ...message }: NewMessage) {
  return await client
    .from("chat_messages")
    .insert({ ...message, ...(mentions && { mentions: [...mentions] }) })
    .select(COLUMNS)
    .single()
    .overrideTypes<MessageRow, { merge: false }>();
}

/** Adds or removes a reaction of the user's own. */
export async function react(client: Client, { message_id, emoji, user_id }: Reaction, isThere: boolean) {
  const reactions = client.from("chat_reactions");
  if (isThere) return await reactions.insert({ message_id, emoji });
  return await reactions.delete().match({ message_id, emoji, user_id });
}

/** The error for an id that is already stored: the message was sent, only its acknowledgement got lost. */
export const STORED_ALREADY = "23505";

/** Deletes a message; `data` is empty if it was gone already or this user may not delete it. */
export async function deleteMessage(client: Client, id: string) {
  return await client.from("chat_messages").delete().eq("id", id).select("id");
}
