import { type ChatMessage, comparePlaces } from "#app/routes/chat/room/chat-message.ts";
import type { Outgoing } from "#app/routes/chat/room/room-state.ts";
import { formatDate, type Zone } from "#domain/text/dates.ts";

/** A message with its day heading and group. */
export type MessageRow = {
  message: ChatMessage;
  /** Whether it is the first of its day, which gets a heading above it. */
  startsDay: boolean;
  /** Whether it is the first of a run by one person; only that one shows the name. */
  startsGroup: boolean;
};

/** A gap, in milliseconds, after which the same person's name is shown again. */
const PAUSE = 5 * 60 * 1000;

/** Messages with day headings and groups, in the reader's time zone. */
export function arrangeMessages(messages: readonly ChatMessage[], timeZone: Zone): MessageRow[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const startsDay = !before || dayOf(message, timeZone) !== dayOf(before, timeZone);
    return { message, startsDay, startsGroup: startsDay || !isContinued(before, message) };
  });
}

/** The user's pending messages, keyed by the number of stored messages before them. */
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

/** Cached: every new message asks for each message's day again, and formatting dates costs the most. */
const days = new WeakMap<ChatMessage, string>();

function dayOf(message: ChatMessage, timeZone: Zone): string {
  const known = days.get(message) ?? formatDate(message.created_at, timeZone);
  days.set(message, known);
  return known;
}
