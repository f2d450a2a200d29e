import type { CellField } from "./fields.ts";

/** A cell: the item's id and the field. */
export type CellKey = `${string}/${CellField}`;

/** Why a sent cell was not published. */
export type Outcome = { outcome: "changed_meanwhile" | "refused"; why: string };

/** The new text of a cell, and its text before the edit; `note` is the cell's own reason. */
export type Edit = { text: string; was: string; note?: string; sent?: Outcome };
export type Edits = ReadonlyMap<CellKey, Edit>;

/** Returns what the catalogue holds now; null for a deleted item. */
export type Stored = (key: CellKey) => string | null;

/** One cell of a step: its edit before and after, and what the catalogue held then. */
type Turn = { key: CellKey; before: Edit | null; after: Edit | null; stored: string };

/** Unsaved cells, with undo and redo steps. Immutable. */
export type GridDraft = { edits: Edits; past: readonly Step[]; future: readonly Step[] };
type Step = readonly Turn[];

export const NO_DRAFT: GridDraft = { edits: new Map(), past: [], future: [] };
/** More steps than anyone undoes, and few enough to store. */
const STEPS = 200;

export const keyOf = (id: string, field: CellField): CellKey => `${id}/${field}`;
export function partsOf(key: CellKey): { id: string; field: CellField } {
  const at = key.lastIndexOf("/");
  return { id: key.slice(0, at), field: key.slice(at + 1) as CellField };
}

/** Writes texts into cells, as one step. A cell with the published text is not an edit. */
export function writeCells(
  draft: GridDraft,
  changes: Iterable<readonly [CellKey, string]>,
  stored: Stored,
): GridDraft {
  return turn(draft, changes, stored, (edit, text, now) => {
    if (text === (edit?.text ?? now)) return edit;
    if (text === now) return null;
    const { note } = edit ?? {};
    return { text, was: edit?.was ?? now, ...(note ? { note } : {}) };
  });
}

/** Gives edited cells their own reason; an empty one removes it. Cells without an edit have none. */
export function noteCells(draft: GridDraft, keys: Iterable<CellKey>, note: string, stored: Stored) {
  const text = note.trim();
  return turn(draft, pairs(keys, text), stored, (edit) => {
    if (!edit || (edit.note ?? "") === text) return edit;
    const { note: _, ...rest } = edit;
    return text ? { ...rest, note: text } : rest;
  });
}

/** Discards edits: the cells show what is published. */
export function dropCells(draft: GridDraft, keys: Iterable<CellKey>, stored: Stored): GridDraft {
  return turn(draft, pairs(keys, ""), stored, () => null);
}

/** Discards the cells of deleted items. Not an undo step: without their items they cannot be restored. */
export function dropDeletedRows(draft: GridDraft, stored: Stored): GridDraft {
  return { ...draft, edits: new Map([...draft.edits].filter(([key]) => stored(key) !== null)) };
}

/** Keeps one's own text over what someone published meanwhile. */
export function keepLocalEdit(draft: GridDraft, key: CellKey, stored: Stored): GridDraft {
  return turn(draft, [[key, ""]], stored, (edit, _, now) => {
    if (!edit) return null;
    const { sent: _sent, ...rest } = edit;
    return { ...rest, was: now };
  });
}

type Change = (edit: Edit | null, text: string, now: string) => Edit | null;

function turn(
  draft: GridDraft,
  changes: Iterable<readonly [CellKey, string]>,
  stored: Stored,
  change: Change,
): GridDraft {
  const edits = new Map(draft.edits);
  const step: Turn[] = [];
  for (const [key, text] of changes) {
    const now = stored(key);
    if (now === null) continue;
    const before = edits.get(key) ?? null;
    const after = change(before, text, now);
    if (after === before) continue;
    step.push({ key, before, after, stored: now });
    put(edits, key, after);
  }
  if (step.length === 0) return draft;
  return { edits, past: [...draft.past, step].slice(-STEPS), future: [] };
}

/** Undoes the last step. Nothing is unpublished by it: a published cell gets its former text as an unsaved edit. */
export function undo(draft: GridDraft, stored: Stored): GridDraft {
  const step = draft.past.at(-1);
  if (!step) return draft;
  const edits = new Map(draft.edits);
  for (const one of step.toReversed()) put(edits, one.key, restore(one, one.before, one.after, stored));
  return { edits, past: draft.past.slice(0, -1), future: [...draft.future, step] };
}

/** Redoes the step that was undone last. */
export function redo(draft: GridDraft, stored: Stored): GridDraft {
  const step = draft.future.at(-1);
  if (!step) return draft;
  const edits = new Map(draft.edits);
  for (const one of step) put(edits, one.key, restore(one, one.after, one.before, stored));
  return { edits, past: [...draft.past, step], future: draft.future.slice(0, -1) };
}

function restore(
  { key, stored: then }: Turn,
  wanted: Edit | null,
  left: Edit | null,
  stored: Stored,
): Edit | null {
  const now = stored(key);
  if (now === null) return wanted;
  const isPublished = now !== then && now === left?.text;
  if (!wanted) return isPublished ? { text: then, was: now } : null;
  if (wanted.text === now) return null;
  return isPublished ? { ...wanted, was: now } : wanted;
}

/** Discards edits whose text has been published meanwhile. */
export function reconcile(draft: GridDraft, stored: Stored): GridDraft {
  const done = [...draft.edits].filter(([key, edit]) => stored(key) === edit.text);
  if (done.length === 0) return draft;
  const edits = new Map(draft.edits);
  for (const [key] of done) edits.delete(key);
  return { ...draft, edits };
}

/**
 * Applies the results of sent cells, null for one that is published or proposed. A later edit stays. A check goes with
 * the new value of its item.
 */
export function settle(
  draft: GridDraft,
  results: Iterable<readonly [key: CellKey, sent: Edit, Outcome | null]>,
): GridDraft {
  const edits = new Map(draft.edits);
  for (const [key, was, outcome] of results) {
    const { id, field } = partsOf(key);
    if (!outcome && field === "current_value") edits.delete(keyOf(id, "checked"));
    const edit = edits.get(key);
    if (edit?.text !== was.text) continue;
    put(edits, key, outcome && { ...edit, sent: outcome });
  }
  return { ...draft, edits };
}

export type CellMark = "unsaved" | "clash" | "refused";

/** `clash`: the catalogue changed since the cell was edited. */
export function markOf(edit: Edit, now: string | null): CellMark {
  if (now !== null && now !== edit.was) return "clash";
  return edit.sent ? "refused" : "unsaved";
}

function put(edits: Map<CellKey, Edit>, key: CellKey, edit: Edit | null): void {
  if (edit) edits.set(key, edit);
  else edits.delete(key);
}

function* pairs(keys: Iterable<CellKey>, text: string): Iterable<readonly [CellKey, string]> {
  for (const key of keys) yield [key, text];
}
