import { useEffect, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { GRID_COLUMNS } from "./model/columns.ts";
import { type CellKey, keyOf } from "./model/edits.ts";
import { storedText } from "./model/fields.ts";

/** How long a published change stays highlighted in an open grid, in milliseconds. */
const FRESH_FOR = 10_000;
const NONE: ReadonlySet<CellKey> = new Set();

/** The cells that someone published a moment ago, while the grid was open. */
export function useFreshCells(items: readonly Item[]): ReadonlySet<CellKey> {
  const [fresh, setFresh] = useState(NONE);
  const before = useRef(items);
  useEffect(() => {
    const changed = findChanges(before.current, items);
    before.current = items;
    if (changed.size > 0) setFresh(changed);
  }, [items]);
  useEffect(() => {
    if (fresh === NONE) return;
    const timer = setTimeout(() => setFresh(NONE), FRESH_FOR);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}

function findChanges(before: readonly Item[], after: readonly Item[]): Set<CellKey> {
  const changed = new Set<CellKey>();
  const known = new Map(before.map((item) => [item.id, item]));
  for (const item of after) {
    const old = known.get(item.id);
    if (!old || old === item) continue;
    for (const { field } of GRID_COLUMNS) {
      if (field && storedText(old, field) !== storedText(item, field)) changed.add(keyOf(item.id, field));
    }
  }
  return changed;
}
