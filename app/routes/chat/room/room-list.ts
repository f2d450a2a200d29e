import { type ChatMessage, comparePlaces, type Place } from "./chat-message.ts";

/** Merges two sorted lists; for duplicates the first list's message wins. */
export function merge(list: readonly ChatMessage[], more: readonly ChatMessage[]): readonly ChatMessage[] {
  const [newest, first] = [list.at(-1), more[0]];
  // Mostly a single message that just arrived.
  if (!newest || (first && comparePlaces(newest, first) < 0)) return [...list, ...more];
  const known = new Set(list.map(({ id }) => id));
  const added = more.filter(({ id }) => !known.has(id));
  if (added.length === 0) return list;
  return [...list, ...added].sort(comparePlaces);
}

/** Reuses the objects of unchanged messages, so that they do not re-render. */
export function keepKnown(
  known: readonly ChatMessage[],
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  return messages.map((message) => {
    const before = byId.get(message.id);
    return before && changing(before) === changing(message) ? before : message;
  });
}

/** What can change after a message was sent. */
const changing = ({ username, message, reactions = {} }: ChatMessage) =>
  JSON.stringify([username, message, reactions]);

export function isFrom(from: Place | null, place: Place): boolean {
  return from === null || comparePlaces(from, place) <= 0;
}

export function without<T extends { id: string }>(list: readonly T[], id: string): readonly T[] {
  return list.some((each) => each.id === id) ? list.filter((each) => each.id !== id) : list;
}

/** Replaces the item of the same id, or adds it at the end. */
export function putIn<T extends { id: string }>(list: readonly T[], item: T): readonly T[] {
  const isThere = list.some((each) => each.id === item.id);
  if (!isThere) return [...list, item];
  return list.map((each) => (each.id === item.id ? item : each));
}
