import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { useNow } from "#app/features/items/use-now.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { type Searchable, searchItems } from "#domain/items/item-search.ts";
import { type ItemValues, orderByValue, type ViewMode } from "#domain/values/view-mode.ts";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";
import { formatListQuery, type ListChoice, parseListQuery } from "./list-query.ts";
import { unpackItems } from "./pack-items.ts";
import { ValueFilters } from "./value-filters.tsx";

type ItemListProps = {
  /** As `packItems` packed them. */
  items: string;
  tabs: readonly { slug: string; name: string; icon: string }[];
  configuration: PageConfiguration;
  ad: AdState;
  renderedAt: number;
};

/** The filters and the cards they leave. Typing answers at once, the cards follow in the next free moment. */
export function ItemList({ items, tabs, configuration, ad, renderedAt }: ItemListProps) {
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
          ad={ad}
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

/** How long typing pauses before the address follows: browsers refuse more than some hundred changes a minute. */
const PAUSE = 300;

/**
 * The visitor's choice, kept in the address. The address is changed behind the router's back, because no read depends
 * on it: a navigation of the router would draw the page again and scroll it.
 */
function useListChoice(): [ListChoice, (change: Partial<ListChoice>) => void] {
  const location = useLocation();
  const [choice, setChoice] = useState(() => parseListQuery(location.search));
  const visit = useRef(location.key);

  useEffect(() => {
    if (visit.current === location.key) return;
    visit.current = location.key;
    setChoice(parseListQuery(location.search));
  }, [location]);

  useEffect(() => {
    const timer = setTimeout(() => writeQuery(formatListQuery(choice)), PAUSE);
    return () => clearTimeout(timer);
  }, [choice]);

  return [choice, (change) => setChoice((before) => ({ ...before, ...change }))];
}

/** Keeps the history's state, by which the router knows the entry and its scroll position. */
function writeQuery(query: string): void {
  if (window.location.search === query) return;
  window.history.replaceState(window.history.state, "", window.location.pathname + query);
}
