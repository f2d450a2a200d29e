import { useEffect } from "react";
import { useLocation } from "react-router";
import { ITEM_VIEWS, type ItemView, useItemView } from "#app/features/items/item-view.ts";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import { FilterSheet } from "./filter-sheet.tsx";
import {
  chooseMode,
  formatListQuery,
  type ListChoice,
  type ListSort,
  modeOfChoice,
  SORTS,
} from "./list-query.ts";

/** The value of the tab for all categories; no slug is empty. */
const ALL = "";

type ValueFiltersProps = {
  tabs: readonly { slug: string; name: string; icon: string }[];
  choice: ListChoice;
  onChoose: (change: Partial<ListChoice>) => void;
  panelId: string;
  /** The number of matching items; null while unknown. */
  count: number | null;
};

/** Search, filters, default view mode, list or cards, and category tabs: one form, which works without scripts. */
export function ValueFilters({ tabs, choice, onChoose, panelId, count }: ValueFiltersProps) {
  useSearchFromHeader();
  const pathTo = (category: string | null) => `/values${formatListQuery({ ...choice, category })}`;
  return (
    <>
      <search className="finder-search">
        <SearchField
          id="search"
          label="Search items"
          name="q"
          placeholder="Search items..."
          value={choice.search}
          onChange={(event) => onChoose({ search: event.target.value })}
        />
      </search>
      <FilterSheet facets={choice} onChoose={onChoose} count={count} />
      <div className="finder-mode">
        <span aria-hidden="true">Default View Mode</span>
        <ViewModeToggle
          label="Default View Mode"
          name="mode"
          mode={modeOfChoice(choice)}
          onChange={(mode) => onChoose(chooseMode(choice, mode))}
        />
      </div>
      <ViewSwitch />
      {choice.category && <input type="hidden" name="category" value={choice.category} />}
      <TabStrip
        label="Categories"
        className="finder-tabs"
        panelId={panelId}
        value={choice.category ?? ALL}
        onSelect={(slug) => onChoose({ category: slug || null })}
        tabs={[
          { value: ALL, label: "All Items", path: pathTo(null) },
          ...tabs.map(({ slug, name, icon }) => ({ value: slug, label: name, icon, path: pathTo(slug) })),
        ]}
      />
    </>
  );
}

/** Focuses the search field if the header's search link (`/values#search`) led here. */
function useSearchFromHeader() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === "#search") document.getElementById("search")?.focus();
  }, [hash]);
}

const LOOKS: Record<ItemView, { label: string; path: string }> = {
  list: { label: "List", path: "M2 4.500h14M2 9h14M2 13.500h14" },
  cards: {
    label: "Cards",
    path: "M2.500 2.500h5v5h-5zM10.500 2.500h5v5h-5zM2.500 10.500h5v5h-5zM10.500 10.500h5v5h-5z",
  },
};

/** List or cards, remembered in this browser. Without scripts the screen width decides. */
function ViewSwitch() {
  const [view, choose] = useItemView();
  return (
    <fieldset className="view-switch">
      <legend className="sr-only">View</legend>
      {ITEM_VIEWS.map((each) => (
        <button
          key={each}
          type="button"
          data-view={each}
          aria-pressed={view === null ? undefined : view === each}
          onClick={() => choose(each)}
        >
          <LineIcon path={LOOKS[each].path} />
          <span className="sr-only">{LOOKS[each].label}</span>
        </button>
      ))}
    </fieldset>
  );
}

const LABELS: Record<ListSort, string> = {
  value: "Highest value",
  rise: "Biggest rise",
  fall: "Biggest fall",
  demand: "Most wanted",
  name: "Name, A to Z",
  checked: "Last checked",
};

/** The order of the list, as a native select. */
export function SortField({ sort, onChange }: { sort: ListSort; onChange: (sort: ListSort) => void }) {
  return (
    <label className="finder-sort">
      <span className="sr-only">Sort by</span>
      <select
        name="sort"
        className="control"
        value={sort}
        onChange={(event) => onChange(event.target.value as ListSort)}
      >
        {SORTS.map((each) => (
          <option key={each} value={each}>
            {LABELS[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
