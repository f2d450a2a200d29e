import { describeReason, describeRole, describeWord } from "#app/features/items/change-reason.ts";
import type { DemandChange } from "#app/features/items/value-history-queries.ts";
import { formatDate } from "#domain/text/dates.ts";
import { titled } from "#domain/text/words.ts";

/** A change of demand or status in display form. */
export type ShownDemand = {
  id: number;
  day: string;
  text: string;
  why: string;
  by: string | null;
  evidence: string | null;
  picture: string | null;
};

/** Describes the changes on the server, so that the browser receives only sentences. */
export function toShownDemands(changes: readonly DemandChange[]): ShownDemand[] {
  return changes.map((change) => ({
    id: change.id,
    day: formatDate(change.changed_at, "UTC"),
    text: `${titled(change.kind)}: ${describeWord(change.old_word)} → ${describeWord(change.new_word)}`,
    why: describeReason(change) ?? "No reason was given.",
    by: describeRole(change),
    evidence: change.evidence_url,
    picture: change.picture,
  }));
}
