import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import type { ListChoice } from "./list-query.ts";

/** Stands for no category in the tabs; no slug is empty. */
const ALL = "";

type ValueFiltersProps = {
  tabs: readonly { slug: string; name: string; icon: string }[];
  choice: ListChoice;
  onChoose: (change: Partial<ListChoice>) => void;
  panelId: string;
};

/** Search, default view mode and category tabs. The search is a form, so that Enter finds without scripts too. */
export function ValueFilters({ tabs, choice, onChoose, panelId }: ValueFiltersProps) {
  const search = useSearchFromHeader();
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <search className="w-full sm:w-80">
          <form action="/values" onSubmit={(event) => event.preventDefault()}>
            <SearchField
              ref={search}
              id="search"
              label="Search items"
              name="q"
              placeholder="Search items..."
              value={choice.search}
              onChange={(event) => onChoose({ search: event.target.value })}
            />
          </form>
        </search>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span aria-hidden="true" className="text-sm font-semibold">
            Default View Mode
          </span>
          <ViewModeToggle
            label="Default View Mode"
            mode={choice.mode}
            onChange={(mode) => onChoose({ mode })}
          />
        </div>
      </div>
      <TabStrip
        label="Categories"
        className="md:flex-wrap"
        panelId={panelId}
        value={choice.category ?? ALL}
        onSelect={(slug) => onChoose({ category: slug || null })}
        tabs={[
          { value: ALL, label: "All Items" },
          ...tabs.map(({ slug, name, icon }) => ({ value: slug, label: name, icon })),
        ]}
      />
    </div>
  );
}

/** The header's search leads to `/values#search`, from every page and from this one: the box is ready to type in. */
function useSearchFromHeader() {
  const box = useRef<HTMLInputElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressed again on this page, only the key is another
  useEffect(() => {
    if (hash === "#search") box.current?.focus();
  }, [hash, key]);
  return box;
}
