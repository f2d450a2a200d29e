import type { Tables } from "#supabase/database.types.ts";

/**
 * A message as the room keeps it. `created_at` is of one form, with all six digits behind the second and in UTC, so that
 * messages are compared as texts: by it, then by id, the same for everyone.
 */
export type ChatMessage = Pick<
  Tables<"chat_messages">,
  "id" | "user_id" | "username" | "message" | "created_at"
> &
  Addition & {
    /** Who reacted with which sign. */
    reactions?: Reactions;
  };

/** What a message has beside its text: of quick talk what was tapped, whom it answers, who is meant. */
export type Addition = {
  phrase?: string;
  /** What stands in the phrase's gaps, as slots of the calculator's address. */
  items?: string;
  /** The query of the calculator's address, from the writer's side. */
  trade?: string;
  reply_to?: string;
  mentions?: readonly string[];
};

/** The ids of people by the sign they reacted with. */
type Reactions = Readonly<Record<string, readonly string[]>>;

/** One sign of one person at a message. */
export type Reaction = { message_id: string; emoji: string; user_id: string };

/** A row as the service has it: what is not there is null. */
export type MessageRow = { [Name in keyof ChatMessage]: ChatMessage[Name] | null } & Pick<
  ChatMessage,
  "id" | "user_id" | "username" | "message" | "created_at"
>;

/** Where a message stands in the room. */
export type Place = Pick<ChatMessage, "created_at" | "id">;

/** A row of a read or of the live feed, which write the same moment in different ways. */
export function toChatMessage(row: MessageRow): ChatMessage {
  const { id, user_id, username, message, created_at } = row;
  const { phrase, items, trade, reply_to, mentions, reactions } = row;
  return {
    ...{ id, user_id, username, message, created_at: toMoment(created_at) },
    ...(phrase && { phrase }),
    ...(items && { items }),
    ...(trade && { trade }),
    ...(reply_to && { reply_to }),
    ...(mentions && { mentions }),
    ...(reactions && { reactions }),
  };
}

/** The same message with a reaction more or less; itself where that changes nothing. */
export function withReaction(message: ChatMessage, reaction: Reaction, isThere: boolean): ChatMessage {
  if (message.id !== reaction.message_id) return message;
  const { [reaction.emoji]: people = [], ...others } = message.reactions ?? {};
  if (people.includes(reaction.user_id) === isThere) return message;
  const rest = people.filter((each) => each !== reaction.user_id);
  const now = isThere ? [...rest, reaction.user_id] : rest;
  return { ...message, reactions: now.length > 0 ? { ...others, [reaction.emoji]: now } : others };
}

/** Below zero where `a` stands above `b`. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

const WRITTEN = /^(.{10})[T ](.{8})(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)$/;
const UTC = /^(Z|[+-]00(:?00)?)$/;

function toMoment(written: string): string {
  const [, day, time, fraction = "", zone = ""] = WRITTEN.exec(written) ?? [];
  const second = UTC.test(zone) ? `${day}T${time}` : new Date(written).toISOString().slice(0, 19);
  return `${second}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}
