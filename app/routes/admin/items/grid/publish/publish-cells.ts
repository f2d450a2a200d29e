import type { SessionClient } from "#app/features/session/session-client.ts";
import { STILL_RIGHT_CODE } from "#app/routes/admin/items/values/publish-values.ts";
import {
  explainWait,
  placeOf,
  type SentValue,
  sendValues,
} from "#app/routes/admin/items/values/send-values.ts";
import type { Reason } from "../kept-grid.ts";
import {
  type CellKey,
  type Edit,
  type Edits,
  keyOf,
  markOf,
  type Outcome,
  partsOf,
  type Stored,
} from "../model/edits.ts";
import { faultOf } from "../model/fields.ts";

/** The database's limit per call. */
export const CELLS_AT_ONCE = 5000;

export type ReadyCell = { key: CellKey; edit: Edit; now: string };

/** The cells that can be published: no clashes, no invalid ones. A check of an item whose value changes is left out. */
export function readyCells(edits: Edits, stored: Stored): ReadyCell[] {
  const ready: ReadyCell[] = [];
  for (const [key, edit] of edits) {
    const now = stored(key);
    if (now === null) continue;
    const { id, field } = partsOf(key);
    const mark = markOf(edit, now);
    if (mark === "clash" || faultOf(field, edit.text) !== null) continue;
    if (field === "checked" && edits.has(keyOf(id, "current_value"))) continue;
    ready.push({ key, edit, now });
  }
  return ready;
}

export type PublishResult = {
  results: [key: CellKey, sent: Edit, Outcome | null][];
  /** How many of them wait for a second person. */
  waiting: number;
  /** The set by which values can be taken back, and how many it holds; null without any. Checks are in no set. */
  set: { id: string; count: number } | null;
};

/**
 * Publishes cells in one transaction, each with its own note or the common one. A check is sent as an unchanged value:
 * the one that the editor saw.
 * @throws the service's error if nothing was published
 */
export async function publishCells(
  client: SessionClient,
  ready: readonly ReadyCell[],
  { code, note, evidence, picture }: Reason & { picture: string | null },
): Promise<PublishResult> {
  const sent = new Map(ready.map((cell) => [placeOf(toCell(cell)), cell]));
  const rows = await sendValues(client, ready.map(toCell), {
    reason_code: code || STILL_RIGHT_CODE,
    note: note.trim(),
    ...(evidence.trim() ? { evidence_url: evidence.trim() } : {}),
    ...(picture ? { picture } : {}),
  });
  const results = rows.flatMap((row): PublishResult["results"] => {
    const cell = sent.get(placeOf(row));
    return cell ? [[cell.key, cell.edit, outcomeOf(row)]] : [];
  });
  const id = rows.find(({ set_id }) => set_id)?.set_id;
  return {
    results,
    waiting: rows.filter(({ outcome }) => outcome === "waiting").length,
    set: id ? { id, count: rows.filter(({ set_id }) => set_id === id).length } : null,
  };
}

function outcomeOf({ outcome, why }: { outcome: string; why: string | null }): Outcome | null {
  return outcome === "changed_meanwhile" || outcome === "refused" ? { outcome, why: why ?? "" } : null;
}

function toCell({ key, edit: { text, was, note } }: ReadyCell): SentValue {
  const { id, field } = partsOf(key);
  if (field !== "checked") return { item_id: id, field, value: text, was, ...(note ? { note } : {}) };
  return { item_id: id, field: "current_value", value: was, was, reason_code: STILL_RIGHT_CODE };
}

/** Why a cell was not published, as a sentence. */
export function explainOutcome({ outcome, why }: Outcome): string {
  if (outcome === "changed_meanwhile")
    return "Somebody changed it before this arrived. Nothing was written over.";
  return `Not published: ${why || "the database refused it"}.`;
}

/** Why a proposed cell is not published yet, as a sentence. */
export function explainWaiting(why: string): string {
  return `A second person looks at it first: ${explainWait(why)}.`;
}
