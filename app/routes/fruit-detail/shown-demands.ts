import type { DemandChange } from "#app/features/items/value-history-queries.ts";
import { formatDate } from "#domain/text/dates.ts";
import { titled } from "#domain/text/words.ts";

/** A change of demand or status as it is read. */
export type ShownDemand = { id: number; day: string; text: string; why: string };

/** Says on the server what changed, so that the browser gets sentences alone. */
export function toShownDemands(changes: readonly DemandChange[]): ShownDemand[] {
  return changes.map(({ id, kind, old_word, new_word, reason, changed_at }) => ({
    id,
    day: formatDate(changed_at),
    text: `${titled(kind)}: ${wordOf(old_word)} → ${wordOf(new_word)}`,
    why: reason ?? "No reason was given.",
  }));
}

const wordOf = (word: string | null) => (word ? titled(word) : "none");
