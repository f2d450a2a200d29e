import type { RefObject } from "react";
import { BareSelect, categoryOptions, type Option, wordOptions } from "#app/routes/admin/items/choices.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { DEMANDS } from "#domain/items/demand.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import type { GridFilter } from "./model/filter.ts";
import { SavedFilters } from "./saved-filters.tsx";
import type { Grid } from "./use-grid.ts";
import { GRID_ORDERS } from "./use-grid-rows.ts";

const UNPRICED = [
  ["regular", "Without a value"],
  ["permanent", "Without a permanent value"],
] as const;
const AGES = [
  ["1", "Not checked for a day"],
  ["7", "Not checked for a week"],
  ["30", "Not checked for a month"],
] as const;

/** Filters and sorts the rows; filters can be saved under a name. */
export function FilterBar({ grid, search }: { grid: Grid; search: RefObject<HTMLInputElement | null> }) {
  const { rows, catalogue } = grid;
  const { filter, setFilter } = rows;
  const change = (part: Partial<GridFilter>) => setFilter({ ...filter, ...part });
  const choice = (name: keyof GridFilter & keyof typeof ALL, options: readonly Option[]) => (
    <BareSelect
      label={ALL[name].label}
      value={String(filter[name])}
      onChoose={(value) => change({ [name]: value })}
      options={[["", ALL[name].all], ...options]}
    />
  );
  return (
    <search className="grid-filters">
      <SearchField
        ref={search}
        label="Filter by name"
        placeholder="Filter by name (/)"
        value={filter.search}
        onChange={(event) => change({ search: event.target.value })}
        onKeyDown={({ key }) => {
          const first = rows.order.rows[0];
          const column = grid.cells.selection?.active.column ?? FIRST_VALUE;
          const spot = { row: first ?? "", column };
          if ((key === "Enter" || key === "ArrowDown") && first) grid.select({ active: spot, end: spot });
        }}
      />
      {choice("category", [...categoryOptions(catalogue.categories), ["none", "Without category"]])}
      {choice("rarity", wordOptions(RARITIES))}
      {choice("demand", wordOptions(DEMANDS))}
      {choice("unpriced", UNPRICED)}
      {choice("age", AGES)}
      <BareSelect
        label="Order"
        value={rows.orderBy}
        onChoose={rows.setOrderBy}
        options={Object.entries(GRID_ORDERS).map(([id, { label }]) => [id, label] as const)}
      />
      <label className="flex min-h-9 items-center gap-1.5 text-sm">
        <input
          type="checkbox"
          className="size-5 accent-accent-text"
          checked={filter.unsaved}
          onChange={(event) => change({ unsaved: event.target.checked })}
        />
        Unsaved only
      </label>
      <SavedFilters filter={filter} onChoose={setFilter} />
    </search>
  );
}

/** The column that receives focus after filtering if no cell was selected yet. */
const FIRST_VALUE = 4;

const ALL = {
  category: { label: "Category", all: "All categories" },
  rarity: { label: "Rarity", all: "All rarities" },
  demand: { label: "Demand", all: "Any demand" },
  unpriced: { label: "Missing values", all: "Priced or not" },
  age: { label: "Last check", all: "Any check" },
};
