import { useEffect, useMemo, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type Person, readPeople } from "#app/routes/chat/room/people-queries.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

/** The database's limit on mentions per message. */
export const MOST_MENTIONS = 3;
const MOST_OFFERED = 6;
const MOST_ASKED = 100;

/** The part of a name typed right before the caret; null if there is no "@". */
export function mentionBefore(text: string): string | null {
  return /(?:^|\s)@([^\s@]{0,20})$/.exec(text)?.[1] ?? null;
}

/** People who can be mentioned: recent writers, latest first, then others in the room. */
export function useMentionable(client: SessionClient, view: RoomView, userId: string, typed: string | null) {
  const { messages, here, muted } = view;
  const [present, setPresent] = useState<readonly Person[]>([]);
  const isOpen = typed !== null;
  const asked = isOpen ? here.slice(0, MOST_ASKED).sort().join() : "";
  useEffect(() => {
    if (asked) readPeople(client, asked.split(",")).then(setPresent, () => undefined);
  }, [client, asked]);

  return useMemo(() => {
    if (typed === null) return [];
    const people = new Map<string, Person>();
    const writers = messages.map(({ user_id, username }) => ({ id: user_id, username })).reverse();
    for (const person of [...writers, ...present]) {
      const isOther = person.id !== userId && !muted.has(person.id) && !people.has(person.id);
      if (isOther && person.username.toLowerCase().startsWith(typed.toLowerCase()))
        people.set(person.id, person);
    }
    return [...people.values()].slice(0, MOST_OFFERED);
  }, [messages, present, muted, userId, typed]);
}
