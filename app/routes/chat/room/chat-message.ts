import type { Tables } from "#supabase/database.types.ts";

/**
 * A message as the room keeps it. `created_at` is normalized to UTC with all six fractional digits, so that messages
 * compare as strings: by it, then by id, the same for everyone.
 */
export type ChatMessage = Pick<
  Tables<"chat_messages">,
  "id" | "user_id" | "username" | "message" | "created_at"
> &
  Addition & {
    /** Who reacted with which sign. */
    reactions?: Reactions;
  };

/** A message's data besides its text: the quick-talk phrase, the reply and the mentions. */
export type Addition = {
  phrase?: string;
  /** The items in the phrase's gaps, as slots in the format of the calculator's URL. */
  items?: string;
  /** The query of the calculator's URL, from the writer's side. */
  trade?: string;
  reply_to?: string;
  mentions?: readonly string[];
};

/** User ids by the sign they reacted with. */
type Reactions = Readonly<Record<string, readonly string[]>>;

export type Reaction = { message_id: string; emoji: string; user_id: string };

/** A row as the service returns it; missing values are null. */
export type MessageRow = { [Name in keyof ChatMessage]: ChatMessage[Name] | null } & Pick<
  ChatMessage,
  "id" | "user_id" | "username" | "message" | "created_at"
>;

export type Place = Pick<ChatMessage, "created_at" | "id">;

/** Parses a row of a query or of the live feed, which format timestamps differently. */
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

/** The message with a reaction added or removed; the same object if nothing changes. */
export function withReaction(message: ChatMessage, reaction: Reaction, isThere: boolean): ChatMessage {
  if (message.id !== reaction.message_id) return message;
  const { [reaction.emoji]: people = [], ...others } = message.reactions ?? {};
  if (people.includes(reaction.user_id) === isThere) return message;
  const rest = people.filter((each) => each !== reaction.user_id);
  const now = isThere ? [...rest, reaction.user_id] : rest;
  return { ...message, reactions: now.length > 0 ? { ...others, [reaction.emoji]: now } : others };
}

/** The message with the name and text that a later row of it has; the same object for any other. */
export function withText(message: ChatMessage, row: ChatMessage): ChatMessage {
  if (message.id !== row.id) return message;
  // A feed may leave out a long text that did not change.
  return { ...message, username: row.username, message: row.message ?? message.message };
}

/** Negative if `a` comes before `b`. */
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
