import { type KeyboardEvent, useState } from "react";
import type { Person } from "#app/routes/chat/room/people-queries.ts";
import { mentionBefore } from "./use-mentions.ts";

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

  /** The mention is sent with the message; its typed part is removed from the text. */
  function pick(person: Person) {
    const end = field.current?.selectionStart ?? draft.length;
    const start = end - (typed?.length ?? 0) - 1;
    onChange(draft.slice(0, Math.max(0, start)) + draft.slice(end));
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
