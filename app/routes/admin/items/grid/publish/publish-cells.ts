import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { STILL_RIGHT_CODE } from "#app/routes/admin/items/values/publish-values.ts";
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
import { faultOf, type GridField } from "../model/fields.ts";

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
  /** The id by which all of it can be undone; null if nothing was published. */
  setId: string | null;
};

/**
 * Publishes cells in one transaction, each with its own note or the common one. A check is sent as an unchanged value:
 * the one that the editor saw. What was published although its answer was lost counts, also at the next attempt.
 * @throws the service's error if nothing was published
 */
export async function publishCells(
  client: SessionClient,
  ready: readonly ReadyCell[],
  { code, note, evidence, picture }: Reason & { picture: string | null },
): Promise<PublishResult> {
  const sent = new Map(ready.map((cell) => [sentAs(cell.key), cell]));
  const cells = ready.map(({ key, edit }) => toCell(key, edit));
  const { data, error } = await client.rpc("publish_values", {
    cells,
    reason_code: code || STILL_RIGHT_CODE,
    note: note.trim(),
    ...(evidence.trim() ? { evidence_url: evidence.trim() } : {}),
    ...(picture ? { picture } : {}),
  });
  if (error && !isUnanswered(error)) throw error;
  const isUnsure = error !== null || data.some(({ outcome }) => outcome === "changed_meanwhile");
  const arrived = isUnsure ? await readArrived(client, ready).catch(() => []) : [];
  if (error && arrived.length === 0) throw error;
  const rows = [...(data ?? []).filter((row) => !arrived.some((each) => isSame(each, row))), ...arrived];
  const results = rows.flatMap((row): PublishResult["results"] => {
    const cell = sent.get(`${row.item_id}/${row.field}`);
    return cell ? [[cell.key, cell.edit, outcomeOf(row)]] : [];
  });
  return {
    results,
    waiting: rows.filter(({ outcome }) => outcome === "waiting").length,
    setId: rows.find(({ set_id }) => set_id)?.set_id ?? null,
  };
}

type CellRow = { item_id: string; field: string };
const isSame = (a: CellRow, b: CellRow) => a.item_id === b.item_id && a.field === b.field;

/** Those of the cells that this person's latest proposals hold: still in force, or waiting for a second person. */
async function readArrived(client: SessionClient, ready: readonly ReadyCell[]) {
  const { data } = await client
    .from("value_proposals")
    .select("item_id, field, old_value, new_value, state, set_id, value_sets(state), items(*)")
    .eq("proposed_by", currentSession().session?.user.id ?? "")
    .in("state", ["published", "waiting"])
    .order("id", { ascending: false })
    .limit(ready.length)
    .throwOnError();
  const wanted = new Map(ready.map(({ key, edit }) => [key, edit]));
  return data.flatMap(({ item_id, items, state, set_id, ...row }) => {
    const field = row.field as GridField;
    const edit = wanted.get(keyOf(item_id, field));
    const isSent = edit?.text === (row.new_value ?? "") && edit.was === (row.old_value ?? "");
    const isInForce =
      state === "waiting" || (row.value_sets?.state === "published" && items[field] === row.new_value);
    return isSent && isInForce ? [{ item_id, field, outcome: state, why: null, set_id }] : [];
  });
}

function outcomeOf({ outcome, why }: { outcome: string; why: string | null }): Outcome | null {
  return outcome === "changed_meanwhile" || outcome === "refused" ? { outcome, why: why ?? "" } : null;
}

const sentAs = (key: CellKey) => {
  const { id, field } = partsOf(key);
  return `${id}/${field === "checked" ? "current_value" : field}`;
};

function toCell(key: CellKey, { text, was, note }: Edit) {
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
  return `A second person looks at it first: ${WAITS[why] ?? "it needs one"}.`;
}

const WAITS: Record<string, string> = {
  large: "it moves the value a lot",
  dear: "the item is one of the dearest",
  new_editor: "a new editor’s changes wait",
};
