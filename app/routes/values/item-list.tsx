import { useCallback, useDeferredValue, useId, useMemo, useState } from "react";
import { useNow } from "#app/features/items/use-now.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { orderByValue, type ViewMode } from "#domain/values/view-mode.ts";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";
import { unpackItems } from "./pack-items.ts";
import { useListChoice } from "./use-list-choice.ts";
import { ValueFilters } from "./value-filters.tsx";

type ItemListProps = {
  /** As `packItems` packed them. */
  items: string;
  tabs: readonly { slug: string; name: string; icon: string }[];
  configuration: PageConfiguration;
  hasAd: boolean;
  renderedAt: number;
};

/** The filters and the cards they leave. Typing answers at once, the cards follow in the next free moment. */
export function ItemList({ items, tabs, configuration, hasAd, renderedAt }: ItemListProps) {
  const [choice, choose] = useListChoice();
  const [modes, setModes] = useState(() => allInMode(choice.mode));
  const setMode = useCallback(
    (slug: string, mode: ViewMode) => setModes((all) => withMode(all, slug, mode)),
    [],
  );
  const filter = useDeferredValue(choice);
  if (modes.standard !== filter.mode) setModes(allInMode(filter.mode));
  const all = useMemo(() => unpackItems(items), [items]);
  const ordered = useMemo(() => orderByValue(all, filter.mode), [all, filter.mode]);
  const found = useMemo(() => filterItems(ordered, filter), [ordered, filter]);
  const now = useNow(renderedAt);
  const panelId = useId();

  return (
    <>
      <ValueFilters tabs={tabs} choice={choice} onChoose={choose} panelId={panelId} />
      <p role="status" className="mt-4 text-sm text-muted">
        {found.length === 1 ? "1 item" : `${found.length} items`}
      </p>
      <div id={panelId} role="tabpanel" aria-label="Items" className="mt-3">
        <ItemGrid
          items={found}
          modes={modes}
          onMode={setMode}
          configuration={configuration}
          hasAd={hasAd}
          now={now}
        />
      </div>
    </>
  );
}

/** What narrows a list: a text that the name must hold in any case, and a category's slug, null for all. */
type ItemFilter = { search: string; category: string | null };

/** The items that pass both (2.values.03: case-insensitive substring of the name). */
export function filterItems<T extends { name: string; category: string | null }>(
  items: readonly T[],
  { search, category }: ItemFilter,
): T[] {
  const wanted = search.trim().toLowerCase();
  return items.filter(
    (item) => (category === null || item.category === category) && item.name.toLowerCase().includes(wanted),
  );
}
