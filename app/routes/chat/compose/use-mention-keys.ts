import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type Person, readPeople } from "#app/routes/chat/room/people-queries.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

export type MentionKeysProps = {
  draft: string;
  onChange(draft: string): void;
  /** People whose names match what is typed after "@". */
  mentionable: readonly Person[];
  /** The part of the name typed so far; null while no mention is being typed. */
  onMentionTyped(typed: string | null): void;
  onMention(person: Person): void;
};

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Keyboard handling for the mention list: arrows move, Enter and Tab select, Escape closes. */
export function useMentionKeys(
  { draft, onChange, mentionable, onMentionTyped, onMention }: MentionKeysProps,
  field: { current: HTMLTextAreaElement | null },
) {
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const isOpen = typed !== null && mentionable.length > 0;
  const active = Math.min(chosen, Math.max(0, mentionable.length - 1));

  function set(next: string | null) {
    if (next === typed) return;
    setTyped(next);
    setChosen(0);
    onMentionTyped(next);
  }

  /** The mention is sent with the message; the name around the caret is removed from the text. */
  function pick(person: Person) {
    const caret = field.current?.selectionStart ?? draft.length;
    const start = caret - (typed?.length ?? 0) - 1;
    onChange(draft.slice(0, Math.max(0, start)) + draft.slice(caret).replace(/^\w+/, ""));
    set(null);
    onMention(person);
    field.current?.focus();
  }

  function press(event: KeyboardEvent): boolean {
    if (!isOpen) return false;
    const step = STEPS[event.key];
    const person = mentionable[active];
    if (step) setChosen((active + step + mentionable.length) % mentionable.length);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && person) pick(person);
    else if (event.key === "Escape") set(null);
    else return false;
    event.preventDefault();
    return true;
  }

  return {
    isOpen,
    active,
    press,
    pick,
    close: () => set(null),
    read: ({ value, selectionStart }: HTMLTextAreaElement) =>
      set(mentionBefore(value.slice(0, selectionStart))),
  };
}

/** The database's limit on mentions per message. */
export const MOST_MENTIONS = 3;
const MOST_OFFERED = 6;
const MOST_ASKED = 100;

/** The part of a name typed right before the caret; null if there is no "@". */
function mentionBefore(text: string): string | null {
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
