import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import { FilterSheet } from "./filter-sheet.tsx";
import { formatListQuery, type ListChoice } from "./list-query.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** The value of the tab for all categories; no slug is empty. */
const ALL = "";

type ValueFiltersProps = {
  tabs: readonly { slug: string; name: string; icon: string }[];
  choice: ListChoice;
  onChoose: (change: Partial<ListChoice>) => void;
  panelId: string;
  /** The number of matching items. */
  count: number;
};

/** Search, filters, default view mode, list or cards, and category tabs: one form, which works without scripts. */
export function ValueFilters({ tabs, choice, onChoose, panelId, count }: ValueFiltersProps) {
  const search = useSearchFromHeader();
  const pathTo = (category: string | null) => `/values${formatListQuery({ ...choice, category })}`;
  return (
    <>
      <search className="finder-search">
        <SearchField
          ref={search}
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
          mode={choice.mode}
          onChange={(mode) => onChoose({ mode })}
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

/** Focuses the search field when the header's search link (`/values#search`) is pressed, on any page. */
function useSearchFromHeader() {
  const box = useRef<HTMLInputElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressed again on this page, only the key is another
  useEffect(() => {
    if (hash === "#search") box.current?.focus();
  }, [hash, key]);
  return box;
}
