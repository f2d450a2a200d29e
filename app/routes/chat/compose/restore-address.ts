import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Addition } from "#app/routes/chat/room/chat-message.ts";
import { readPeople } from "#app/routes/chat/room/people-queries.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import type { Address } from "./addressed.tsx";
import { MOST_MENTIONS } from "./use-mention-keys.ts";

/**
 * The reply and mentions of a rejected or kept message, without people who can no longer be found. `isWhole` unless
 * something could not be read.
 */
export async function restoreAddress(
  client: SessionClient,
  room: Room,
  { reply_to, mentions = [] }: Addition = {},
): Promise<Address & { isWhole: boolean }> {
  const { messages } = room.current();
  const people = new Map(messages.map(({ user_id: id, username }) => [id, { id, username }]));
  let isWhole = true;
  const lack = () => {
    isWhole = false;
    return [];
  };
  const [replies, others] = await Promise.all([
    reply_to ? findReply(room, reply_to).catch(lack) : [],
    mentions.every((id) => people.has(id)) ? [] : readPeople(client, mentions).catch(lack),
  ]);
  for (const person of others) people.set(person.id, person);
  return {
    reply: replies[0] ?? null,
    mentions: mentions.flatMap((id) => people.get(id) ?? []),
    isWhole,
  };
}

async function findReply(room: Room, id: string) {
  const inView = room.current().messages.filter((message) => message.id === id);
  return inView.length > 0 ? inView : await room.readMessages([id]);
}

/** What the user chose meanwhile takes precedence over what is restored. */
export function mergeAddresses(now: Address, back: Address): Address {
  const others = back.mentions.filter(({ id }) => now.mentions.every((person) => person.id !== id));
  return { reply: now.reply ?? back.reply, mentions: [...now.mentions, ...others].slice(0, MOST_MENTIONS) };
}
