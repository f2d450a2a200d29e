import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useDeferredValue, useMemo, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { GRID_COLUMNS } from "./model/columns.ts";
import { filterItems, type GridFilter, NO_FILTER } from "./model/filter.ts";
import { orderOf } from "./model/selection.ts";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const helper = createColumnHelper<typeof features, Item>();

/** What a column is sorted by; unpriced values come last in both directions. */
const SORTED: Record<string, (item: Item) => string | number | undefined> = {
  name: ({ name }) => name,
  category: ({ category_id }) => category_id ?? "",
  current_value: ({ current_value_number }) => current_value_number ?? undefined,
  permanent_value: ({ permanent_value_number }) => permanent_value_number ?? undefined,
  checked: ({ values_checked_at }) => Date.parse(values_checked_at),
};
const columns = helper.columns(
  GRID_COLUMNS.map(({ id, label }) =>
    helper.accessor(SORTED[id] ?? (() => undefined), { id, header: label, sortUndefined: "last" }),
  ),
);

/** The grid's sort orders; the catalogue comes sorted by name. */
export const GRID_ORDERS: Record<string, { label: string; sorting: SortingState }> = {
  name: { label: "By name", sorting: [] },
  value: { label: "Highest value", sorting: [{ id: "current_value", desc: true }] },
  permanent: { label: "Highest permanent value", sorting: [{ id: "permanent_value", desc: true }] },
  checked: { label: "Checked longest ago", sorting: [{ id: "checked", desc: false }] },
};

/** The visible rows in order; deferred, so that typing into the filter stays fast. */
export function useGridRows({ items }: Catalogue, edited: ReadonlySet<string>, now: number) {
  const [filter, setFilter] = useState<GridFilter>(NO_FILTER);
  const [orderBy, setOrderBy] = useState("name");
  const wanted = useDeferredValue(filter);
  // Rows with unsaved cells matter only to that filter: otherwise each edit would filter again.
  const narrowing = wanted.unsaved ? edited : NOBODY;
  const data = useMemo(
    () => filterItems(items, wanted, { now, edited: narrowing }) as Item[],
    [items, wanted, now, narrowing],
  );
  const sorting = (GRID_ORDERS[orderBy] ?? GRID_ORDERS.name)?.sorting ?? [];
  const table = useTable({ features, columns, data, getRowId: ({ id }) => id, state: { sorting } });
  const { rows } = table.getRowModel();
  const order = useMemo(
    () =>
      orderOf(
        rows.map(({ id }) => id),
        GRID_COLUMNS.length,
      ),
    [rows],
  );
  return { table, rows, order, filter, setFilter, orderBy, setOrderBy };
}

const NOBODY: ReadonlySet<string> = new Set();
