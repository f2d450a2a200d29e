import type { Tables } from "#supabase/database.types.ts";

/**
 * A message as the room keeps it. `created_at` is of one form, with all six digits behind the second and in UTC, so that
 * messages are compared as texts: by it, then by id, the same for everyone.
 */
export type ChatMessage = Pick<
  Tables<"chat_messages">,
  "id" | "user_id" | "username" | "message" | "created_at"
>;

/** Where a message stands in the room. */
export type Place = Pick<ChatMessage, "created_at" | "id">;

/** A row of a read or of the live feed, which write the same moment in different ways. */
export function toChatMessage({ id, user_id, username, message, created_at }: ChatMessage): ChatMessage {
  return { id, user_id, username, message, created_at: toMoment(created_at) };
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
