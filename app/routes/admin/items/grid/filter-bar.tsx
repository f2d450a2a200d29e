import { type RefObject, useState } from "react";
import { BareSelect, categoryOptions, type Option, wordOptions } from "#app/routes/admin/items/choices.tsx";
import { Button } from "#app/ui/button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { DEMANDS } from "#domain/items/demand.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { type ItemOrder, orderOptions } from "../item-orders.ts";
import { keepFilters, readFilters, type SavedFilter } from "./kept-grid.ts";
import { countNarrowed, type GridFilter, NO_FILTER } from "./model/filter.ts";
import type { Grid } from "./use-grid.ts";

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
        onChoose={(order) => rows.setOrderBy(order as ItemOrder)}
        options={orderOptions("name", "value", "permanent", "checked")}
      />
      <label className="flex min-h-(--control) items-center gap-1.5 text-sm">
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

/** Filters saved under a name, in this browser. */
function SavedFilters({ filter, onChoose }: { filter: GridFilter; onChoose(filter: GridFilter): void }) {
  const [saved, setSaved] = useState(readFilters);
  const [name, setName] = useState<string | null>(null);
  const current = saved.find((each) => JSON.stringify(each.filter) === JSON.stringify(filter));
  const isNarrowed = countNarrowed(filter) > 0;

  function keep(next: SavedFilter[]): void {
    setSaved(next);
    keepFilters(next);
  }
  function save(): void {
    const called = name?.trim();
    if (called) keep([...saved.filter((each) => each.name !== called), { name: called, filter }]);
    setName(null);
  }

  return (
    <span className="flex flex-wrap gap-1.5">
      {saved.length > 0 && (
        <select
          aria-label="Saved filters"
          className="control"
          value={current?.name ?? ""}
          onChange={({ target }) =>
            onChoose(saved.find((each) => each.name === target.value)?.filter ?? NO_FILTER)
          }
        >
          <option value="">Saved filters…</option>
          {saved.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      )}
      {name !== null && (
        <input
          type="text"
          className="control"
          aria-label="Name of the filter"
          placeholder="Name of the filter"
          maxLength={40}
          // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={({ key }) => {
            if (key === "Enter") save();
            if (key === "Escape") setName(null);
          }}
        />
      )}
      {isNarrowed && !current && (
        <Button size="sm" onClick={name === null ? () => setName("") : save}>
          {name === null ? "Save filter" : "Save"}
        </Button>
      )}
      {current && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Forget the filter ${current.name}`}
          onClick={() => keep(saved.filter((each) => each !== current))}
        >
          Forget
        </Button>
      )}
      {isNarrowed && (
        <Button size="sm" variant="ghost" onClick={() => onChoose(NO_FILTER)}>
          Show all
        </Button>
      )}
    </span>
  );
}
