import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { afterPaint } from "#app/ui/after-paint.ts";
import { followEdits, keepEdits, readEdits, takeTyping } from "./kept-grid.ts";
import {
  type CellKey,
  type Edits,
  type GridDraft,
  markOf,
  NO_DRAFT,
  partsOf,
  reconcile,
  type Stored,
  writeCells,
} from "./model/edits.ts";
import { faultOf, readTyped, storedText } from "./model/fields.ts";
import { readyCells } from "./publish/publish-cells.ts";

/** The unsaved cells over the current catalogue, kept in this browser. */
export function useGridDraft(items: readonly Item[]) {
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const stored = useCallback<Stored>(
    (key) => {
      const { id, field } = partsOf(key);
      const item = byId.get(id);
      return item ? storedText(item, field) : null;
    },
    [byId],
  );
  const [draft, setDraft] = useState(() => recover(stored));
  useEffect(() => setDraft((now) => reconcile(now, stored)), [stored]);
  useEffect(() => followEdits((edits) => setDraft((now) => ({ ...now, edits }))), []);
  useKept(draft.edits);
  const change = useCallback(
    (by: (draft: GridDraft, stored: Stored) => GridDraft) => setDraft((now) => by(now, stored)),
    [stored],
  );
  const counts = useMemo(
    () => ({ ...countCells(draft.edits, stored), ready: readyCells(draft.edits, stored).length }),
    [draft.edits, stored],
  );
  return { byId, stored, draft, change, counts };
}

/** What was typed before the page was left, including the open cell. */
function recover(stored: Stored): GridDraft {
  const draft = { ...NO_DRAFT, edits: readEdits() };
  const typing = takeTyping();
  if (!typing) return draft;
  const text = readTyped(partsOf(typing.key).field, typing.text);
  const recovered = writeCells(draft, [[typing.key, text]], stored);
  keepEdits(recovered.edits);
  return recovered;
}

/** Stores the cells soon after each change, and at the latest when the page is left. */
function useKept(edits: Edits): void {
  const kept = useRef(edits);
  useEffect(() => {
    if (kept.current === edits) return;
    const keep = () => {
      if (kept.current === edits) return;
      kept.current = edits;
      keepEdits(edits);
    };
    afterPaint(keep);
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, [edits]);
}

export type Counts = {
  unsaved: number;
  clashes: number;
  faults: number;
  /** The cells with a clash or a fault. */
  wrong: CellKey[];
  /** Cells of items that were deleted since; they cannot be published. */
  gone: number;
  edited: Set<string>;
};

function countCells(edits: Edits, stored: Stored): Counts {
  const counts: Counts = { unsaved: 0, clashes: 0, faults: 0, wrong: [], gone: 0, edited: new Set() };
  for (const [key, edit] of edits) {
    const now = stored(key);
    if (now === null) {
      counts.gone += 1;
      continue;
    }
    const { id, field } = partsOf(key);
    counts.edited.add(id);
    counts.unsaved += 1;
    if (markOf(edit, now) === "clash") counts.clashes += 1;
    else if (faultOf(field, edit.text)) counts.faults += 1;
    else continue;
    counts.wrong.push(key);
  }
  return counts;
}
