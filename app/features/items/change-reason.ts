import { titled } from "#domain/text/words.ts";

/** Why something changed: the label of the chosen reason, and the note. */
export type ChangeReason = { reason: string | null; reason_label: string | null };

/** For example `The game was updated: Update 25`; null if no reason was given. */
export function describeReason({ reason_label, reason }: ChangeReason): string | null {
  return [reason_label, reason].filter(Boolean).join(": ") || null;
}

/** Who made a change: a role, and a name only if the editor chose a public one (P150). */
export type ChangeMaker = { changed_as: string | null; is_seconded: boolean; editor_name: string | null };

/** The role in which it was changed, and by whom if public; null if neither is known. */
export function describeRole({ changed_as, is_seconded, editor_name }: ChangeMaker): string | null {
  if (changed_as === null) return null;
  const by = editor_name === null ? `By an ${changed_as}` : `By ${editor_name}, an ${changed_as}`;
  return `${by}${is_seconded ? ", seen by a second person" : ""}`;
}

/** A demand or status as display text. */
export function describeWord(word: string | null): string {
  return word ? titled(word) : "none";
}
