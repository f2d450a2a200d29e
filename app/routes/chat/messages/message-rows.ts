import { type ChatMessage, comparePlaces } from "#app/routes/chat/room/chat-message.ts";
import type { Outgoing } from "#app/routes/chat/room/room-state.ts";
import { formatDate } from "#domain/text/dates.ts";

/** A message and how it stands among its neighbors. */
export type MessageRow = {
  message: ChatMessage;
  /** The first of its day, which is named above it. */
  startsDay: boolean;
  /** The first of several by one person in a row: the name stands above it alone. */
  startsGroup: boolean;
};

/** After so long, in milliseconds, even the same person is named again. */
const PAUSE = 5 * 60 * 1000;

/** The messages with their days and groups, in the reader's own time zone. */
export function arrangeMessages(messages: readonly ChatMessage[], timeZone: string): MessageRow[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const startsDay = !before || dayOf(message, timeZone) !== dayOf(before, timeZone);
    return { message, startsDay, startsGroup: startsDay || !isContinued(before, message) };
  });
}

/** The own messages that are not stored, by how many of the stored ones stand before them. */
export function placeOutgoing(
  messages: readonly ChatMessage[],
  outgoing: readonly Outgoing[],
): ReadonlyMap<number, Outgoing[]> {
  const placed = new Map<number, Outgoing[]>();
  for (const each of outgoing) {
    const { after } = each;
    const place = after
      ? messages.findLastIndex((message) => comparePlaces(message, after) <= 0) + 1
      : messages.length;
    placed.set(place, [...(placed.get(place) ?? []), each]);
  }
  return placed;
}

function isContinued(before: ChatMessage, message: ChatMessage): boolean {
  const isSame = before.user_id === message.user_id && before.username === message.username;
  return isSame && Date.parse(message.created_at) - Date.parse(before.created_at) <= PAUSE;
}

/** Each message's day is asked for whenever another one comes, and formatting a date costs the most of it all. */
const days = new WeakMap<ChatMessage, string>();

function dayOf(message: ChatMessage, timeZone: string): string {
  const known = days.get(message) ?? formatDate(message.created_at, timeZone);
  days.set(message, known);
  return known;
}
