import type { Tables } from "#supabase/database.types.ts";

/** Why a value changed: the words of the chosen reason, and the note. */
export type ChangeReason = Pick<Tables<"item_value_changes">, "reason"> & { reason_label: string | null };

/** `The game was updated: Update 25`; null where nothing was written down. */
export function describeReason({ reason_label, reason }: ChangeReason): string | null {
  return [reason_label, reason].filter(Boolean).join(": ") || null;
}

/** In which role it was changed, never by whom; null where that is not known. */
export function describeRole({
  changed_as,
  is_seconded,
}: Pick<Tables<"item_value_changes">, "changed_as" | "is_seconded">): string | null {
  if (changed_as === null) return null;
  return `By an ${changed_as}${is_seconded ? ", seen by a second person" : ""}`;
}
