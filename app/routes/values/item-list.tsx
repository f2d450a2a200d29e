import { useCallback, useDeferredValue, useId, useMemo, useState } from "react";
import { useNow } from "#app/features/items/use-now.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { type Searchable, searchItems } from "#domain/items/item-search.ts";
import { type ItemValues, orderByValue, type ViewMode } from "#domain/values/view-mode.ts";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";
import type { ListChoice } from "./list-query.ts";
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
  const all = useMemo(() => unpackItems(items), [items]);
  const { found, mode } = useMemo(() => findItems(all, filter), [all, filter]);
  if (modes.standard !== mode) setModes(allInMode(mode));
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

/** The items of the category that match the search, and the mode to show them in: "perm dough" asks for one. */
export function findItems<T extends ItemValues & Searchable & { category: string | null }>(
  items: readonly T[],
  { search, category, mode: chosen }: ListChoice,
): { found: T[]; mode: ViewMode } {
  const inCategory = items.filter((item) => category === null || item.category === category);
  const mode = searchItems(inCategory, search).mode ?? chosen;
  return { found: searchItems(orderByValue(inCategory, mode), search).found, mode };
}
