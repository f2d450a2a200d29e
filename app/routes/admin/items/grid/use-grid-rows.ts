import { useDeferredValue, useMemo, useState } from "react";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { type ItemOrder, sortItems } from "../item-orders.ts";
import { GRID_COLUMNS } from "./model/columns.ts";
import { filterItems, type GridFilter, NO_FILTER } from "./model/filter.ts";
import { orderOf } from "./model/selection.ts";

/** The visible rows in order; deferred, so that typing into the filter stays fast. */
export function useGridRows({ items }: Catalogue, edited: ReadonlySet<string>, now: number) {
  const [filter, setFilter] = useState<GridFilter>(NO_FILTER);
  const [orderBy, setOrderBy] = useState<ItemOrder>("name");
  const wanted = useDeferredValue(filter);
  // Rows with unsaved cells matter only to that filter: otherwise each edit would filter again.
  const narrowing = wanted.unsaved ? edited : NOBODY;
  const rows = useMemo(
    () => sortItems(filterItems(items, wanted, { now, edited: narrowing }), orderBy),
    [items, wanted, now, narrowing, orderBy],
  );
  const order = useMemo(
    () =>
      orderOf(
        rows.map(({ id }) => id),
        GRID_COLUMNS.length,
      ),
    [rows],
  );
  return { rows, order, filter, setFilter, orderBy, setOrderBy };
}

const NOBODY: ReadonlySet<string> = new Set();
